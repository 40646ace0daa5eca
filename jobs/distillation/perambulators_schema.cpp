// perambulators: quark propagators between modes of the Laplacian in space.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "jobs/distillation/mode_files.hpp"
#include "jobs/distillation/perambulator_keys.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/slurm_keys.hpp"
#include "quarks/distillation/line_currents.hpp"
#include "quarks/distillation/mode_noise.hpp"
#include "settings/action/action_table.hpp"
#include "settings/action/discretisation.hpp"
#include "settings/gauge/link_smearing.hpp"
#include "settings/lattice/lattice_tables.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq::jobs {
namespace {

Table perambulators_table() {
  using Keys = PerambulatorKeys;
  return {
      "perambulators",
      "The perambulators. A source is a time slice; it takes 4 solves for each mode.",
      {field(&Keys::directory, "directory",
             "Existing directory for the files FIELD.sK.peram.h5, where FIELD is the name of the gauge file "
             "and K the number of the source. A file has 256 T N^2 bytes for N modes on T time slices.")
           .need("\".\""),
       field(&Keys::source_time, "source_time", "Time slice of source 0.").within(0, largest_extent - 1),
       field(&Keys::count, "count", "Number of sources.").within(1, largest_extent),
       field(&Keys::shift, "shift",
             "Distance of the sources: source K is on time slice source_time + K shift, around the lattice. "
             "With shift = 1 and as many sources as slices all are sources.")
           .within(1, largest_extent)}};
}

Table mode_noise_table() {
  Names<std::optional<Noise>> names;
  names.add("none", std::nullopt);
  std::vector<std::string> meanings;
  for (const NoiseName& one : noise_names) {
    names.add(one.name, one.noise);
    meanings.push_back(fmt::format("{}: {}", one.name, one.numbers));
  }
  return {"noise",
          "Stochastic LapH (Morningstar et al. 2011): sources are noise in the space of spins and modes, an "
          "independent number for each. One source of N modes takes fewer solves then, for more noise.",
          {optional_choice(&ModeNoise::type, "type",
                           fmt::format("Noise numbers. none: each spin and mode is a source itself. {}.",
                                       fmt::join(meanings, "; ")),
                           names),
           field(&ModeNoise::seed, "seed", "Seed of the random numbers.").at_least(0),
           field(&ModeNoise::vectors, "vectors",
                 "Number of noise vectors of each source. Quark lines of one correlator need different ones.")
               .within(1, 100000),
           field(&ModeNoiseOfFields::by_trajectory, "by_trajectory",
                 "true: other numbers on each gauge field, by its trajectory. With the same numbers on all "
                 "fields averages over fields keep the noise.")}};
}

Table mode_dilution_table() {
  return {"dilution",
          "Dilution: parts of a noise vector that are solved separately. More parts reduce the errors.",
          {field(&ModeNoise::modes, "modes",
                 "Modes whose numbers are equal modulo this are together (interlaced). 0: each mode is "
                 "separate.")
               .within(0, 1 << 16),
           field(&ModeNoise::spin, "spin", "true: each spin is separate.")}};
}

Table currents_table() {
  using Keys = CurrentKeys;
  return {
      "currents",
      "Generalised perambulators: quark lines between modes of a source and a sink with a current qbar "
      "Gamma D q of any Gamma on them, for three-point functions. A sink takes as many solves as a source, "
      "for all currents, and the solutions of the source are kept: 4 quark fields for each mode.",
      {field(&Keys::sink_times, "sink_times",
             "Time slices from each source to its sinks, rising. Each makes a file FIELD.sK.tF.gperam.h5 "
             "of source K and sink time F in the directory of the perambulators. A current takes 4096 (F + "
             "1) N^2 bytes for N modes.")
           .within(1, largest_extent - 1)
           .such_as("[8]")
           .without("no generalised perambulators"),
       field(&Keys::operators, "operators",
             "D of the currents. \"1\": none. \"x\", \"xy\", ...: D_x, D_x D_y, one to three covariant "
             "derivatives (forward minus backward hop, by two) on the links of the action.")
           .not_empty(),
       field(&Keys::max_momentum_squared, "max_momentum_squared", job_momenta_meaning).within(0, 100)}};
}

void check_currents(Problems& problems, const CurrentKeys& keys, const ModeNoise& noise,
                    const LatticeKeys& lattice, const Settings& job) {
  if (const std::string fault = fault_of_operators(keys.operators); !fault.empty())
    problems.add("currents.operators", fault);
  if (keys.sink_times.empty()) return;
  if (std::adjacent_find(keys.sink_times.begin(), keys.sink_times.end(), std::greater_equal<>()) !=
      keys.sink_times.end())
    problems.add("currents.sink_times", "must rise, and none may be there twice");
  if (lattice.extents && keys.sink_times.back() >= (*lattice.extents)[3])
    problems.add("currents.sink_times",
                 fmt::format("time slices from the source are 1 to {}", (*lattice.extents)[3] - 1));
  if (noise.type)
    problems.add("currents.sink_times", "are of perambulators without noise; leave [noise] type out");
  if (!action_of_any_mass(job)->gamma5_hermitian())
    problems.add("currents.sink_times",
                 "of twisted-mass quarks need perambulators of both flavours, which a job does not make");
}

void check_quarks(Problems& problems, const PerambulatorKeys&, const Settings& job) {
  if (action_of_any_mass(job)->spins() == 1)
    problems.add("action.type", "perambulators are of quarks with spin, not of staggered ones");
}

}  // namespace

const Schema& perambulators_schema() {
  static const Schema schema{
      "perambulators",
      "Compute perambulators, quark propagators between modes of the Laplacian in space, for correlators by "
      "distillation.",
      {top_table("perambulators"), lattice_table(LatticeFrom::file), gauge_files_table("of measurement"),
       action_table(MassKeys::one, all_discretisations()), action_smearing_table(),
       link_smearing_table("of the Laplacian"), mode_files_table(), perambulators_table(), mode_noise_table(),
       mode_dilution_table(), currents_table(), solver_table(),
       multigrid_table(setup_keys(SetupsKept::where_asked)),
       output_table("HDF5 file for the solves.", "\"perambulators.h5\""), comms_table(), run_table(),
       slurm_table()},
      joined<Rule>(
          {common_rules(),
           dirac_rules(),
           {action_smearing_rule(),
            link_smearing_rule(),
            {{"perambulators.directory", "action.type"},
             "Perambulators need quarks with spin.",
             check_quarks},
            {{"currents.sink_times", "currents.operators", "noise.type", "action.type", "lattice.extents"},
             "Generalised perambulators have rising sink times and no noise, and quarks no twist.",
             check_currents},
            setup_rule()}})};
  return schema;
}

}  // namespace plaq::jobs
