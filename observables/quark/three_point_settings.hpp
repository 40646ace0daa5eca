// The plain parameters and the values of three-point functions (observables/quark/three_point.hpp).
#pragma once

#include <string_view>
#include <vector>

#include "kernels/quark/momentum.hpp"
#include "observables/quark/bilinear_settings.hpp"

namespace plaq {

/// The place of the current: on the quark of a pion that runs forward; on u or d of a proton with
/// P = (1 + gamma_t)/2, or polarized along z, with P i gamma5 gamma_z.
enum class Insertion { pion, up, down, up_polarized, down_polarized };
/// Names in job files, in the order of Insertion.
inline constexpr std::string_view insertion_names[] = {"pion", "proton_u", "proton_d", "proton_u_polarized",
                                                       "proton_d_polarized"};

/// Settings of three-point functions.
struct ThreePointSettings {
  std::vector<Insertion> insertions = {};  ///< a solve of all columns each
  int sink_time = 0;                       ///< time slices from source to sink, at least 1
  std::vector<Momentum> momenta = {{}};    ///< q of the current, integers n
  std::vector<int> sink_times = {};        ///< several in the place of sink_time, if not empty
  Momentum sink_momentum = {};             ///< p' of the sink, integers n
  BilinearSettings bilinears = {};         ///< point-split operators beside the local currents

  /// All sink times.
  std::vector<int> times() const { return sink_times.empty() ? std::vector{sink_time} : sink_times; }
};

/// Three-point functions of one insertion at one sink time.
struct ThreePointFunctions {
  Insertion insertion;                 ///< place of the current
  Correlators values;                  ///< [current][momentum][t], t of the current, from the source
  std::vector<double> true_residuals;  ///< ||b - M x|| / ||b|| of the columns of the sequential propagator
  int sink_time = 0;                   ///< time slices from source to sink
  Bilinears bilinears = {};            ///< point-split operators
};

}  // namespace plaq
