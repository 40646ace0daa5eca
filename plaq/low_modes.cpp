#include "plaq/low_modes.hpp"

#include "comms/communicator/collective.hpp"
#include "comms/start/shared_lattice.hpp"
#include "core/system/machine.hpp"
#include "io/bytes/temporary_file.hpp"
#include "io/eigenvectors/eigenvector_file.hpp"
#include "io/gauge/link_sum.hpp"
#include "plaq/action_on_links.hpp"
#include "plaq/low_mode_parts.hpp"
#include "quarks/action/action.hpp"
#include "quarks/solve/low_modes.hpp"
#include "quarks/solve/solver_settings.hpp"
#include "settings/schema/filled_settings.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq {

namespace {

[[noreturn]] void refuse_modes(const std::string& why) {
  throw Error(ErrorKind::usage, "low_modes(): " + why);
}

void expect_search(const EigenvectorSettings& s, const Action& action, Preconditioning form) {
  static const settings::Schema schema{"eigenvectors",
                                       "Low modes.",
                                       {{"eigenvectors", "Low modes.", settings::eigenvector_keys()}},
                                       {settings::eigenvector_rule("eigenvectors")}};
  settings::expect_valid(schema, "low_modes()", s);
  if (form == Preconditioning::none)
    refuse_modes("form: eigenvectors are of an even-odd form; Preconditioning::none has none");
  if (const auto fault = validate_form(form, action)) refuse_modes("form: " + *fault);
}

}  // namespace

int LowModes::count() const { return static_cast<int>(values().size()); }
const std::vector<double>& LowModes::values() const { return parts_->info.values; }
const std::vector<double>& LowModes::bounds() const { return parts_->info.bounds; }
std::int64_t LowModes::applications() const { return parts_->applications; }
const Lattice& LowModes::lattice() const { return parts_->lattice; }

SpinorField LowModes::mode(int i) const {
  if (i < 0 || i >= count())
    throw Error(ErrorKind::usage,
                "there are modes 0 to " + std::to_string(count() - 1) + ", not " + std::to_string(i));
  const Field& all = parts_->modes;
  const SharedLattice& lattice = parts_->lattice.shared();
  FieldSpec spec = all.spec();
  spec.subfields = spec.Ls;
  Field one(all.geometry_ptr(), spec);
  for (int slice = 0; slice < spec.Ls; ++slice) copy_subfield(one, slice, all, i * spec.Ls + slice);
  spec.precision = Precision::double_precision;
  Field even(all.geometry_ptr(), spec);
  copy(even, one);
  SpinorField mode(parts_->lattice, {.spins = spec.spins, .Ls = spec.Ls});
  copy_parity(mode.field(), even, 0, lattice.queue);
  lattice.queue.synchronize();
  mode.field().touch();
  return mode;
}

LowModes low_modes(const ActionPtr& action, const GaugeField& gauge, const EigenvectorSettings& settings,
                   Preconditioning form) {
  if (!action) refuse_modes("the action is null; make one, for example by wilson()");
  return low_modes(DiracOperator(action, gauge), settings, form);
}

LowModes low_modes(const DiracOperator& m, const EigenvectorSettings& settings, Preconditioning form) {
  const ActionOnLinks& on = m.on_links();
  expect_search(settings, *on.action, form);
  FoundModes found = find_modes(on.links, on.action, form, settings);
  EigenvectorInfo info;
  info.plaq_version = version();
  info.operator_entries = std::move(found.operator_entries);
  info.links = checksum_of_any_links(*on.links.grid, on.links.gauge);
  info.values = found.report.values;
  info.bounds = found.report.bounds;
  return LowModes(std::make_shared<LowModes::Parts>(
      LowModes::Parts{on.lattice, std::move(found.modes), std::move(info), found.report.applications}));
}

void write_low_modes(const LowModes& modes, const std::string& path, const WriteLowModesSettings& settings) {
  if (settings.precision != Precision::single_precision && settings.precision != Precision::half_precision)
    throw Error(ErrorKind::usage, "write_low_modes(): settings.precision must be single or half");
  const SharedLattice& lattice = modes.lattice().shared();
  all_or_none(lattice.grid->comm(), [&] {
    if (lattice.rank() == 0) check_output(path, settings.overwrite);
  });
  write_eigenvectors(path, *lattice.grid, modes.parts().modes, modes.parts().info, settings.precision);
}

LowModes read_low_modes(const std::string& path, const Lattice& lattice) {
  const SharedLattice& shared = lattice.shared();
  const EigenvectorFileInfo file = read_eigenvector_info(path, *shared.grid);
  if (file.extents != lattice.extents())
    throw Error(ErrorKind::input_file, path + ": its eigenvectors are on " + to_string(file.extents) +
                                           ", the lattice is " + to_string(lattice.extents()));
  Field modes(shared.geometry, eigenvectors_spec(file, Precision::single_precision, lattice.location()));
  read_eigenvectors(path, *shared.grid, modes);
  return LowModes(
      std::make_shared<LowModes::Parts>(LowModes::Parts{lattice, std::move(modes), file.info, 0}));
}

}  // namespace plaq
