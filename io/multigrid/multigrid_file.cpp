#include "io/multigrid/multigrid_file.hpp"

#include "io/lime/lime.hpp"
#include "io/multigrid/multigrid_scidac.hpp"
#include "io/vectors/vector_file.hpp"

namespace plaq {

bool is_multigrid_file(const std::string& path) {
  const ByteSource source = ByteSource::file(path);
  return is_lime(source) && is_scidac_multigrid(source);
}

MultigridFileInfo inspect_multigrid_file(const std::string& path) {
  return inspect_scidac_multigrid(ByteSource::file(path));
}

MultigridFileInfo read_multigrid_info(const std::string& path, const ProcessGrid& grid) {
  return read_vector_info(
      path, grid, inspect_multigrid_file,
      [](std::string_view text, const std::string& place) { return multigrid_info_from_text(text, place); });
}

FieldSpec near_null_vectors_spec(int vectors, Precision precision, int Ls) {
  return five_dimensional_spec(Subset::even, vectors, Ls, precision, Location::host);
}

LinkChecksum write_near_null_vectors(const std::string& path, const ProcessGrid& grid, const Field& vectors,
                                     const MultigridSetupInfo& setup, Precision stored,
                                     const WrittenFileCheck& check) {
  MultigridFileInfo info;
  info.path = path;
  info.extents = vectors.geometry().global();
  info.vectors = vectors.batch();
  info.Ls = vectors.Ls();
  info.precision = stored;
  info.setup = setup;
  return write_vectors(
      path, grid, vectors, near_null_kind, shape_of(info),
      [&](const LinkChecksum& checksum) { return frame_scidac_multigrid(info, checksum); }, check);
}

MultigridFileInfo read_near_null_vectors(const std::string& path, const ProcessGrid& grid, Field& vectors) {
  MultigridFileInfo info = read_multigrid_info(path, grid);
  read_vectors(path, grid, vectors, near_null_kind, {shape_of(info), info.data_offset, info.checksum});
  return info;
}

}  // namespace plaq
