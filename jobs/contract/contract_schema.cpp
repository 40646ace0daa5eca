// contract: correlators of propagators that other jobs have stored.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "jobs/contract/contract_keys.hpp"
#include "jobs/correlators/correlators.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/slurm_keys.hpp"
#include "observables/quark/quarks_together.hpp"
#include "settings/gauge/link_smearing.hpp"

namespace plaq::jobs {
namespace {

void check_quarks(Problems& problems, const QuarkKeys& quarks, const StoredSourceKeys& source) {
  problems.add_twice("quarks.names", quarks.names);
  if (quarks.names.size() != quarks.files.size())
    problems.add("quarks.files", fmt::format("{} name{} of files for {} quark{}: there must be one for each",
                                             quarks.files.size(), quarks.files.size() == 1 ? "" : "s",
                                             quarks.names.size(), quarks.names.size() == 1 ? "" : "s"));
  for (const std::string& name : quarks.files) {
    if (source.count > 1 && name.find(source_word) == std::string::npos)
      problems.add("quarks.files",
                   fmt::format("{} has no {{source}}, but [source] count is {}", name, source.count));
  }
}

void check_position(Problems& problems, const StoredSourceKeys& source, const LatticeKeys& lattice) {
  if (!source.position && source.shift != Extents{})
    problems.add("source.shift", "needs position in [source], the first of the positions");
  for (std::size_t d = 0; lattice.extents && source.position && d < 4; ++d)
    if (const int position = (*source.position)[d], extent = (*lattice.extents)[d]; position >= extent)
      problems.add("source.position", fmt::format("{} = {} is outside the lattice, must be 0 to {}",
                                                  "xyzt"[d], position, extent - 1));
}

// Quarks with spin, or staggered ones.
void check_channels(Problems& problems, const CorrelatorKeys& correlators) {
  const auto channels = channels_named(correlators.channels, channels_of_flavours());
  for (const Channel& channel : channels)
    if (channel.spins() != channels.front().spins())
      return problems.add("correlators.channels",
                          fmt::format("{} and {} are not of the same quarks: those with pion_ps, pion_sc, "
                                      "rho_vt, rho_pv and nucleon are staggered ones",
                                      channels.front().name, channel.name));
  check_spin_matrix(problems, correlators, channels);
}

void check_momentum(Problems& problems, const QuarkSmearingKeys& smearing,
                    const CorrelatorKeys& correlators) {
  check_smearing_momentum(problems, smearing, channels_named(correlators.channels, channels_of_flavours()));
}

void check_steps(Problems& problems, const QuarkSmearingKeys& smearing, const CorrelatorKeys& correlators) {
  const auto channels = channels_named(correlators.channels, channels_of_flavours());
  if (!channels.empty()) check_smearing_steps(problems, smearing, channels.front().spins() == 1 ? 2 : 1);
}

void check_contents(Problems& problems, const QuarkKeys& quarks, const ContentKeys& contents,
                    const CorrelatorKeys& correlators, const Settings& job) {
  const auto check = [&](const char* key, const std::vector<std::string>& texts, std::size_t count,
                         const std::string& kind) {
    problems.add_twice({"correlators", key}, texts);
    for (const std::string& text : texts)
      if (!quarks_in(text, count, quarks.names))
        problems.add({"correlators", key}, fmt::format("{} is not {} of the quarks {} with _ between them",
                                                       text, kind, fmt::join(quarks.names, ", ")));
  };
  check("mesons", contents.mesons, 2, "two");
  check("baryons", contents.baryons, 3, "three");
  const auto channels = channels_named(correlators.channels, channels_of_flavours());
  bool mesons = false, baryons = false;
  for (const Channel& channel : channels) (channel.is_meson() ? mesons : baryons) = true;
  if (!contents.mesons.empty() && !mesons)
    problems.add("correlators.mesons", "no meson is among the channels; for example pion");
  if (!contents.baryons.empty() && !baryons)
    problems.add("correlators.baryons", "no baryon is among the channels; for example lambda");
  if (baryons && contents.baryons.empty() && quarks.names.size() > 1)
    problems.missing("correlators.baryons",
                     fmt::format("u, d and s of the baryons among the channels; for example baryons = "
                                 "[\"{0}_{0}_{1}\"]",
                                 quarks.names[0], quarks.names[1]));
  if (!problems.found.empty() || channels.empty()) return;
  const Contents all = contents_of(job);
  std::set<std::size_t> in_some;
  for (const auto* list : {&all.mesons, &all.baryons})
    for (const auto& of_one : *list) in_some.insert(of_one.begin(), of_one.end());
  for (std::size_t i = 0; i < quarks.names.size(); ++i)
    if (!in_some.contains(i))
      problems.add("quarks.names", fmt::format("{} is in no correlator", quarks.names[i]));
}

void check_space_boundary(Problems& problems, const QuarkKeys& quarks, const CorrelatorKeys& correlators) {
  if (std::find(quarks.space_boundary.begin(), quarks.space_boundary.end(), 0) != quarks.space_boundary.end())
    problems.add("quarks.space_boundary", "found 0, each must be 1 or -1");
  for (const Channel& channel : channels_named(correlators.channels, channels_of_flavours()))
    if (const auto why = refuse_in_space(quarks.space_boundary, channel))
      problems.add("correlators.channels", *why);
}

Table quarks() {
  return {"quarks",
          "The quarks and the files of their propagators.",
          {field(&QuarkKeys::names, "names", "Name of each quark, for [correlators] and the results.")
               .checked_by(validate_quark_name)
               .not_empty()
               .need("[\"light\", \"strange\"]"),
           field(&QuarkKeys::files, "files",
                 "Propagator files of each quark, from propagator jobs or other programs, in any propagator "
                 "format, with all columns in one file. {field} is the name of the gauge file; {trajectory} "
                 "and {replica} are its numbers; {source} is the number of the source, from 0 on. Each name "
                 "stands for one file; * and ? stand for any characters.")
               .checked_by(validate_quark_file_name)
               .not_empty()
               .need("[\"light/{field}.s{source}.prop.h5\", \"strange/{field}.s{source}.prop.h5\"]"),
           choice(&QuarkKeys::boundary, "boundary",
                  "Boundary condition of the quarks in time. Its sign is taken out of baryons. A file that "
                  "states another sign is an error, and so are mesons of quarks with different signs.",
                  {{"antiperiodic", -1}, {"periodic", 1}, {"dirichlet", 0}}),
           field(&QuarkKeys::space_boundary, "space_boundary",
                 "Boundary conditions of the quarks in x, y, z, for smearing across the edge of the lattice. "
                 "A file that states other signs is an error.")
               .within(-1, 1)}};
}

Table source() {
  return {
      "source",
      "The sources of the propagators.",
      {field(&StoredSourceKeys::count, "count", "Number of sources on each gauge field.").within(1, 100000),
       field(&StoredSourceKeys::position, "position",
             "Site x, y, z, t of the first source. A file that states another site is an error.")
           .within(0, 4095)
           .such_as("[0, 0, 0, 0]")
           .without("the site that the files state; needed if they state none"),
       field(&StoredSourceKeys::shift, "shift",
             "Shift x, y, z, t from each source to the next, around the lattice.")
           .within(-4095, 4095)}};
}

Table correlators() {
  auto keys = correlator_keys(channels_of_flavours(),
                              " Quarks u, d and s are those of `baryons`: proton channels have u and d, "
                              "lambda and lambda_singlet u, d and s, and delta u. Further channels are sigma "
                              "(u u s), xi (s s u), sigma_star and xi_star (spin 3/2), and omega (s s s); of "
                              "staggered quarks nucleon has u, and nucleon_uds u, d and s.");
  keys.front().need("[\"pion\", \"rho\"]");
  return {"correlators", "The two-point functions.",
          joined<Key>({keys,
                       {field(&ContentKeys::mesons, "mesons",
                              "Quark and antiquark of each meson: two names with _ between them. The first "
                              "quark runs forward.")
                            .such_as("[\"light_light\", \"light_strange\"]")
                            .without("all pairs, each once"),
                        field(&ContentKeys::baryons, "baryons",
                              "Quarks that play u, d and s in the baryons: three names with _ between them. "
                              "Each baryon uses those that its operator has.")
                            .such_as("[\"light_light_strange\"]")
                            .without("needed for baryons if there is more than one quark")}})};
}

std::vector<Rule> rules() {
  return joined<Rule>(
      {common_rules(),
       {link_smearing_rule(),
        quark_smearing_rule(),
        {{"quarks.space_boundary", "correlators.channels"},
         "Each sign must be 1 or -1. Baryons need quarks that are periodic in space.",
         check_space_boundary},
        {{"quarks.names", "quarks.files", "source.count"},
         "Each quark needs its own name and its own files, one for each source.",
         check_quarks},
        {{"source.position", "source.shift", "lattice.extents"},
         "The source must be on the lattice.",
         check_position},
        {{"correlators.channels", "correlators.spin_matrix"},
         "All channels must be those of quarks with spin, or all those of staggered quarks. spin_matrix "
         "needs baryons.",
         check_channels},
        {{"quark_smearing.momentum", "quark_smearing.steps", "correlators.channels"},
         smearing_momentum_text,
         check_momentum},
        {{"quark_smearing.steps", "quark_smearing.sigma", "quark_smearing.allow_unstable",
          "correlators.channels"},
         smearing_steps_text,
         check_steps},
        {{"correlators.mesons", "correlators.baryons", "correlators.channels", "quarks.names"},
         "Mesons must name two and baryons three of the quarks. Each quark must be used.",
         check_contents}}});
}

}  // namespace

const Schema& contract_schema() {
  static const Schema schema{
      "contract",
      "Contract stored propagators, also of different quarks.",
      {top_table("contract"), lattice_table(LatticeFrom::file), gauge_files_table("of measurement"), quarks(),
       source(), quark_smearing_table(false), link_smearing_table("that smear the quarks at the sink"),
       correlators(), output_table("HDF5 file for the correlators.", "\"kaon.h5\""), comms_table(),
       run_table(), slurm_table()},
      rules()};
  return schema;
}

}  // namespace plaq::jobs
