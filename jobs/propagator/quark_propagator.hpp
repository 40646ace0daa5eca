// The quark propagator of Landau gauge in momentum space, [quark_propagator], from propagators of point sources:
//   S(p) = sum_x exp(-i p (x - x_source)) S(x, x_source)   (Skullerud, Williams, Phys. Rev. D 63 (2001) 054508),
// its traces over spin and color:
//
//   /quark_propagator/scalar   [momentum][real, imaginary]              (1/12) tr S(p)
//   /quark_propagator/vector   [momentum][direction][real, imaginary]   (1/12) tr gamma_mu S(p)
//
// of one source, averaged over the momenta of a row of QuarkMomenta, the vector turned to that of the row. With S = -i
// k-slash v + s in the mean, S^-1 = i k-slash A + B has A = v / (k^2 v^2 + s^2) and B = s / (k^2 v^2 + s^2): of means over
// configurations, which analysis makes.
#pragma once

#include <array>
#include <complex>
#include <vector>

#include "jobs/propagator/quark_momenta.hpp"
#include "jobs/results/results.hpp"
#include "jobs/run/job_context.hpp"
#include "kernels/quark/spin_matrices.hpp"

namespace plaq::jobs {

Table quark_propagator_table();
Rule quark_propagator_rule();

class QuarkPropagator {
 public:
  // `momenta` must outlive this object.
  QuarkPropagator(const JobContext& context, const QuarkMomenta& momenta);

  // Collective. Of the quark field of a point source at `position`; keeps what comes out.
  void add(const Field& quark, const Extents& position);
  // What was added since the last call, and forgets it.
  void move_to(Results& results);

 private:
  using Number = std::complex<double>;
  struct Point {
    Number scalar = 0;
    std::array<Number, 4> vector{};
  };
  void add_orbit(const MomentumOrbit& orbit, const Extents& position);

  const JobContext& context_;
  const QuarkMomenta& momenta_;
  int boundary_;  // sign in time
  SpinMatrices matrices_;
  std::vector<Point> points_;
};

}  // namespace plaq::jobs
