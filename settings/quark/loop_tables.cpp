#include "settings/quark/loop_tables.hpp"

#include "settings/schema/field.hpp"

namespace plaq::settings {

Table loop_noise_table() {
  return {"noise",
          "The noise: independent numbers of modulus 1 for each site, spin and color.",
          {choice(&LoopNoise::type, "type",
                  "Z2: 1 and -1; Z4: also i and -i; U1: any phase. Each as likely as all others.",
                  {{"z2", Noise::z2}, {"z4", Noise::z4}, {"u1", Noise::u1}}),
           field(&LoopNoise::seed, "seed", "Key of the random numbers.").at_least(0).need("1"),
           field(&LoopNoise::vectors, "vectors",
                 "Noise vectors on each gauge field; results are kept one by one.")
               .within(1, 100000)}};
}

Table loop_dilution_table() {
  return {
      "dilution",
      "Parts of a noise vector that are solved for on their own: a solve for each. Errors fall with what is "
      "kept apart; with all of it loops are exact.",
      {field(&NoiseDilution::time, "time",
             "Time slices t modulo this number; 1: all together, the extent in time: each on its own. Must "
             "divide that extent.")
           .within(1, 4096),
       field(&NoiseDilution::space, "space", "The same of x, y and z; [2, 2, 2] are the corners of cubes.")
           .within(1, 4096),
       field(&NoiseDilution::even_odd, "even_odd",
             "Even and odd sites, by x + y + z + t: a checkerboard in space where time slices are apart."),
       field(&NoiseDilution::spin, "spin", "Each spin."),
       field(&NoiseDilution::color, "color", "Each color.")}};
}

}  // namespace plaq::settings
