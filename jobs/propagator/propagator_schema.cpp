// propagator: quark propagators of sources and their correlators.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "jobs/correlators/correlator_keys.hpp"
#include "jobs/dirac/action_smearing.hpp"
#include "jobs/dirac/dirac_keys.hpp"
#include "jobs/dirac/discretisation.hpp"
#include "jobs/dirac/multigrid_keys.hpp"
#include "jobs/dirac/setup_keys.hpp"
#include "jobs/propagator/job_channels.hpp"
#include "jobs/propagator/propagator_keys.hpp"
#include "jobs/propagator/quark_propagator_results.hpp"
#include "jobs/propagator/source_files.hpp"
#include "jobs/propagator/three_point_results.hpp"
#include "jobs/run/link_smearing.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/job_file.hpp"
#include "jobs/schema/job_types.hpp"
#include "jobs/schema/slurm_keys.hpp"
#include "observables/quark/quarks_together.hpp"

namespace plaq::jobs {
namespace {

void check_source(Problems& problems, const SourceKeys& source, const LatticeKeys& lattice) {
  for (std::size_t d = 0; lattice.extents && d < 4; ++d)
    if (const int position = source.position[d], extent = (*lattice.extents)[d]; position >= extent)
      problems.add("source.position", fmt::format("{} = {} is outside the lattice, must be 0 to {}",
                                                  "xyzt"[d], position, extent - 1));
}

// Keys of one type of source: needed with it, wrong without it.
void check_own_keys(Problems& problems, const SourceKeys& source, const LatticeKeys& lattice) {
  const bool gaussian = source.type == SourceType::gaussian, box = source.type == SourceType::box,
             file = source.type == SourceType::file;
  const auto check = [&](const char* key, bool needed, bool given, const char* example) {
    if (needed && !given)
      problems.missing({"source", key},
                       fmt::format("of type = \"{}\"; for example {}", source.type_name(), example));
    if (!needed && given)
      problems.add({"source", key}, fmt::format("is not of type = \"{}\"", source.type_name()));
  };
  check("width", gaussian, source.width.has_value(), "width = 2.0");
  check("size", box, source.size.has_value(), "size = [4, 4, 4]");
  check("files", file, source.files.has_value(), "files = [\"source.{trajectory}.h5\"]");
  check("stride", false, source.stride != 1 && !gaussian && !box, "");
  check("slice", false, source.slice != SourceSlice::position && !file, "");
  if (file && source.count != 1)
    problems.add("source.count",
                 "is of sources that are made; there are as many as [source] files has names");
  for (std::size_t i = 0; lattice.extents && source.size && i < 3; ++i)
    if ((*source.size)[i] > (*lattice.extents)[i])
      problems.add("source.size",
                   fmt::format("{} = {} is more than the lattice has", "xyz"[i], (*source.size)[i]));
  for (const std::string& name : source.files.value_or(std::vector<std::string>()))
    if (const auto wrong = fault_of_source_name(name)) problems.add("source.files", *wrong);
}

void check_seed(Problems& problems, const SourceKeys& source) {
  if (source.is_noise() && !source.seed)
    problems.missing("source.seed", fmt::format("the random numbers of a {} source; for example seed = 1",
                                                source.type_name()));
}

void check_noise(Problems& problems, const SourceKeys& source, const CorrelatorKeys& correlators,
                 const JobFile& job) {
  if (!source.is_noise()) return;
  for (const Channel& channel : channels_of(job))
    if (!channel.no_noise.empty()) problems.add("correlators.channels", channel.no_noise);
  if (correlators.max_momentum_squared > 0)
    problems.add("correlators.max_momentum_squared",
                 "noise sources have momentum 0 alone, and other momenta average to 0; take a point source");
}

// Channels and sources are of spinors, or of staggered quarks.
void check_quarks(Problems& problems, const ActionKeys& action, const SourceKeys& source,
                  const JobFile& job) {
  const std::string type = action.type->name();
  const int spins = action_of_any_mass(job)->spins();
  const bool staggered = spins == 1;
  std::vector<std::string> wrong;
  for (const Channel& channel : channels_of(job))
    if (channel.spins() != spins) wrong.push_back(channel.name);
  if (!wrong.empty())
    problems.add(
        "correlators.channels",
        fmt::format(
            "of {}: {}; type = \"{}\" in [action] has {}",
            staggered ? "quarks with spin" : "staggered quarks", fmt::join(wrong, ", "), type,
            staggered ? "pion_ps, pion_sc, rho_vt, rho_pv, nucleon and the like" : "pion, rho and the like"));
  if (!staggered && source.type == SourceType::corner_wall)
    problems.add(
        "source.type",
        fmt::format("corner_wall is of staggered quarks; for type = \"{}\" in [action] there is wall", type));
}

void check_space_boundary(Problems& problems, const ActionKeys& action, const SourceKeys& source,
                          const ThreePointKeys& three_point, const JobFile& job) {
  const SpaceSigns boundary = action.in_space();
  if (boundary == periodic_in_space) return;
  for (const Channel& channel : channels_of(job))
    if (const auto why = refuse_in_space(boundary, channel)) problems.add("correlators.channels", *why);
  if (has_nucleon(three_point))
    problems.add("three_point.insertions", "of the proton need quarks that are periodic in space");
  if (const auto why = refuse_source_in_space(boundary, source.type_name()))
    problems.add("source.type", *why);
}

void check_steps(Problems& problems, const QuarkSmearingKeys& smearing, const JobFile& job) {
  check_smearing_steps(problems, smearing, action_of_any_mass(job)->spins() == 1 ? 2 : 1);
}

void check_spins(Problems& problems, const CorrelatorKeys& correlators, const JobFile& job) {
  check_spin_matrix(problems, correlators, channels_of(job));
}

void check_many_masses(Problems& problems, const ActionKeys& action, const MassPairKeys& mesons,
                       const ResidualMassKeys& residual, const ThreePointKeys& three_point,
                       const QuarkPropagatorKeys& in_momenta) {
  if (!action.has_many_masses()) {
    if (mesons.pairs == MassPairs::all)
      problems.add("correlators.pairs", "\"all\" is of several masses: masses or kappas in [action]");
    return;
  }
  const std::string of_one = "is of jobs with one mass: mass or kappa in [action]";
  if (residual.residual_mass != ResidualMass::none) problems.add("correlators.residual_mass", of_one);
  if (three_point) problems.add("three_point.insertions", of_one);
  if (in_momenta.max_n) problems.add("quark_propagator.max_n", of_one);
}

Table correlators() {
  return {
      "correlators", "What is contracted.",
      joined<Key>({correlator_keys(channels_of_one_quark()),
                   {choice(&MassPairKeys::pairs, "pairs",
                           "Of several masses: mesons of quark and antiquark with the same mass, or of all "
                           "pairs of masses, each once. Baryons have quarks of one mass.",
                           {{"equal", MassPairs::equal}, {"all", MassPairs::all}})},
                   residual_mass_keys()})};
}

Table output() {
  return output_table(
      "HDF5 file of the correlators.", "\"pion.h5\"",
      {choice(&PropagatorFileKeys::propagators, "propagators",
              "Also write each propagator, in double precision, as FIELD.sK.prop.h5 or FIELD.sK.prop.lime: "
              "FIELD is the gauge file's name, K the number of the source. Of several masses as "
              "FIELD.mMASS.sK.prop.h5 or FIELD.kKAPPA.sK.prop.h5.",
              {{"none", SavedPropagators::none},
               {"hdf5", SavedPropagators::hdf5},
               {"scidac", SavedPropagators::scidac}}),
       field(&PropagatorFileKeys::propagator_directory, "propagator_directory", "Where propagators go.")});
}

std::vector<Rule> rules() {
  return joined<Rule>(
      {common_rules(),
       dirac_rules(MassKeys::any),
       {action_smearing_rule(), link_smearing_rule()},
       {{{"source.position", "lattice.extents"}, "The source must be on the lattice.", check_source},
        {{"source.type", "source.width", "source.size", "source.stride", "source.files", "source.slice",
          "source.count", "lattice.extents"},
         "A Gaussian needs its width, a box its size, no larger than the lattice, and sources from files "
         "these; no other type has these keys.",
         check_own_keys},
        {{"source.type", "source.seed"}, "Noise needs a seed.", check_seed},
        {{"source.type", "correlators.channels", "correlators.max_momentum_squared"},
         "With noise there are mesons at momentum 0 alone.",
         check_noise},
        {{"action.type", "correlators.channels", "source.type"},
         "Staggered quarks have channels of their own and corner walls.",
         check_quarks},
        {{"action.boundary", "source.type", "correlators.channels", "three_point.insertions"},
         "Baryons and extended sources need quarks that are periodic in space.",
         check_space_boundary},
        quark_smearing_rule(),
        {{"quark_smearing.steps", "quark_smearing.sigma", "quark_smearing.allow_unstable", "action.type"},
         smearing_steps_text,
         check_steps},
        {{"correlators.spin_matrix", "correlators.channels"},
         "Matrices of spin are of baryons.",
         check_spins},
        {{"action.masses", "action.kappas", "correlators.pairs", "correlators.residual_mass",
          "three_point.insertions", "quark_propagator.max_n"},
         "With several masses there are two-point functions alone.",
         check_many_masses},
        residual_mass_rule(),
        three_point_rule(),
        quark_propagator_rule(),
        setup_rule()}});
}

}  // namespace

Table source_table() {
  return {
      "source",
      "The sources; twelve right-hand sides each, column 3 * spin + color; of staggered quarks three.",
      {choice(&SourceKeys::type, "type",
              "Kind of source: a point, a wall (1 on a time slice), a momentum source (exp(i p x) on a time "
              "slice), a Gaussian (exp(-r^2/width^2) on a time slice, r the shortest way from position "
              "around the lattice, 1 at position) and a box (1 on a part of a time slice), neither "
              "gauge-covariant, for fixed gauges; noise on a time slice (Z2: 1 and -1, Z4: also i and -i), "
              "the same in all columns; of staggered quarks also a corner wall (1 where x, y, z of a time "
              "slice are those of position modulo 2); the columns of a file.",
              Names<SourceType>(source_type_names)),
       field(&SourceKeys::position, "position",
             "Site of the first source: x, y, z, t; the centre of a Gaussian, the first corner of a box; "
             "else, where it is no point, t alone counts, and x, y, z as the origin of the momenta.")
           .within(0, 4095),
       field(&SourceKeys::count, "count",
             "Sources on each gauge field, one after the other; of noise: samples. Of files: leave it out.")
           .within(1, 100000),
       field(&SourceKeys::shift, "shift", "From each source to the next: x, y, z, t, around the lattice.")
           .within(-4095, 4095),
       field(&SourceKeys::momentum, "momentum",
             "Of a momentum source: n of p = 2 pi n / L in x, y, z; |n| is at most L/2.")
           .within(-4095, 4095),
       field(&SourceKeys::seed, "seed", "Of noise: key of the random numbers.").at_least(0).such_as("1"),
       field(&SourceKeys::width, "width",
             "Of a Gaussian: width in lattice units, exp(-r^2/width^2) as MILC's r0; where others have "
             "exp(-r^2/(2 w^2)), width = sqrt(2) w.")
           .between(0, 1000)
           .such_as("2.0")
           .without("needed for gaussian"),
       field(&SourceKeys::size, "size", "Of a box: sites in x, y, z from position on, around the lattice.")
           .within(1, 4096)
           .such_as("[4, 4, 4]")
           .without("needed for box"),
       field(&SourceKeys::stride, "stride",
             "Of a Gaussian and a box: 2 leaves out sites at odd distances in x, y or z from position, as "
             "staggered quarks want it, whose tastes mix otherwise.")
           .within(1, 2),
       field(&SourceKeys::files, "files",
             "Of type file: a file for each source, in any format of propagators, of twelve spinors, or of "
             "three color vectors of staggered quarks; column k is the source of column k. With {column}, "
             "from 0 on, each column has a file of its own, of a single field. {field} is the name of the "
             "gauge field's file, {trajectory} and {replica} its numbers; without them one file is that of "
             "all fields. Each name stands for one file, * and ? for any characters.")
           .not_empty()
           .such_as("[\"source.{trajectory}.h5\"]")
           .without("needed for file"),
       choice(&SourceKeys::slice, "slice",
              "Of type file: the time slice from which correlators count is t of position, or that on which "
              "the file has the source.",
              {{"position", SourceSlice::position}, {"file", SourceSlice::file}})}};
}

const Schema& propagator_schema() {
  static const Schema schema{
      "propagator",
      "Compute quark propagators from sources and their correlators, on one or more gauge fields.",
      {top_table("propagator"), lattice_table(LatticeFrom::file), gauge_files_table("of measurement"),
       action_table(MassKeys::any, all_discretisations()), action_smearing_table(), source_table(),
       quark_smearing_table(true),
       link_smearing_table("that smear the quarks; those of the Dirac operator are in [action_smearing]"),
       solver_table(), multigrid_table(setup_keys(SetupsKept::where_asked)), correlators(),
       three_point_table(), quark_propagator_table(), output(), comms_table(), run_table(), slurm_table()},
      rules()};
  return schema;
}

}  // namespace plaq::jobs
