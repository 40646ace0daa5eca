#include "io/laplacian_modes/laplacian_mode_file.hpp"

#include <fmt/format.h>

#include "core/system/error.hpp"
#include "core/system/runs_dry.hpp"
#include "io/laplacian_modes/laplacian_mode_scidac.hpp"
#include "io/lime/lime.hpp"
#include "io/vectors/operator_entries.hpp"
#include "io/vectors/vector_file.hpp"

namespace plaq {
namespace {

// Color vectors on the even sites, of which vector 2 i + parity is mode i on the sites of that parity. The
// sites of a pair have one checkerboard index.
Field half_modes(const GeometryPtr& geometry, int modes) {
  return Field(geometry, {Subset::even, 1, 3, 2 * modes, Precision::single_precision, Location::host});
}

Field modes_on_host(const Field& modes) {
  FieldSpec spec = modes.spec();
  spec.precision = Precision::single_precision;
  spec.location = Location::host;
  return Field(modes.geometry_ptr(), spec);
}

// Calls visit(half, parity, site, mode, component) for each complex number.
template <class Visit>
void for_numbers_of_modes(const Field& halves, const Visit& visit) {
  const int sites = halves.layout().sites;
#pragma omp parallel for schedule(static)
  for (int site = 0; site < sites; ++site)
    for (int half = 0; half < halves.subfields(); ++half)
      for (int r = 0; r < 6; ++r) visit(half, half % 2, site, half / 2, r);
}

}  // namespace

bool is_laplacian_mode_file(const std::string& path) {
  const ByteSource source = ByteSource::file(path);
  return is_lime(source) && is_scidac_laplacian_modes(source);
}

LaplacianModeFileInfo inspect_laplacian_mode_file(const std::string& path) {
  return inspect_scidac_laplacian_modes(ByteSource::file(path));
}

LaplacianModeFileInfo read_laplacian_mode_info(const std::string& path, const ProcessGrid& grid) {
  return read_vector_info(path, grid, inspect_laplacian_mode_file, laplacian_mode_info_from_text);
}

FieldSpec laplacian_modes_spec(int modes, Precision precision, Location location) {
  return spinor_spec(Subset::full, (modes + 3) / 4, precision, location);
}

LinkChecksum write_laplacian_modes(const std::string& path, const ProcessGrid& grid, const Field& modes,
                                   const LaplacianModeInfo& info, Precision stored,
                                   const WrittenFileCheck& check) {
  LaplacianModeFileInfo file;
  file.path = path;
  file.extents = modes.geometry().global();
  file.modes = static_cast<int>(info.values.size()) / file.extents[3];
  file.precision = stored;
  file.info = info;
  require(modes.spec() == laplacian_modes_spec(file.modes, modes.precision(), modes.location()) &&
              modes.geometry().halo_depth() == 0,
          "files of modes of the Laplacian are for fields of spinors without halo");
  Field halves = half_modes(modes.geometry_ptr(), file.modes);
  {
    Field host = modes_on_host(modes);
    copy(host, modes);
    on_numbers([&] {
      for_numbers_of_modes(halves, [&](int half, int parity, int site, int mode, int r) {
        set_real(halves, half, 0, site, r, get_real(host, mode / 4, parity, site, 6 * (mode % 4) + r));
      });
    });
  }
  return write_vectors(
      path, grid, halves, laplacian_mode_kind, shape_of(file),
      [&](const LinkChecksum& checksum) { return frame_scidac_laplacian_modes(file, checksum); }, check);
}

LaplacianModeFileInfo read_laplacian_modes(const std::string& path, const ProcessGrid& grid, Field& modes) {
  LaplacianModeFileInfo info = read_laplacian_mode_info(path, grid);
  if (modes.spec() != laplacian_modes_spec(info.modes, modes.precision(), modes.location()))
    throw Error(ErrorKind::input_file,
                fmt::format("{}: it holds {} modes of the Laplacian, expected some for a field of {} to {}",
                            path, info.modes, 4 * modes.subfields() - 3, 4 * modes.subfields()));
  Field halves = half_modes(modes.geometry_ptr(), info.modes);
  read_vectors(path, grid, halves, laplacian_mode_kind, {shape_of(info), info.data_offset, info.checksum});
  Field host = modes_on_host(modes);
  on_numbers([&] {
    for_numbers_of_modes(halves, [&](int half, int parity, int site, int mode, int r) {
      set_real(host, mode / 4, parity, site, 6 * (mode % 4) + r, get_real(halves, half, 0, site, r));
    });
  });
  copy(modes, host);
  modes.touch();
  return info;
}

std::string differences_of(const LaplacianModeFileInfo& file, const Extents& lattice,
                           const std::vector<HeaderEntry>& here, const LinkChecksum& links) {
  return differences_of_modes(file.extents, file.info.operator_entries, file.info.links, lattice, here,
                              links);
}

}  // namespace plaq
