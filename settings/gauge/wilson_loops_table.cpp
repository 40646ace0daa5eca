#include "settings/gauge/wilson_loops_table.hpp"

#include "observables/gauge/static_loop_settings.hpp"
#include "settings/schema/field.hpp"

namespace plaq::settings {

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

}  // namespace plaq::settings
