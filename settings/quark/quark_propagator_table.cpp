#include "settings/quark/quark_propagator_table.hpp"

#include "settings/gauge/momentum_cut_keys.hpp"
#include "settings/schema/field.hpp"

namespace plaq::settings {

Table quark_propagator_table() {
  return {"quark_propagator",
          "The quark propagator in momentum space. The fields must be in Landau gauge (job type gaugefix).",
          joined<Key>({{field(&QuarkPropagatorKeys::max_n, "max_n",
                              "Largest |n| of the momenta 2 pi n / L in each direction of space, or of 2 pi "
                              "(n + 1/2) / L for antiperiodic quarks; L/2 is a limit too. Results are "
                              "averaged over permutations of equal axes and over reflections.")
                            .within(0, 2048)
                            .such_as("4")
                            .without("no propagator in momentum space")},
                       momentum_cut_keys(&QuarkPropagatorSettings::cuts),
                       {field(&QuarkPropagatorSettings::max_theta, "max_theta",
                              "Largest theta of Landau gauge (see job type gaugefix) of a field that counts "
                              "as fixed. A field above it ends the job.")
                            .between(0, 1)}})};
}

QuarkPropagatorSettings quark_propagator_settings(const Settings& settings) {
  auto found = settings.get<QuarkPropagatorSettings>();
  found.max_n = settings.get<QuarkPropagatorKeys>().max_n.value();
  return found;
}

}  // namespace plaq::settings
