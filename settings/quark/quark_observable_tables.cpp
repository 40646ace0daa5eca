#include "settings/quark/quark_observable_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "core/system/error.hpp"
#include "settings/gauge/momentum_cut_keys.hpp"
#include "settings/quark/source_kind.hpp"
#include "settings/schema/field.hpp"

namespace plaq::settings {

Table loop_noise_table(bool of_fields) {
  Names<Noise> names;
  std::vector<std::string> meanings;
  for (const NoiseName& one : noise_names) {
    names.add(one.name, one.noise);
    meanings.push_back(fmt::format("{}: {}", one.name, one.numbers));
  }
  Table table{
      "noise",
      "The noise: an independent number of modulus 1 for each site, spin and color; of normal noise the "
      "square "
      "of the modulus is 1 on average.",
      {choice(&LoopNoise::type, "type", fmt::format("Noise numbers. {}.", fmt::join(meanings, "; ")), names),
       field(&LoopNoise::seed, "seed", "Seed of the random numbers.").at_least(0).need("1"),
       field(&LoopNoise::vectors, "vectors",
             "Number of noise vectors on each gauge field. The result of each vector is kept.")
           .within(1, 100000)}};
  if (of_fields)
    table.keys.push_back(field(&LoopNoiseOfFields::by_trajectory, "by_trajectory", by_trajectory_text));
  return table;
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
       field(&NoiseDilution::color, "color", "true: each color is separate."),
       field(&NoiseDilution::probing, "probing",
             "Number of Hadamard vectors of hierarchical probing, a power of 2, by whose signs the noise is "
             "multiplied. Each takes the solves of the other parts. 2 vectors remove the noise of sites at "
             "odd distances, 32 that of all at distances below 4, 512 below 8. Extents must be multiples of "
             "2, above 16 vectors of 4, above 256 of 8. 1: none.")
           .within(1, NoiseDilution::most_probing)}};
}

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

namespace {

Insertion insertion_of(const std::string& word) {
  const auto at = std::find(std::begin(insertion_names), std::end(insertion_names), word);
  require(at != std::end(insertion_names), "an insertion of no name");
  return static_cast<Insertion>(at - std::begin(insertion_names));
}

}  // namespace

ThreePointSettings ThreePointKeys::settings() const {
  ThreePointSettings found{.sink_time = sink_time, .sink_times = sink_times, .sink_momentum = sink_momentum};
  for (const std::string& word : insertions) found.insertions.push_back(insertion_of(word));
  found.bilinears = {.conserved = conserved, .derivatives = derivatives, .line_length = line_length};
  for (const std::string& word : line_directions)
    found.bilinears.line_directions.push_back(static_cast<int>(std::string("xyzt").find(word)));
  return found;
}

bool ThreePointKeys::has_nucleon() const {
  return std::any_of(insertions.begin(), insertions.end(),
                     [](const std::string& word) { return word != insertion_names[0]; });
}

Table three_point_table() {
  return {
      "three_point",
      "Three-point functions of local currents, with the sink at one momentum and the current at the "
      "momenta of [correlators]. Each insertion takes one more solve of all columns for each sink time.",
      {field(&ThreePointKeys::insertions, "insertions",
             "Quark that the current acts on: the forward quark of a pion, or u or d of a proton with P "
             "= (1 + gamma_t)/2, or polarized along z with P i gamma5 gamma_z. Currents: scalar, vector, "
             "axial and tensor, all components.")
           .one_of(std::vector<std::string>(std::begin(insertion_names), std::end(insertion_names)))
           .such_as("[\"proton_u\", \"proton_d\"]")
           .without("no three-point functions"),
       field(&ThreePointKeys::sink_time, "sink_time",
             "Number of time slices from source to sink. Three-point functions need at least 1.")
           .within(0, 4095),
       field(&ThreePointKeys::sink_times, "sink_times",
             "Several of these numbers in the place of sink_time, in rising order. Results have an axis of "
             "them, and each has the bits that it has alone.")
           .within(1, 4095)
           .such_as("[8, 10, 12]")
           .without("sink_time alone"),
       field(&ThreePointKeys::sink_momentum, "sink_momentum",
             "Momentum p' of the sink, integers n of 2 pi n / L. With a current of momentum q, the source's "
             "hadron has momentum p' + q.")
           .within(-2048, 2048),
       field(&ThreePointKeys::smeared_sink, "smeared_sink",
             "true: the sink is smeared as in [quark_smearing]."),
       field(
           &ThreePointKeys::conserved, "conserved",
           "true: also the conserved vector current, of Wilson and clover quarks, and vector and axial "
           "current of domain walls. The time component of the vector is the charge of the insertion without "
           "renormalisation."),
       field(&ThreePointKeys::derivatives, "derivatives",
             "Covariant derivatives qbar Gamma D ... D q, symmetric to the right and left, by the directions "
             "of "
             "one to three D: \"t\", \"zt\", \"xyz\". Each has all 16 Gamma.")
           .such_as("[\"t\", \"zt\"]")
           .without("no derivatives"),
       field(&ThreePointKeys::line_directions, "line_directions",
             "Directions of Wilson lines qbar(y) Gamma W q(y + z), straight, with all 16 Gamma.")
           .one_of({"x", "y", "z", "t"})
           .such_as("[\"z\"]")
           .without("no Wilson lines"),
       field(&ThreePointKeys::line_length, "line_length",
             "Longest Wilson line: z is -line_length to line_length, at most half of the lattice.")
           .within(0, 2048),
       choice(&ThreePointKeys::operator_links, "operator_links",
              "Links of derivatives and Wilson lines. action: those of the action, smeared as in "
              "[action_smearing]; gauge: those of the gauge field.",
              {{"action", OperatorLinks::action}, {"gauge", OperatorLinks::gauge}})}};
}

}  // namespace plaq::settings
