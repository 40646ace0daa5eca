#include "io/eigenvectors/eigenvector_file.hpp"

#include <algorithm>

#include "io/eigenvectors/eigenvector_scidac.hpp"
#include "io/lime/lime.hpp"
#include "io/vectors/differences.hpp"
#include "io/vectors/vector_file.hpp"

namespace plaq {
namespace {

std::string value_of(const std::vector<HeaderEntry>& entries, const std::string& key) {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const HeaderEntry& e) { return e.key == key; });
  return found == entries.end() ? "none" : found->value;
}

}  // namespace

bool is_eigenvector_file(const std::string& path) {
  const ByteSource source = ByteSource::file(path);
  return is_lime(source) && is_scidac_eigenvectors(source);
}

EigenvectorFileInfo inspect_eigenvector_file(const std::string& path) {
  return inspect_scidac_eigenvectors(ByteSource::file(path));
}

EigenvectorFileInfo read_eigenvector_info(const std::string& path, const ProcessGrid& grid) {
  return read_vector_info(path, grid, inspect_eigenvector_file, eigenvector_info_from_text);
}

FieldSpec eigenvectors_spec(const EigenvectorFileInfo& file, Precision precision, Location location) {
  FieldSpec spec{Subset::even, file.spins, 3, file.modes * file.Ls, precision, location};
  spec.Ls = file.Ls;
  return spec;
}

LinkChecksum write_eigenvectors(const std::string& path, const ProcessGrid& grid, const Field& modes,
                                const EigenvectorInfo& info, Precision stored,
                                const WrittenFileCheck& check) {
  EigenvectorFileInfo file;
  file.path = path;
  file.extents = modes.geometry().global();
  file.modes = modes.batch();
  file.spins = modes.spec().spins;
  file.Ls = modes.Ls();
  file.precision = stored;
  file.info = info;
  return write_vectors(
      path, grid, modes, eigenvector_kind, shape_of(file),
      [&](const LinkChecksum& checksum) { return frame_scidac_eigenvectors(file, checksum); }, check);
}

EigenvectorFileInfo read_eigenvectors(const std::string& path, const ProcessGrid& grid, Field& modes) {
  EigenvectorFileInfo info = read_eigenvector_info(path, grid);
  read_vectors(path, grid, modes, eigenvector_kind, {shape_of(info), info.data_offset, info.checksum});
  return info;
}

std::string differences_of(const EigenvectorFileInfo& file, const Extents& lattice,
                           const std::vector<HeaderEntry>& here, const LinkChecksum& links) {
  const std::vector<HeaderEntry>& there = file.info.operator_entries;
  Differences differences;
  differences.add("lattice", to_string(file.extents), to_string(lattice));
  for (const HeaderEntry& entry : here) differences.add(entry.key, value_of(there, entry.key), entry.value);
  for (const HeaderEntry& entry : there) {
    const std::string mine = value_of(here, entry.key);
    if (mine == "none") differences.add(entry.key, entry.value, mine);
  }
  differences.add("checksum of the links", file.info.links.text(), links.text());
  return differences.text();
}

}  // namespace plaq
