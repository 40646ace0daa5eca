#include "settings/quark/loop_tables.hpp"

#include "settings/schema/field.hpp"

namespace plaq::settings {

Table loop_noise_table() {
  return {
      "noise",
      "The noise: an independent number of modulus 1 for each site, spin and color.",
      {choice(&LoopNoise::type, "type",
              "Noise numbers, all with the same probability. z2: 1 and -1; z4: also i and -i; u1: any phase.",
              {{"z2", Noise::z2}, {"z4", Noise::z4}, {"u1", Noise::u1}}),
       field(&LoopNoise::seed, "seed", "Seed of the random numbers.").at_least(0).need("1"),
       field(&LoopNoise::vectors, "vectors",
             "Number of noise vectors on each gauge field. The result of each vector is kept.")
           .within(1, 100000)}};
}

Table loop_dilution_table() {
  return {
      "dilution",
      "Dilution: parts of a noise vector that are solved separately. More parts reduce the errors. With all "
      "parts separate, the loops are exact.",
      {field(&NoiseDilution::time, "time",
             "Time slices are split by t modulo this number. 1: all together; the extent in time: each "
             "alone. The number must divide that extent.")
           .within(1, 4096),
       field(
           &NoiseDilution::space, "space",
           "Numbers by which x, y and z are split in the same way. [2, 2, 2] separates the corners of cubes.")
           .within(1, 4096),
       field(&NoiseDilution::even_odd, "even_odd",
             "true: even and odd sites, by x + y + z + t, are separate. With separate time slices this is a "
             "checkerboard in space."),
       field(&NoiseDilution::spin, "spin", "true: each spin is separate."),
       field(&NoiseDilution::color, "color", "true: each color is separate.")}};
}

}  // namespace plaq::settings
