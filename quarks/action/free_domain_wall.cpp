#include "quarks/action/domain_wall_action.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace plaq {
namespace {

// On unit links gamma5 and i k-slash / |k| of one momentum are Pauli's sigma_3 and i sigma_1.
using Number = std::complex<double>;

// By the formula of kernels/dirac/domain_wall/domain_wall_quark.hpp, where omega_s - sigma_s is the same on
// all slices: H_s = gamma5 c_s, c_s = (omega_s + sigma_s) D_w / (2 + (omega_s - sigma_s) D_w) a number of one
// phase for all s, and gamma5 s(H) is that phase times s(|c|). `exact`: s(H) of an infinite Ls.
Number free_quark_of_walls(const DomainWallParameters& walls, Number d_w, bool exact) {
  Number c;
  double product = 1;
  for (std::size_t s = 0; s < walls.omega.size(); ++s) {
    c = (walls.omega[s] + walls.sigma[s]) * d_w / (2.0 + (walls.omega[s] - walls.sigma[s]) * d_w);
    product *= exact ? 0 : (1 - std::abs(c)) / (1 + std::abs(c));
  }
  const Number sign = c / std::abs(c) * ((1 - product) / (1 + product));
  return (1.0 - sign) / (1 + walls.mass + (1 - walls.mass) * sign);  // (1/D_ov - 1) / (1 - m)
}

// Solves D(m) psi = B of all slices for any weights: component 0 belongs to P_+, 1 to P_-.
FreeQuark solved_free_quark(const DomainWallParameters& walls, const std::array<double, 4>& k, Number d_w) {
  const auto Ls = static_cast<Eigen::Index>(walls.omega.size());
  const Number ik(0, d_w.imag()), kernel[2][2] = {{d_w.real(), ik}, {ik, d_w.real()}};
  Eigen::MatrixXcd wall = Eigen::MatrixXcd::Zero(2 * Ls, 2 * Ls), source = Eigen::MatrixXcd::Zero(2 * Ls, 2);
  for (Eigen::Index s = 0; s < Ls; ++s) {
    const double omega = walls.omega[static_cast<std::size_t>(s)],
                 sigma = walls.sigma[static_cast<std::size_t>(s)];
    const Eigen::Index from[2] = {(s + Ls - 1) % Ls, (s + 1) % Ls};  // of P_+, P_-
    const bool turns[2] = {s == 0, s == Ls - 1};
    for (Eigen::Index row = 0; row < 2; ++row)
      for (Eigen::Index column = 0; column < 2; ++column) {
        const double one = row == column ? 1 : 0;
        const Number hop = sigma * kernel[row][column] - one;
        wall(2 * s + row, 2 * s + column) += omega * kernel[row][column] + one;
        wall(2 * s + row, 2 * from[column] + column) += (turns[column] ? -walls.mass : 1.0) * hop;
        if (turns[column]) source(2 * s + row, column) -= hop;
      }
  }
  const Eigen::MatrixXcd psi = wall.partialPivLu().solve(source);
  // q = P_- psi_1 + P_+ psi_Ns
  const auto plus = psi.row(2 * (Ls - 1)), minus = psi.row(1);
  return {k, -((plus(1) + minus(0)) / 2.0).imag() / d_w.imag(), (plus(0) + minus(1)).real() / 2};
}

}  // namespace

FreeQuark free_domain_wall_quark(const DomainWallParameters& walls, const std::array<double, 4>& p,
                                 bool exact) {
  double scalar = -walls.m0, square = 0;
  std::array<double, 4> k{};
  bool commute = true;  // transfer matrices
  for (std::size_t mu = 0; mu < 4; ++mu) {
    const double hop = mu < 3 ? walls.nu / walls.xi : 1.0, half = std::sin(p[mu] / 2);
    scalar += hop * 2 * half * half;
    k[mu] = hop * std::sin(p[mu]);
    square += k[mu] * k[mu];
  }
  for (std::size_t s = 1; s < walls.omega.size(); ++s)
    commute = commute && walls.omega[s] - walls.sigma[s] == walls.omega[0] - walls.sigma[0];
  if (!commute) return solved_free_quark(walls, k, {scalar, std::max(std::sqrt(square), tiny_momentum)});
  return free_quark_of(k, [&](Number ik) { return free_quark_of_walls(walls, scalar + ik, exact); });
}

}  // namespace plaq
