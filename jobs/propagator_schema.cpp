// propagator: quark propagator of a point source and its correlators.
#include <fmt/format.h>

#include "jobs/job_file.hpp"
#include "jobs/job_types.hpp"

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
          "The gauge field.",
          {key::string("file", "File of the gauge field.").need("\"field.000200.nersc\"")}};
}

Table action() {
  return {"action",
          "The Dirac operator.",
          {key::string("type", "Discretisation.").one_of({"wilson"}).otherwise("wilson"),
           key::real("mass", "Bare quark mass in lattice units; this or kappa.")
               .between(-4, 1000)
               .such_as("0.1666667"),
           key::real("kappa", "Hopping parameter 1/(2(4 + mass)); this or mass.")
               .between(0, 1000)
               .such_as("0.12"),
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
          "The source; one right-hand side for each spin and color.",
          {key::string("type", "Kind of source.").one_of({"point"}).otherwise("point"),
           key::integers("position", "Site of the source: x, y, z, t.")
               .of_length(4)
               .within(0, 4095)
               .otherwise(std::vector<std::int64_t>{0, 0, 0, 0})}};
}

Table solver() {
  return {"solver",
          "The linear solves.",
          {key::string("method", "Conjugate gradients on the normal equations, or BiCGstab.")
               .one_of({"cg", "bicgstab"})
               .otherwise("cg"),
           key::string("precision", "Precision of the iteration; the residual is always checked in double.")
               .one_of({"double", "single"})
               .otherwise("double"),
           key::string("preconditioning", "Solve on the even sites or on all.")
               .one_of({"even-odd", "none"})
               .otherwise("even-odd"),
           key::real("tolerance", "Largest true residual ||b - M x|| / ||b|| of each right-hand side.")
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
           key::strings("correlators", "Correlators at zero momentum to write.")
               .one_of({"pion"})
               .not_empty()
               .otherwise(std::vector<std::string>{"pion"}),
           overwrite_key()}};
}

}  // namespace

const Schema& propagator_schema() {
  static const Schema schema = [] {
    Schema s{"propagator",
             "Compute the quark propagator from a source and its correlators.",
             {top_table("propagator"), lattice_table(LatticeFrom::file), gauge(), action(), source(),
              solver(), output(), comms_table(), run_table()},
             common_rules()};
    s.rules.push_back({{{"action", "mass"}, {"action", "kappa"}}, check_mass});
    s.rules.push_back({{{"action", "boundary"}}, check_boundary});
    s.rules.push_back({{{"source", "position"}, {"lattice", "extents"}}, check_source});
    s.rules.push_back({{{"solver", "precision"}, {"solver", "tolerance"}}, check_tolerance});
    return s;
  }();
  return schema;
}

}  // namespace plaq::jobs
