#include "plaq/laplacian_modes.hpp"

#include <utility>

#include "comms/communicator/collective.hpp"
#include "comms/start/shared_lattice.hpp"
#include "core/system/machine.hpp"
#include "io/bytes/temporary_file.hpp"
#include "io/gauge/link_sum.hpp"
#include "io/laplacian_modes/laplacian_mode_file.hpp"
#include "kernels/gauge/link_copies.hpp"
#include "plaq/laplacian_modes_parts.hpp"
#include "quarks/distillation/laplacian_modes.hpp"
#include "settings/quark/laplacian_mode_keys.hpp"
#include "settings/schema/filled_settings.hpp"

namespace plaq {

namespace {

std::vector<double> of_slice(const std::vector<double>& all, int t, const LaplacianModes& modes) {
  const int slices = modes.lattice().extents()[3];
  if (t < 0 || t >= slices)
    throw Error(ErrorKind::usage,
                "there are time slices 0 to " + std::to_string(slices - 1) + ", not " + std::to_string(t));
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(t) * modes.count();
  return {first, first + modes.count()};
}

}  // namespace

int LaplacianModes::count() const { return parts_->count; }
std::vector<double> LaplacianModes::values(int t) const { return of_slice(parts_->info.values, t, *this); }
std::vector<double> LaplacianModes::bounds(int t) const { return of_slice(parts_->info.bounds, t, *this); }
std::int64_t LaplacianModes::applications() const { return parts_->applications; }
const Lattice& LaplacianModes::lattice() const { return parts_->lattice; }

SpinorField LaplacianModes::mode(int i) const {
  if (i < 0 || i >= count())
    throw Error(ErrorKind::usage,
                "there are modes 0 to " + std::to_string(count() - 1) + ", not " + std::to_string(i));
  const Field& all = parts_->modes;
  Field four(all.geometry_ptr(), spinor_spec(Subset::full, 1, all.precision(), all.location()));
  copy_subfield(four, 0, all, i / 4);
  const SpinorField four_vectors(parts_->lattice, std::move(four));
  const HostField<SiteSpinor> from = four_vectors.on_host();
  SpinorField mode(parts_->lattice, {.columns = 1, .spins = 1});
  HostField<SiteColorVector> to = mode.staggered_on_host();
  for (const LocalSite& site : parts_->lattice.local_sites())
    for (int color = 0; color < 3; ++color) to[site.index](color) = from[site.index](3 * (i % 4) + color);
  mode.set(to);
  return mode;
}

LaplacianModes laplacian_modes(const GaugeField& gauge, const LaplacianModeSettings& settings) {
  static const settings::Schema schema{
      "laplacian_modes",
      "Modes of the Laplacian.",
      {{"laplacian_modes", "Modes of the Laplacian.", settings::laplacian_mode_keys()}},
      {settings::laplacian_mode_rule("laplacian_modes")}};
  settings::expect_valid(schema, "laplacian_modes()", settings);
  const SharedLattice& lattice = gauge.lattice().shared();
  const Field links = links_without_halo(lattice, gauge.field());
  FoundLaplacianModes found;
  try {
    found = find_laplacian_modes(lattice, links, settings);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::job_file) throw;
    throw Error(ErrorKind::usage, std::string("laplacian_modes(): ") + error.what());
  }
  LaplacianModeInfo info = info_of(*lattice.grid, found, links, settings);
  return LaplacianModes(std::make_shared<LaplacianModes::Parts>(LaplacianModes::Parts{
      gauge.lattice(), std::move(found.modes), std::move(info), settings.modes, found.report.applications}));
}

void write_laplacian_modes(const LaplacianModes& modes, const std::string& path,
                           const WriteLowModesSettings& settings) {
  if (settings.precision != Precision::single_precision && settings.precision != Precision::half_precision)
    throw Error(ErrorKind::usage, "write_laplacian_modes(): settings.precision must be single or half");
  const SharedLattice& lattice = modes.lattice().shared();
  all_or_none(lattice.grid->comm(), [&] {
    if (lattice.rank() == 0) check_output(path, settings.overwrite);
  });
  write_laplacian_modes(path, *lattice.grid, modes.parts().modes, modes.parts().info, settings.precision);
}

LaplacianModes read_laplacian_modes(const std::string& path, const Lattice& lattice) {
  const SharedLattice& shared = lattice.shared();
  const LaplacianModeFileInfo file = read_laplacian_mode_info(path, *shared.grid);
  if (file.extents != lattice.extents())
    throw Error(ErrorKind::input_file, path + ": its modes are on " + to_string(file.extents) +
                                           ", the lattice is " + to_string(lattice.extents()));
  Field modes(shared.geometry,
              laplacian_modes_spec(file.modes, Precision::double_precision, lattice.location()));
  read_laplacian_modes(path, *shared.grid, modes);
  return LaplacianModes(std::make_shared<LaplacianModes::Parts>(
      LaplacianModes::Parts{lattice, std::move(modes), file.info, file.modes, 0}));
}

std::string differences(const LaplacianModes& modes, const GaugeField& gauge,
                        const LaplacianModeSettings& settings) {
  const SharedLattice& lattice = gauge.lattice().shared();
  LaplacianModeFileInfo file;
  file.extents = modes.lattice().extents();
  file.info = modes.parts().info;
  const Field links = links_without_halo(lattice, gauge.field());
  return differences_of(file, gauge.lattice().extents(), operator_entries(settings),
                        checksum_of_any_links(*lattice.grid, links));
}

}  // namespace plaq
