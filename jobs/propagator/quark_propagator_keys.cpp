// The table [quark_propagator] and its rule.
#include "jobs/dirac/dirac_keys.hpp"
#include "jobs/propagator/propagator_keys.hpp"
#include "jobs/propagator/quark_propagator_results.hpp"
#include "jobs/propagator/source_kind.hpp"
#include "jobs/run/momentum_cut_keys.hpp"

namespace plaq::jobs {
namespace {

void check_quark_propagator(Problems& problems, const QuarkPropagatorKeys& keys,
                            const QuarkSmearingKeys& smearing, const JobFile& job) {
  if (!keys.max_n) return;
  if (action_of_any_mass(job)->spins() == 1)
    problems.add("quark_propagator.max_n",
                 "the propagator in momentum space is of quarks with spin, not of staggered ones");
  if (first_source(job)->type() != "point")
    problems.add("quark_propagator.max_n", "needs [source] type = \"point\"");
  if (smearing.source && smearing.parameters.steps > 0)
    problems.add("quark_propagator.max_n",
                 "needs a source as it is: source = false in [quark_smearing] smears the sink alone");
}

}  // namespace

Table quark_propagator_table() {
  return {"quark_propagator",
          "The quark propagator in momentum space, of fields in Landau gauge (job type gaugefix).",
          joined<Key>({{field(&QuarkPropagatorKeys::max_n, "max_n",
                              "Momenta 2 pi n / L, of antiperiodic quarks 2 pi (n + 1/2) / L, with |n| up to "
                              "this, and up to L/2, in each direction of space; averaged over permutations "
                              "of equal axes and over reflections.")
                            .within(0, 2048)
                            .such_as("4")
                            .without("no propagator in momentum space")},
                       momentum_cut_keys(&QuarkPropagatorKeys::cuts),
                       {field(&QuarkPropagatorKeys::max_theta, "max_theta",
                              "A field whose gauge precision theta of Landau gauge (as of a gaugefix job) is "
                              "above this is not fixed, and ends the job.")
                            .between(0, 1)}})};
}

Rule quark_propagator_rule() {
  return {{"quark_propagator.max_n", "action.type", "source.type", "quark_smearing.steps",
           "quark_smearing.source"},
          "The propagator in momentum space is of quarks with spin, from a point source that is not smeared.",
          check_quark_propagator};
}

}  // namespace plaq::jobs
