#include "settings/gauge/wilson_loops_table.hpp"

#include "observables/gauge/static_loop_settings.hpp"
#include "settings/schema/field.hpp"

namespace plaq::settings {

Table wilson_loops_table() {
  return {
      "wilson_loops",
      "Wilson loops W(r, t), for the static potential; measured when observables name them. Smear links in "
      "space with [link_smearing] spatial = true.",
      {field(&StaticLoopSettings::max_r, "max_r", "Largest coordinate of r.")
           .within(1, 4096)
           .such_as("8")
           .without("half of the smallest extent in space"),
       field(&StaticLoopSettings::max_t, "max_t", "Largest t.")
           .within(1, 4096)
           .such_as("8")
           .without("half of the extent in time"),
       field(&StaticLoopSettings::directions, "directions",
             "Steps of which r is a multiple, as x, y, z: along the axes and off them. Each is averaged over "
             "all directions that turns and reflections make of it.")
           .one_of({"100", "110", "111", "210", "211", "221"})
           .not_empty()}};
}

}  // namespace plaq::settings
