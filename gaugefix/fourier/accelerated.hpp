// Landau and Coulomb gauge by ascent on the group: all g(x) change at once, along directions that are
// preconditioned in momentum space (Fourier acceleration: Davies et al., Phys. Rev. D 37 (1988) 1581) and
// conjugate (Cucchieri, Mendes, Nucl. Phys. B 471 (1996) 263). The number of iterations hardly grows with the
// lattice, that of sweeps (GaugeFixer) with its extent or worse.
//
// An iteration: r and the functional (ascent_kernels.hpp), z = P r (inverse_laplacian.hpp), the curvature
// along z and the scalar products; from them a step in the plane of z and the step before (ascent_step.hpp),
// found on the host, the one place where it waits; g <- exp(a z + b d) g. Gauge copies, in Coulomb gauge each
// of their time slices, are problems of their own; those that have arrived rest.
//
// r, z and d are in single precision whatever g is in: they are small where it matters.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "gaugefix/fourier/ascent_launch.hpp"
#include "gaugefix/fourier/ascent_step.hpp"
#include "gaugefix/fourier/inverse_laplacian.hpp"
#include "gaugefix/run/gauge_fixer.hpp"

namespace plaq {

struct AccelerationOptions {
  bool fourier = true;    // false: z = r
  bool conjugate = true;  // false: steepest ascent along z
};

struct AccelerationReport {
  int iterations = 0;  // steps
  bool converged = false;
  double worst_theta = 0;    // of the problems
  int steps_taken_back = 0;  // of all problems
};

class AcceleratedFixing {
 public:
  // Works on the g of `fixer`, which must outlive it, and which may sweep between its calls, but not keep()
  // copies. Some 20 to 50
  // sweeps of overrelaxation should have gone before. Throws Error(usage) for maximally Abelian gauge,
  // Error(device) where there is no cuFFT. Collective, as all of it is.
  AcceleratedFixing(GaugeFixer& fixer, std::shared_ptr<Transport> transport,
                    const AccelerationOptions& options = {});

  // Until theta (GaugeQuality) of each copy, in Coulomb gauge of each time slice, is below `theta`, or `most`
  // steps were taken. Starts again along the gradient, from g put back on SU(3).
  AccelerationReport run(double theta, int most);

 private:
  template <class Use>
  void with_precision(Use&& use) const;
  AscentCall ascent(int now) const;
  std::vector<AscentSums> measure(int now);
  std::vector<AscentSums> global(const std::vector<ExactSum>& here) const;
  void take(int now, const std::vector<AscentStep>& steps);

  GaugeFixer* fixer_;
  AccelerationOptions options_;
  Location location_;
  GeometryPtr geometry_;
  int copies_, slices_, all_slices_;           // slices: problems of a copy, on this rank and on all
  std::optional<InverseLaplacian> laplacian_;  // where options say so
  RowsLayout rows_;
  Halo halo_;  // of z
  std::array<Buffer, 2> r_;
  Buffer z_, d_, weights_, staged_weights_;
  std::array<Buffer, 4> ghost_g_;
  SumBuffer sums_;
};

}  // namespace plaq
