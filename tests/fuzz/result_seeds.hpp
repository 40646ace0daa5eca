// Results with every kind of group, dataset and attribute.
#pragma once

#include <vector>

#include "jobs/results/results.hpp"

namespace plaq::fuzz {

inline std::vector<jobs::Results> result_seeds() {
  jobs::Results small, whole;
  small.group("/", {{"plaq_version", "0"}, {"job_type", "measure"}});
  whole.append(small);
  whole.group("/action", {{"kappa", 0.12}, {"boundary", std::vector<std::int64_t>{1, 1, 1, -1}}});
  whole.group("/action/deep/er", {{"count", std::int64_t{3}}, {"empty", std::vector<double>{}}});
  whole.numbered_group("/gauge", {{"file", "a"}, {"weights", std::vector<double>{0.1, -0.0}}});
  whole.dataset("/observables/plaquette", {}, std::vector{0.5}, {{"units", "1"}});
  whole.dataset("/correlators/pion", {2, 3}, std::vector{1., 2., 3., 4., 5., 6.},
                {{"axes", std::vector<std::string>{"source", "t"}}});
  whole.dataset("/solves/iterations", {2}, std::vector<std::int64_t>{-7, std::int64_t{1} << 60}, {});
  return {jobs::Results{}, small, whole};
}

}  // namespace plaq::fuzz
