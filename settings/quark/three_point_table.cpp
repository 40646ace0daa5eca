#include "settings/quark/three_point_table.hpp"

#include <algorithm>
#include <iterator>

#include "core/system/error.hpp"
#include "settings/schema/field.hpp"

namespace plaq::settings {
namespace {

Insertion insertion_of(const std::string& word) {
  const auto at = std::find(std::begin(insertion_names), std::end(insertion_names), word);
  require(at != std::end(insertion_names), "an insertion of no name");
  return static_cast<Insertion>(at - std::begin(insertion_names));
}

}  // namespace

ThreePointSettings ThreePointKeys::settings() const {
  ThreePointSettings found{.sink_time = sink_time};
  for (const std::string& word : insertions) found.insertions.push_back(insertion_of(word));
  return found;
}

bool ThreePointKeys::has_nucleon() const {
  return std::any_of(insertions.begin(), insertions.end(),
                     [](const std::string& word) { return word != insertion_names[0]; });
}

Table three_point_table() {
  return {"three_point",
          "Three-point functions of local currents, with the sink at momentum 0 and the current at the "
          "momenta of [correlators]. Each insertion takes one more solve of all columns.",
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
           field(&ThreePointKeys::smeared_sink, "smeared_sink",
                 "true: the sink is smeared as in [quark_smearing].")}};
}

}  // namespace plaq::settings
