// The table [three_point] and its rule.
#include <fmt/format.h>

#include <algorithm>

#include "core/system/error.hpp"
#include "jobs/dirac/dirac_keys.hpp"
#include "jobs/propagator/propagator_keys.hpp"
#include "jobs/propagator/source_kind.hpp"
#include "jobs/propagator/three_point_results.hpp"
#include "jobs/schema/common_keys.hpp"

namespace plaq::jobs {
namespace {

void check_three_point(Problems& problems, const ThreePointKeys& keys, const QuarkSmearingKeys& smearing,
                       const LatticeKeys& lattice, const JobFile& job) {
  if (!keys) return;
  if (action_of_any_mass(job)->spins() == 1)
    problems.add("three_point.insertions", "are of quarks with spin; staggered quarks have none");
  if (keys.sink_time == 0)
    problems.missing("three_point.sink_time", "time slices from source to sink; for example sink_time = 10");
  if (lattice.extents && keys.sink_time >= (*lattice.extents)[3])
    problems.add("three_point.sink_time",
                 fmt::format("time slices from the source are 1 to {}", (*lattice.extents)[3] - 1));
  if (has_nucleon(keys) && first_source(job)->is_noise())
    problems.add(
        "three_point.insertions",
        "of the proton need three quarks from one point, which noise gives only for two; take a point "
        "source");
  if (keys.smeared_sink && smearing.parameters.steps == 0)
    problems.add("three_point.smeared_sink", "needs [quark_smearing] with steps of at least 1");
}

}  // namespace

bool has_nucleon(const ThreePointKeys& keys) {
  return std::any_of(keys.insertions.begin(), keys.insertions.end(),
                     [](const std::string& word) { return word != "pion"; });
}

Insertion insertion_of(const std::string& word) {
  const auto at = std::find(std::begin(insertion_names), std::end(insertion_names), word);
  require(at != std::end(insertion_names), "an insertion of no name");
  return static_cast<Insertion>(at - std::begin(insertion_names));
}

Table three_point_table() {
  return {
      "three_point",
      "Three-point functions of local currents between source and a sink at momentum 0, at the momenta of "
      "[correlators]: one more solve of all columns for each insertion.",
      {field(
           &ThreePointKeys::insertions, "insertions",
           "Where the current is: on the quark of a pion that runs forward, on u or d of a proton, with P = "
           "(1 + gamma_t)/2 or polarized along z, P i gamma5 gamma_z. Currents: scalar, vector, axial, "
           "tensor, all components.")
           .one_of(std::vector<std::string>(std::begin(insertion_names), std::end(insertion_names)))
           .such_as("[\"proton_u\", \"proton_d\"]")
           .without("no three-point functions"),
       field(&ThreePointKeys::sink_time, "sink_time",
             "Time slices from source to sink; at least 1 where it counts.")
           .within(0, 4095),
       field(&ThreePointKeys::smeared_sink, "smeared_sink", "Smear the sink as [quark_smearing] says.")}};
}

Rule three_point_rule() {
  return {{"three_point.insertions", "three_point.sink_time", "three_point.smeared_sink", "action.type",
           "source.type", "quark_smearing.steps", "lattice.extents"},
          "Three-point functions are of quarks with spin, need a sink time, and of the proton no noise.",
          check_three_point};
}

}  // namespace plaq::jobs
