// What the tables [noise], [dilution] and [loops] say.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "jobs/schema/job_file.hpp"
#include "kernels/quark/noise_dilution.hpp"
#include "kernels/site/gamma_matrix.hpp"

namespace plaq::jobs {

struct LoopNoiseKeys {
  Noise type = Noise::z4;
  std::int64_t seed = 0;
  int vectors = 8;
};

struct LoopKeys {
  std::vector<std::string> currents;  // empty: all
  int max_momentum_squared = 0;
};

struct LoopCurrent {
  std::string name;
  GammaMatrix gamma;
};
// scalar, pseudoscalar, vector_x, ..., tensor_zt: all 16. Of staggered quarks the scalar alone.
const std::vector<LoopCurrent>& all_loop_currents();
std::vector<LoopCurrent> loop_currents(const JobFile& job);

}  // namespace plaq::jobs
