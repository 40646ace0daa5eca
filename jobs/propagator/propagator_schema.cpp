// propagator: quark propagators of sources and their correlators.
#include <fmt/format.h>

#include "jobs/dirac/dirac_keys.hpp"
#include "jobs/propagator/correlators.hpp"
#include "jobs/propagator/residual_masses.hpp"
#include "jobs/run/link_smearing.hpp"
#include "jobs/schema/job_file.hpp"
#include "jobs/schema/job_types.hpp"

namespace plaq::jobs {
namespace {

void check_source(const JobFile& job, std::vector<Problem>& problems) {
  const auto extents = job.optional_four("lattice", "extents");
  if (!extents) return;
  const auto position = job.four("source", "position");
  for (std::size_t d = 0; d < 4; ++d)
    if (position[d] >= (*extents)[d])
      problems.push_back(
          {{"source", "position"},
           fmt::format("'position' in [source]: {} = {} is outside the lattice, must be 0 to {}", "xyzt"[d],
                       position[d], (*extents)[d] - 1)});
}

bool is_noise(const JobFile& job) {
  const auto& type = job.string("source", "type");
  return type == "z2" || type == "z4";
}

void check_seed(const JobFile& job, std::vector<Problem>& problems) {
  if (is_noise(job) && !job.has("source", "seed"))
    problems.push_back({{"source", "seed"},
                        fmt::format("missing key 'seed' in [source]: the random numbers of a {} source; for "
                                    "example seed = 1",
                                    job.string("source", "type"))});
}

void check_noise(const JobFile& job, std::vector<Problem>& problems) {
  if (!is_noise(job)) return;
  for (const auto& channel : channels_of(job)) {
    if (is_baryon(channel))
      problems.push_back(
          {{"correlators", "channels"},
           fmt::format("'channels' in [correlators]: {} needs three quarks from one point, which "
                       "noise gives only for two; take a point source",
                       channel)});
    if (is_staggered(channel) && channel != "pion_ps")
      problems.push_back({{"correlators", "channels"},
                          fmt::format("'channels' in [correlators]: the signs of {} average to 0 over the "
                                      "points of noise; take a point or a corner_wall source",
                                      channel)});
  }
  if (job.integer("correlators", "max_momentum_squared") > 0)
    problems.push_back(
        {{"correlators", "max_momentum_squared"},
         "'max_momentum_squared' in [correlators]: noise sources have momentum 0 alone, and other "
         "momenta average to 0; take a point source"});
}

// Channels, sources and smearing are of spinors, or of staggered quarks.
void check_quarks(const JobFile& job, std::vector<Problem>& problems) {
  const bool staggered = quark_kind(job) == QuarkKind::staggered;
  const std::string& type = job.string("action", "type");
  std::vector<std::string> wrong = channels_of(job);
  std::erase_if(wrong, [&](const auto& channel) { return is_staggered(channel) == staggered; });
  if (!wrong.empty())
    problems.push_back(
        {{"correlators", "channels"},
         fmt::format(
             "'channels' in [correlators]: of {}: {}; type = \"{}\" in [action] has {}",
             staggered ? "quarks with spin" : "staggered quarks", fmt::join(wrong, ", "), type,
             staggered ? "pion_ps, pion_sc, rho_vt, rho_pv and the like" : "pion, rho and the like")});
  if (!staggered && job.string("source", "type") == "corner_wall")
    problems.push_back(
        {{"source", "type"},
         fmt::format("'type' in [source]: corner_wall is of staggered quarks; for type = \"{}\" "
                     "in [action] there is wall",
                     type)});
  if (staggered && job.integer("quark_smearing", "steps") > 0)
    problems.push_back({{"quark_smearing", "steps"},
                        "'steps' in [quark_smearing]: Gaussian smearing by single steps mixes the tastes of "
                        "staggered quarks; leave it out, or take a corner_wall source"});
}

void check_smearing(const JobFile& job, std::vector<Problem>& problems) {
  const bool steps = job.integer("quark_smearing", "steps") > 0;
  if (steps && !job.has("quark_smearing", "sigma"))
    problems.push_back(
        {{"quark_smearing", "sigma"},
         "missing key 'sigma' in [quark_smearing]: the width, where steps is not 0; for example "
         "sigma = 2.0"});
  if (!steps && job.lists("correlators", "sinks", "smeared"))
    problems.push_back(
        {{"correlators", "sinks"},
         "'sinks' in [correlators]: \"smeared\" needs [quark_smearing] with steps of at least 1"});
}

Table source() {
  return {"source",
          "The sources; twelve right-hand sides each, column 3 * spin + color; of staggered quarks three.",
          {key::string(
               "type",
               "Kind of source: a point, a wall (1 on a time slice), a momentum source (exp(i p x) on a time "
               "slice), noise on a time slice (Z2: 1 and -1, Z4: also i and -i), the same in all columns; of "
               "staggered quarks also a corner wall (1 where x, y, z of a time slice are those of position "
               "modulo 2).")
               .one_of({"point", "wall", "corner_wall", "momentum", "z2", "z4"})
               .otherwise("point"),
           key::integers("position",
                         "Site of the first source: x, y, z, t; where it is no point, t alone counts, and "
                         "x, y, z as the origin of the momenta.")
               .of_length(4)
               .within(0, 4095)
               .otherwise(std::vector<std::int64_t>{0, 0, 0, 0}),
           key::integer("count", "Sources on each gauge field, one after the other; of noise: samples.")
               .within(1, 100000)
               .otherwise(1),
           key::integers("shift", "From each source to the next: x, y, z, t, around the lattice.")
               .of_length(4)
               .within(-4095, 4095)
               .otherwise(std::vector<std::int64_t>{0, 0, 0, 0}),
           key::integers("momentum", "Of a momentum source: n of p = 2 pi n / L in x, y, z.")
               .of_length(3)
               .within(-4095, 4095)
               .otherwise(std::vector<std::int64_t>{0, 0, 0}),
           key::integer("seed", "Of noise: key of the random numbers.").at_least(0).such_as("1")}};
}

Table quark_smearing() {
  return {
      "quark_smearing",
      "Gaussian smearing of quarks in space, psi <- psi + sigma^2/(4 steps) Laplacian psi, with the links of "
      "[link_smearing].",
      {key::integer("steps", "Times that it is applied; 0: no smearing.").within(0, 100000).otherwise(0),
       key::real("sigma", "Width in lattice units.").between(0, 1000).such_as("2.0"),
       key::flag("source", "Smear the source.").otherwise(true)}};
}

Table correlators() {
  Table table = {
      "correlators",
      "What is contracted.",
      {key::strings(
           "channels",
           "Two-point functions: mesons with gamma5 (pion), gamma_i (rho, averaged; rho_x, rho_y, "
           "rho_z), 1 (a0), gamma_i gamma5 (a1), gamma_i gamma_j (b1), sink gamma_t gamma5 and source "
           "gamma5 (axial_pseudoscalar, for the PCAC mass); the proton and its partner of negative "
           "parity. Of staggered quarks the local mesons: pion_ps, pion_sc, rho_vt and rho_pv (sums of "
           "_x, _y, _z).")
           .one_of(correlator_channels())
           .not_empty()
           .such_as("[\"pion\", \"rho\"]")
           .without("the pion; of staggered quarks pion_ps"),
       key::integer("max_momentum_squared", "All momenta 2 pi n / L with n.n up to this.")
           .within(0, 100)
           .otherwise(0),
       key::strings("sinks", "Sinks: as they are, and smeared as [quark_smearing] says.")
           .one_of({"point", "smeared"})
           .not_empty()
           .otherwise(std::vector<std::string>{"point"})}};
  for (Key& key : residual_mass_keys()) table.keys.push_back(std::move(key));
  return table;
}

Table output() {
  return {"output",
          "The results.",
          {key::string("file", "HDF5 file of the correlators.").need("\"pion.h5\""),
           key::string(
               "propagators",
               "Also write each propagator, in double precision, as FIELD.sK.prop.h5 or FIELD.sK.prop.lime: "
               "FIELD is the gauge file's name, K the number of the source.")
               .one_of({"none", "hdf5", "scidac"})
               .otherwise("none"),
           key::string("propagator_directory", "Where propagators go.").otherwise("."), overwrite_key()}};
}

}  // namespace

const Schema& propagator_schema() {
  static const Schema schema = [] {
    Schema s{"propagator",
             "Compute quark propagators from sources and their correlators, on one or more gauge fields.",
             {top_table("propagator"), lattice_table(LatticeFrom::file), gauge_files_table("of measurement"),
              action_table(MassKeys::one, Actions::all), source(), quark_smearing(),
              link_smearing_table("that smear the quarks; the Dirac operator has them as they are"),
              solver_table(), correlators(), output(), comms_table(), run_table()},
             common_rules()};
    const auto rule = [&](std::vector<KeyName> keys, std::string text, auto check) {
      s.rules.push_back({std::move(keys), std::move(text), check});
    };
    for (Rule& one : dirac_rules()) s.rules.push_back(std::move(one));
    rule({{"source", "position"}, {"lattice", "extents"}}, "The source must be on the lattice.",
         check_source);
    rule({{"source", "type"}, {"source", "seed"}}, "Noise needs a seed.", check_seed);
    rule({{"source", "type"}, {"correlators", "channels"}, {"correlators", "max_momentum_squared"}},
         "With noise there are mesons at momentum 0 alone.", check_noise);
    rule({{"action", "type"}, {"correlators", "channels"}, {"source", "type"}, {"quark_smearing", "steps"}},
         "Staggered quarks have channels of their own, corner walls, and no Gaussian smearing.",
         check_quarks);
    rule({{"quark_smearing", "steps"}, {"quark_smearing", "sigma"}, {"correlators", "sinks"}},
         "Smearing needs sigma, and a smeared sink needs smearing.", check_smearing);
    s.rules.push_back(residual_mass_rule());
    return s;
  }();
  return schema;
}

}  // namespace plaq::jobs
