// propagator: quark propagators of sources and their correlators.
#include <fmt/format.h>

#include "jobs/correlators.hpp"
#include "jobs/job_file.hpp"
#include "jobs/job_types.hpp"
#include "jobs/link_smearing.hpp"

namespace plaq::jobs {
namespace {

void check_mass(const JobFile& job, std::vector<Problem>& problems) {
  const bool mass = job.has("action", "mass"), kappa = job.has("action", "kappa");
  if (mass && kappa)
    problems.push_back(
        {{"action", "kappa"},
         "'kappa' in [action]: 'mass' is given as well; give one of them (kappa = 1/(2(4 + mass)))"});
  if (!mass && !kappa)
    problems.push_back(
        {{"action", "kappa"},
         "missing key 'mass' or 'kappa' in [action]: the quark mass; for example kappa = 0.12"});
}

void check_boundary(const JobFile& job, std::vector<Problem>& problems) {
  for (const auto sign : job.integers("action", "boundary"))
    if (sign == 0)
      problems.push_back({{"action", "boundary"}, "'boundary' in [action]: found 0, each must be 1 or -1"});
}

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
  for (const auto& channel : job.strings("correlators", "channels"))
    if (is_baryon(channel))
      problems.push_back(
          {{"correlators", "channels"},
           fmt::format("'channels' in [correlators]: {} needs three quarks from one point, which "
                       "noise gives only for two; take a point source",
                       channel)});
  if (job.integer("correlators", "max_momentum_squared") > 0)
    problems.push_back(
        {{"correlators", "max_momentum_squared"},
         "'max_momentum_squared' in [correlators]: noise sources have momentum 0 alone, and other "
         "momenta average to 0; take a point source"});
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

void check_tolerance(const JobFile& job, std::vector<Problem>& problems) {
  constexpr double reachable = 1e-7;
  const double tolerance = job.real("solver", "tolerance");
  if (job.string("solver", "precision") == "single" && tolerance < reachable)
    problems.push_back(
        {{"solver", "tolerance"},
         fmt::format("'tolerance' in [solver]: {} is out of reach in single precision; at least "
                     "{}, or precision = \"double\"",
                     tolerance, reachable)});
}

Table gauge() {
  return {"gauge",
          "The gauge fields.",
          {key::strings("files",
                        "Gauge fields in the order of measurement; * and ? stand for many, sorted by name.")
               .not_empty()
               .need("[\"field.*.nersc\"]"),
           antiperiodic_key()}};
}

Table action() {
  return {"action",
          "The Dirac operator.",
          {key::string("type", "Discretisation.").one_of({"wilson"}).otherwise("wilson"),
           key::real("mass", "Bare quark mass in lattice units; this or kappa.")
               .between(-4, 1000)
               .such_as("0.1666667")
               .without("mass or kappa needed"),
           key::real("kappa", "Hopping parameter 1/(2(4 + mass)); this or mass.")
               .between(0, 1000)
               .such_as("0.12")
               .without("mass or kappa needed")
               .show(),
           key::real("xi", "Anisotropy a_s/a_t of the lattice.").between(0, 1000).otherwise(1.0),
           key::real("nu", "Coefficient of the spatial hops of an anisotropic action.")
               .between(0, 1000)
               .otherwise(1.0),
           key::integers("boundary", "Sign of the quark field around the lattice in x, y, z, t: 1 or -1.")
               .of_length(4)
               .within(-1, 1)
               .otherwise(std::vector<std::int64_t>{1, 1, 1, -1})}};
}

Table source() {
  return {"source",
          "The sources; twelve right-hand sides each, column 3 * spin + color.",
          {key::string(
               "type",
               "Kind of source: a point, a wall (1 on a time slice), a momentum source (exp(i p x) on a time "
               "slice), noise on a time slice (Z2: 1 and -1, Z4: also i and -i), the same in all columns.")
               .one_of({"point", "wall", "momentum", "z2", "z4"})
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
  return {"correlators",
          "What is contracted.",
          {key::strings(
               "channels",
               "Two-point functions: mesons with gamma5 (pion), gamma_i (rho, averaged; rho_x, rho_y, "
               "rho_z), 1 (a0), gamma_i gamma5 (a1), gamma_i gamma_j (b1), sink gamma_t gamma5 and source "
               "gamma5 (axial_pseudoscalar, for the PCAC mass); the proton and its partner of negative "
               "parity.")
               .one_of(correlator_channels())
               .not_empty()
               .otherwise(std::vector<std::string>{"pion"}),
           key::integer("max_momentum_squared", "All momenta 2 pi n / L with n.n up to this.")
               .within(0, 100)
               .otherwise(0),
           key::strings("sinks", "Sinks: as they are, and smeared as [quark_smearing] says.")
               .one_of({"point", "smeared"})
               .not_empty()
               .otherwise(std::vector<std::string>{"point"})}};
}

Table solver() {
  return {
      "solver",
      "The linear solves.",
      {key::string("method", "Conjugate gradients on the normal equations, or BiCGstab.")
           .one_of({"cg", "bicgstab"})
           .otherwise("cg"),
       key::string("precision", "Precision of the iteration; the residual is always checked in double.")
           .one_of({"double", "single"})
           .otherwise("double"),
       key::string("preconditioning", "Solve on the even sites alone, or on all.")
           .one_of({"even-odd", "none"})
           .otherwise("even-odd"),
       key::real("tolerance",
                 "Largest true residual ||b - M x|| / ||b|| of each right-hand side, recomputed in double "
                 "precision.")
           .between(0, 1)
           .otherwise(1e-10),
       key::integer("max_iterations", "Iterations after which a right-hand side is given up.")
           .within(1, 1e9)
           .otherwise(10000)}};
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
             {top_table("propagator"), lattice_table(LatticeFrom::file), gauge(), action(), source(),
              quark_smearing(),
              link_smearing_table("that smear the quarks; the Dirac operator has them as they are"), solver(),
              correlators(), output(), comms_table(), run_table()},
             common_rules()};
    const auto rule = [&](std::vector<KeyName> keys, std::string text, auto check) {
      s.rules.push_back({std::move(keys), std::move(text), check});
    };
    rule({{"action", "mass"}, {"action", "kappa"}},
         "One of mass and kappa must be given, not both: kappa = 1/(2(4 + mass)).", check_mass);
    rule({{"action", "boundary"}}, "Each sign must be 1 or -1, not 0.", check_boundary);
    rule({{"source", "position"}, {"lattice", "extents"}}, "The source must be on the lattice.",
         check_source);
    rule({{"source", "type"}, {"source", "seed"}}, "Noise needs a seed.", check_seed);
    rule({{"source", "type"}, {"correlators", "channels"}, {"correlators", "max_momentum_squared"}},
         "With noise there are mesons at momentum 0 alone.", check_noise);
    rule({{"quark_smearing", "steps"}, {"quark_smearing", "sigma"}, {"correlators", "sinks"}},
         "Smearing needs sigma, and a smeared sink needs smearing.", check_smearing);
    rule({{"solver", "precision"}, {"solver", "tolerance"}},
         "In single precision the tolerance must be at least 1e-7.", check_tolerance);
    return s;
  }();
  return schema;
}

}  // namespace plaq::jobs
