#include "io/eigenvectors/eigenvector_file.hpp"

#include "io/eigenvectors/eigenvector_scidac.hpp"
#include "io/lime/lime.hpp"
#include "io/vectors/operator_entries.hpp"
#include "io/vectors/vector_file.hpp"

namespace plaq {

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
  return differences_of_modes(file.extents, file.info.operator_entries, file.info.links, lattice, here,
                              links);
}

}  // namespace plaq
