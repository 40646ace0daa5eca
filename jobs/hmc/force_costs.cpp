#include "jobs/hmc/force_costs.hpp"

namespace plaq::jobs {
namespace {

// Slices of the fifth dimension of its quarks.
double slices_of(const Term& term, const HmcSetup& setup) {
  if (!term.has_pseudofermion()) return 1;
  const DomainWallParameters* walls = setup.terms.quarks.at(term.quarks).walls();
  return walls ? walls->Ls() : 1;
}

// A force without its solves, for a slice.
double force_cost(const Term& term, const HmcSetup& setup) {
  const LoopWeights& gauge = setup.gauge;
  switch (term.kind) {
    case Term::Kind::gauge:
      return gauge.chair != 0 ? 30 : gauge.has_rectangles() ? 13 : 3;
    case Term::Kind::determinant:
      return 10;
    case Term::Kind::own:
      return 3;
    case Term::Kind::pair:  // outer products, and the clover term; a ratio of masses has two of them
      return setup.terms.heavier_masses.empty() || term.number == 0 ? 15 : 25;
    default: {  // rational functions: pairs of each pole and field, and the chain rule of HISQ links
      const StaggeredSea* staggered = setup.terms.quarks.at(term.quarks).staggered();
      return 15 * term.fields + (staggered && staggered->epsilon ? 100 : 0);
    }
  }
}

// An iteration of solves that take so many each. Those with multigrid make a cycle in each iteration, and few
// of them; pairs of flavours with large twists, and those of the heaviest mass, are solved without it.
double iteration_cost(const Term& term, const HmcSetup& setup, double iterations_of_a_solve) {
  constexpr double most_cycles = 60;
  if (term.number == 0 && !setup.terms.heavier_masses.empty()) return 1;
  return setup.solver.multigrid && term.kind == Term::Kind::pair && iterations_of_a_solve < most_cycles ? 20
                                                                                                        : 1;
}

}  // namespace

TrajectoryCost cost_of(const std::vector<double>& numbers, const HmcColumns& columns, const HmcSetup& setup,
                       const std::vector<TimeScale>& scales) {
  TrajectoryCost cost;
  cost.delta_h = columns.find(numbers, "delta_h");
  const auto updates = md_updates(scales, setup.length);
  const auto on = terms_on_scales(setup.terms).scales;
  for (std::size_t s = 0; s < on.size(); ++s) {
    cost.predicted.push_back(columns.find(numbers, HmcColumns::predicted_delta_h_of(s + 1)));
    const int count = count_forces(updates, static_cast<int>(s));
    double forces = 0;
    for (const Term& term : on[s]) {
      const double slices = slices_of(term, setup);
      forces += count * force_cost(term, setup) * slices;
      if (!term.has_pseudofermion()) continue;
      const double iterations = columns.find(numbers, "iterations_" + term.name);
      forces += iterations * term.fields * slices *
                iteration_cost(term, setup, iterations / (count + 2));  // H at both ends
    }
    cost.forces.push_back(forces);
  }
  return cost;
}

}  // namespace plaq::jobs
