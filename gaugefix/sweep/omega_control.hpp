// The overrelaxation parameter, adapted while theta falls.
//
// Near the maximum overrelaxation is red-black successive overrelaxation, whose slowest mode falls by a
// factor lambda a sweep with (lambda + omega - 1)^2 = lambda omega^2 mu^2, mu that of plain relaxation
// squared; the best parameter is 2 / (1 + sqrt(1 - mu^2)), at which lambda = omega - 1 (Young 1954; Hageman,
// Young 1981, chapter 9). theta falls by lambda^2. Below the best omega the measured lambda gives mu, and so
// the next omega; at or above it lambda is omega - 1 whatever mu is, and omega is lowered a little.
#pragma once

namespace plaq {

class OmegaControl {
 public:
  struct Limits {
    double first = 1.7, least = 1.2, most = 1.99;
  };
  // Limits for a lattice of this largest extent. While theta falls slowly for other reasons than its slowest
  // mode, which happens early, omega would come too near to 2, from where it returns slowly. `most` is the
  // best omega for modes 36 times slower than those of the free Laplacian; modes of thermalised fields were
  // not slower.
  static Limits limits_of(int extent);

  explicit OmegaControl(const Limits& limits) : limits_(limits), omega_(limits.first) {}

  double omega() const { return omega_; }
  // theta after `sweeps` more sweeps with omega().
  void observe(int sweeps, double theta);
  // The next theta is not to be compared with the last one.
  void forget() { last_ = 0; }

 private:
  Limits limits_;
  double omega_;
  double last_ = 0;  // theta at the beginning of what is looked at; 0: nothing yet
  int sweeps_ = 0;   // since then
};

}  // namespace plaq
