#include "settings/gauge/gauge_observable_tables.hpp"

#include <fmt/format.h>

#include "kernels/gauge/smearing_stability.hpp"
#include "observables/gauge/static_loops.hpp"
#include "settings/gauge/momentum_cut_keys.hpp"
#include "settings/schema/field.hpp"

namespace plaq::settings {

Table flow_table() {
  return {
      "flow",
      "The gradient flow (Luescher 2010), integrated by a third-order Runge-Kutta scheme. It is measured "
      "if [measure] observables contains flow.",
      {choice(&FlowRun::action, "action",
              "Action that the flow goes down: the Wilson action, the tree-level improved one (symanzik), or "
              "this one with the average of forces that makes the Zeuthen flow (Ramos, Sint 2016).",
              {{"wilson", FlowAction::wilson},
               {"symanzik", FlowAction::symanzik},
               {"zeuthen", FlowAction::zeuthen}})
           .such_as("\"zeuthen\"")
           .without("wilson"),
       field(&FlowRun::step, "step",
             "Step of the flow time, in units of a^2; the first one, with a tolerance. The symanzik flow "
             "needs less than 0.0942, and zeuthen less than 0.141.")
           .between(0, largest_flow_step())
           .otherwise(0.02),
       field(&FlowRun::t_max, "t_max", "Largest flow time, in units of a^2.")
           .between(0, 100000)
           .otherwise(4.0),
       field(&FlowRun::measure_interval, "measure_every", "Number of steps between two measurements.")
           .within(1, 1e9)
           .otherwise(5),
       field(&FlowRun::tolerance, "tolerance",
             "Largest error of a step on any link, by which steps adapt their length (Fritzsch, Ramos 2013). "
             "Times of measurement stay multiples of step and measure_every.")
           .between(1e-12, 0.1)
           .such_as("1e-6")
           .without("all steps are alike")}};
}

void check_flow(Problems& problems, const FlowRun& flow) {
  if (flow.step > flow.t_max)
    problems.add("flow.step",
                 fmt::format("{} is above t_max = {}: nothing would flow", flow.step, flow.t_max));
  if (flow.step >= largest_flow_step(flow.action))
    problems.add("flow.step", fmt::format("{} amplifies the highest momenta of this action; it must be less "
                                          "than {}",
                                          flow.step, largest_flow_step(flow.action)));
}

Rule flow_rule() {
  return {{"flow.step", "flow.t_max", "flow.action"},
          "step must not be larger than t_max, and be stable for the action.",
          check_flow};
}

Table wilson_loops_table() {
  return {"wilson_loops",
          "Wilson loops W(r, t) for the static potential. They are measured if [measure] observables "
          "contains wilson_loops. [link_smearing] spatial = true smears the spatial links.",
          {field(&StaticLoopSettings::max_r, "max_r", "Largest coordinate of the vector r.")
               .within(1, 4096)
               .such_as("8")
               .without("half of the smallest extent in space"),
           field(&StaticLoopSettings::max_t, "max_t", "Largest extent t in time.")
               .within(1, 4096)
               .such_as("8")
               .without("half of the extent in time"),
           field(&StaticLoopSettings::directions, "directions",
                 "Directions of r, as x, y, z: along the axes and off the axes. Loops are averaged over all "
                 "directions that rotations and reflections produce.")
               .one_of({"100", "110", "111", "210", "211", "221"})
               .not_empty()}};
}

void check_ghost(Problems& problems, const GluonSettings& gluon, const GhostSettings& ghost) {
  if (ghost.momenta != GhostMomenta::none && gluon.gauge != Gauge::landau)
    problems.add("ghost.momenta", "the ghost propagator needs Landau gauge; leave the table out");
}

Table gluon_table() {
  return {
      "gluon", "The gluon propagator and the momenta of both propagators.",
      joined<Key>(
          {{choice(&GluonSettings::gauge, "gauge",
                   "Gauge of the fields. landau: D(p^2) at four-momenta; coulomb: the equal-time propagators "
                   "at spatial momenta.",
                   {{"landau", Gauge::landau}, {"coulomb", Gauge::coulomb}})
                .need("\"landau\""),
            field(&GluonSettings::max_theta, "max_theta",
                  "Largest theta (see job type gaugefix) of a field that counts as fixed. A field above it "
                  "ends the job. Coulomb gauge: theta of the worst time slice.")
                .between(0, 1),
            field(&GluonSettings::max_n, "max_n",
                  "Largest |n| of the momenta 2 pi n / L in each direction of space; L/2 is a limit too. "
                  "Results are averaged over permutations of axes with equal extents and over reflections.")
                .within(0, 2048)},
           momentum_cut_keys(&GluonSettings::cuts, " Only Landau gauge has this key.",
                             " Coulomb gauge: from (1,1,1)."),
           {field(&GluonSettings::beta, "beta",
                  "6/g0^2. With this key, gluon propagators are those of the field A without the coupling.")
                .between(0, 1e9)
                .such_as("6.0")
                .without("gluon propagators are those of g0 A")}})};
}

Table ghost_table() {
  return {"ghost",
          "The ghost propagator in Landau gauge. Each momentum takes eight solves with the Faddeev-Popov "
          "operator.",
          {choice(&GhostSettings::momenta, "momenta",
                  "Momenta of the ghost propagator. cone: those that survive the cone cut and the cylinder "
                  "cut; cylinder: those that survive the cylinder cut; all: all but 0. One of several "
                  "equivalent momenta is taken.",
                  {{"none", GhostMomenta::none},
                   {"cone", GhostMomenta::cone},
                   {"cylinder", GhostMomenta::cylinder},
                   {"all", GhostMomenta::all}}),
           field(&GhostSettings::count, "count", "Number of these momenta, from the lowest on; 0: all.")
               .within(0, 1e6),
           field(&GhostSettings::tolerance, "tolerance",
                 "Relative residual ||b - M x|| / ||b|| to reach, in double precision.")
               .between(0, 1),
           field(&GhostSettings::max_iterations, "max_iterations",
                 "Largest number of iterations of conjugate gradients.")
               .within(1, 1e9)}};
}

Rule ghost_rule() {
  return {{"gluon.gauge", "ghost.momenta"}, "The ghost propagator needs Landau gauge.", check_ghost};
}

}  // namespace plaq::settings
