// The quark propagator in momentum space of a propagator job, [quark_propagator]; momenta are rows of QuarkMomenta:
//
//   /quark_propagator/scalar   [momentum][real, imaginary]              of one source
//   /quark_propagator/vector   [momentum][direction][real, imaginary]
//   /quark_propagator/n, p, k  [momentum][direction]                    of the whole job
//   /quark_propagator/p_squared, k_squared, count, in_cylinder, in_cone, tree_vector, tree_scalar   [momentum]
//   /quark_propagator/tree_mass
#pragma once

#include <vector>

#include "jobs/results/results.hpp"
#include "jobs/schema/schema.hpp"
#include "observables/quark/quark_propagator.hpp"

namespace plaq::jobs {

Table quark_propagator_table();
Rule quark_propagator_rule();

Results describe(const QuarkMomenta& momenta);
void add_quark_propagator(Results& results, const std::vector<QuarkPropagatorPoint>& points);

}  // namespace plaq::jobs
