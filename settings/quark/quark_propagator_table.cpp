#include "settings/quark/quark_propagator_table.hpp"

#include "settings/gauge/momentum_cut_keys.hpp"
#include "settings/schema/field.hpp"

namespace plaq::settings {

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
                       momentum_cut_keys(&QuarkPropagatorSettings::cuts),
                       {field(&QuarkPropagatorSettings::max_theta, "max_theta",
                              "A field whose gauge precision theta of Landau gauge (as of a gaugefix job) is "
                              "above this is not fixed, and ends the job.")
                            .between(0, 1)}})};
}

QuarkPropagatorSettings quark_propagator_settings(const Settings& settings) {
  auto found = settings.get<QuarkPropagatorSettings>();
  found.max_n = settings.get<QuarkPropagatorKeys>().max_n.value();
  return found;
}

}  // namespace plaq::settings
