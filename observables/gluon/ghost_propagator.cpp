#include "observables/gluon/ghost_propagator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>

#include "core/system/error.hpp"
#include "core/system/runs_dry.hpp"
#include "kernels/blas/blas.hpp"
#include "kernels/blas/krylov_operations.hpp"
#include "kernels/gluon/color_matrix_view.hpp"
#include "kernels/quark/plane_wave.hpp"
#include "solvers/krylov/hermitian_cg.hpp"

namespace plaq {
namespace {

constexpr int colors = 8;

using Generator = std::array<std::complex<double>, 9>;  // [row][column]

// T^a = lambda_a / 2.
std::array<Generator, colors> generators() {
  std::array<Generator, colors> t{};
  const std::complex<double> half = 0.5, i_half = {0, 0.5};
  const std::size_t pairs[3][3] = {{0, 0, 1}, {3, 0, 2}, {5, 1, 2}};  // first generator, row, column
  for (const auto& [a, row, column] : pairs) {
    t[a][3 * row + column] = t[a][3 * column + row] = half;
    t[a + 1][3 * row + column] = -i_half;
    t[a + 1][3 * column + row] = i_half;
  }
  t[2][0] = half;
  t[2][4] = -half;
  const double eighth = 0.5 / std::sqrt(3.0);
  t[7][0] = t[7][4] = eighth;
  t[7][8] = -2 * eighth;
  return t;
}

}  // namespace

GhostPropagator::GhostPropagator(const SharedLattice& lattice, const Field& gauge,
                                 const GhostSettings& settings)
    : lattice_(lattice),
      settings_(settings),
      matrix_(*lattice.grid, gauge, colors, lattice.queue, lattice.transport),
      solver_(std::make_unique<KrylovSolver>(std::make_unique<HermitianCg>(matrix_, colors), *lattice.grid,
                                             colors)),
      b_(gauge.geometry_ptr(), matrix_.spec(colors)),
      x_(gauge.geometry_ptr(), matrix_.spec(colors)),
      host_(gauge.geometry_ptr(), color_matrix_spec(colors, Location::host)) {}

// T^a exp(i p x) in right-hand side a; on the host, as all sources of quarks.
void GhostPropagator::fill_source(const Momentum4& n) {
  static const auto t = generators();
  const LatticeShape& shape = host_.geometry().shape();
  const Extents& extents = host_.geometry().global();
  for (int parity = 0; parity < 2 && !runs_dry(); ++parity)
    for (int site = 0; site < host_.layout().sites; ++site) {
      const Coordinates c = shape.coordinates(parity, site);
      Complex<double> wave{1, 0};
      for (int mu = 0; mu < 4; ++mu)
        wave = wave * plane_wave(n[static_cast<std::size_t>(mu)], shape.global_coordinate(c, mu),
                                 extents[static_cast<std::size_t>(mu)]);
      for (int a = 0; a < colors; ++a)
        for (int k = 0; k < 9; ++k) {
          const auto z = t[static_cast<std::size_t>(a)][static_cast<std::size_t>(k)] *
                         std::complex<double>(wave.re, wave.im);
          set_real(host_, a, parity, site, 2 * k, z.real());
          set_real(host_, a, parity, site, 2 * k + 1, z.imag());
        }
    }
  copy(b_, host_);
}

GhostPoint GhostPropagator::operator()(const Momentum4& n, const std::string& file) {
  require(n != Momentum4{}, "there is no ghost propagator at momentum 0");
  fill_source(n);
  matrix_.remove_constant(b_);  // what rounding has left of one
  SolverParameters parameters;
  parameters.tolerance = settings_.tolerance;
  parameters.max_iterations = settings_.max_iterations;
  parameters.zero_guess = true;
  const SolveReport report = solver_->solve(x_, b_, parameters);
  GhostPoint point;
  for (const SolveResult& result : report.results) {
    point.true_residual = std::max(point.true_residual, result.residual_norm / result.source_norm);
    point.iterations = std::max(point.iterations, result.iterations);
  }
  if (!report.converged() && !runs_dry())
    throw Error(
        ErrorKind::not_converged,
        fmt::format(
            "{}: the ghost propagator at n = ({}, {}, {}, {}) missed its tolerance {:g}: {:.3e} after {} "
            "iterations ({}); {}",
            file, n[0], n[1], n[2], n[3], settings_.tolerance, point.true_residual, point.iterations,
            name_of(report.reason()),
            report.reason() == StopReason::breakdown
                ? "the Faddeev-Popov operator has a negative eigenvalue: the field is not at a "
                  "maximum of the Landau gauge functional"
                : "is it fixed to Landau gauge well enough? gauge fixing to a lower theta helps"));
  // Each T^a exp(i p x) has the norm squared V/2.
  blas::Workspace work(lattice_.queue, colors);
  auto sums = blas::update_and_sum<blas::Dot>(work, std::vector<blas::Coefficients>(colors), {&b_, &x_});
  const auto dots = global_sums(*lattice_.grid, sums);
  const double norm = 0.5 * static_cast<double>(host_.geometry().global_volume());
  double sum = 0;
  for (std::size_t a = 0; a < colors; ++a) sum += dots[2 * a];
  point.propagator = sum / (colors * norm);
  return point;
}

}  // namespace plaq
