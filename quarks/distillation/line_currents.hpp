// Currents on quark lines between modes of the Laplacian, as plain parameters.
#pragma once

#include <string>
#include <vector>

#include "kernels/quark/momentum.hpp"

namespace plaq {

/// Currents qbar Gamma D q of any Gamma, each D at each momentum.
struct LineCurrents {
  /// D: "1", or the word of one to three covariant derivatives (quarks/source/quark_derivative.hpp).
  std::vector<std::string> operators{"1"};
  std::vector<Momentum> momenta{{}};  ///< integers n of p = 2 pi n / L

  /// Number of all.
  std::size_t size() const { return operators.size() * momenta.size(); }
};

/// Fault of such operators: there are none, one is there twice, or is something else; empty: there is none.
std::string fault_of_operators(const std::vector<std::string>& operators);

}  // namespace plaq
