// gaugefix: Landau, Coulomb and maximally Abelian gauge.
#include <fmt/format.h>

#include <limits>

#include "jobs/run/saved_fields.hpp"
#include "jobs/schema/job_types.hpp"

namespace plaq::jobs {
namespace {

constexpr double many = 1e9;

void check_temperatures(const JobFile& job, std::vector<Problem>& problems) {
  if (job.real("annealing", "coldest") > job.real("annealing", "hottest"))
    problems.push_back({{"annealing", "coldest"},
                        "'coldest' in [annealing]: must not be above hottest: the temperature falls"});
}

void check_groups(const JobFile& job, std::vector<Problem>& problems) {
  const auto groups = job.integer("fixing", "groups");
  if (groups > job.integer("fixing", "copies"))
    problems.push_back(
        {{"fixing", "groups"}, "'groups' in [fixing]: more groups of ranks than gauge copies"});
}

Table fixing() {
  return {
      "fixing",
      "The gauge, and the gauge copies that are looked at.",
      {key::string("gauge",
                   "Largest sum of Re tr U over all links (landau) or over those in space, time slice by "
                   "time slice (coulomb), or of |U_ii|^2 over all links (maximally_abelian).")
           .one_of({"landau", "coulomb", "maximally_abelian"})
           .need("\"landau\""),
       key::real(
           "theta",
           "Gauge precision to reach: average over sites of tr Delta Delta^dagger / 3, in Coulomb gauge "
           "of the worst time slice; maximally Abelian: of sum |C_ij|^2 / 3. Judged in double.")
           .between(0, 1)
           .otherwise(1e-12),
       key::string("start",
                   "Where the first copy starts: at the links as they are, or at random on the gauge orbit, "
                   "as all others do.")
           .one_of({"links", "random"})
           .otherwise("links"),
       key::integer("seed", "Key of the random numbers; copy k has those of seed + k.")
           .within(0, static_cast<double>(std::numeric_limits<std::int32_t>::max()))
           .otherwise(1),
       key::integer("copies", "Gauge copies of each field; the one with the largest functional is kept.")
           .within(1, 100000)
           .otherwise(1),
       key::integer("at_once", "Copies that are swept over side by side; 0: as many as keep a GPU busy.")
           .within(0, 1024)
           .otherwise(0),
       key::integer("groups",
                    "Groups of ranks that take copies side by side, each with the whole lattice; 0: chosen.")
           .within(0, 100000)
           .otherwise(0),
       key::string(
           "precision",
           "Of the sweeps: links and transformation in single, links in single and transformation "
           "in double (mixed), or both in double. What a copy still lacks in theta is done in double.")
           .one_of({"single", "mixed", "double"})
           .otherwise("mixed"),
       key::integer("measure_every", "Sweeps from one look at functional and theta to the next.")
           .within(1, 1e6)
           .otherwise(20),
       key::integer("reproject_every",
                    "Sweeps from one projection of the transformation to SU(3) to the next.")
           .within(1, 1e6)
           .otherwise(100)}};
}

Table annealing() {
  return {"annealing",
          "First stage: simulated annealing, which leads to higher maxima.",
          {key::integer("steps", "Heatbath sweeps, each followed by microcanonical ones; 0: no annealing.")
               .within(0, many)
               .otherwise(0),
           key::real("hottest", "Temperature of the first step; it falls linearly.")
               .between(0, 1e6)
               .otherwise(4.0),
           key::real("coldest", "Temperature of the last step.").between(0, 1e6).otherwise(1e-4),
           key::integer("microcanonical", "Microcanonical sweeps after each heatbath sweep.")
               .within(0, 1000)
               .otherwise(3)}};
}

Table stochastic() {
  return {"stochastic",
          "Second stage: stochastic relaxation.",
          {key::integer("sweeps", "At most so many; fewer where theta is reached. 0: none.")
               .within(0, many)
               .otherwise(0),
           key::real("probability", "Of the square of the best SU(2) element instead of itself.")
               .within(0, 1)
               .otherwise(0.8)}};
}

Table overrelaxation() {
  return {
      "overrelaxation",
      "Last stage: overrelaxation until theta is reached.",
      {key::string("method",
                   "What is overrelaxed at a site: the element of SU(3) as a whole (group), or its subgroups "
                   "of SU(2) one by one, as most programs do, which takes many times the sweeps.")
           .one_of({"group", "subgroups"})
           .otherwise("group"),
       key::real("omega", "Overrelaxation parameter; 1: relaxation.")
           .within(1, 1.99)
           .without("adapted to how theta falls, on the first copy")
           .such_as("1.7"),
       key::integer("max_sweeps", "At most so many from one start.").within(1, many).otherwise(100000),
       key::integer("patience",
                    "A copy whose theta does not halve in so many sweeps is stuck: it gets stochastic "
                    "sweeps and an omega nearer to 1, and if that does not help another start.")
           .within(1, many)
           .otherwise(2000),
       key::integer("restarts", "Other starts for a copy that remains stuck.").within(0, 1000).otherwise(3)}};
}

Table output() {
  Table table{
      "output",
      "The results.",
      {key::string("file", "HDF5 file of functional, theta and sweeps of each copy.").need("\"landau.h5\""),
       key::flag("fields", "Also write each field as fixed, its best copy: DIRECTORY/GAUGE.FIELD.FORMAT.")
           .otherwise(true),
       key::flag("transformations",
                 "Also write the transformation of the best copy: DIRECTORY/GAUGE.FIELD.g.lime.")
           .otherwise(false),
       key::string("directory", "Where these go.").otherwise(".")}};
  for (Key& one : saved_field_keys()) table.keys.push_back(std::move(one));
  table.keys.push_back(overwrite_key());
  return table;
}

}  // namespace

const Schema& gaugefix_schema() {
  static const Schema schema = [] {
    Schema s{"gaugefix",
             "Fix gauge fields to Landau, Coulomb or maximally Abelian gauge, the best of one or more gauge "
             "copies.",
             {top_table("gaugefix"), lattice_table(LatticeFrom::file), gauge_files_table("of fixing"),
              fixing(), annealing(), stochastic(), overrelaxation(), output(), comms_table(), run_table()},
             common_rules()};
    s.rules.push_back({{{"annealing", "hottest"}, {"annealing", "coldest"}},
                       "The temperature falls from hottest to coldest.",
                       check_temperatures});
    s.rules.push_back({{{"fixing", "groups"}, {"fixing", "copies"}},
                       "There are no more groups of ranks than copies.",
                       check_groups});
    s.rules.push_back(saved_field_rule());
    return s;
  }();
  return schema;
}

}  // namespace plaq::jobs
