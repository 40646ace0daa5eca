// Temporal gauge (Clark et al. 2010, section 4.3): time links that are 1 are neither read nor multiplied, at
// home as in faces.
#pragma once

#include "core/launch/arch.hpp"

namespace plaq {

enum class TimeLinks {
  ordinary,  // read and multiplied, whatever they are
  unit,      // 1, but where hops cross the edge of the lattice
  either,    // as the weights say, asked at every site
};

// True if the link of a hop is 1; on the host lane by lane of a group of sites.
template <class Arch, TimeLinks Time>
struct UnitLinks {
  using Mask = typename Arch::Mask;

  template <class H>
  static constexpr bool possible = Time != TimeLinks::ordinary&& H{}.mu == 3;

  template <class H, class Weights, class Edge>
  static PLAQ_HD Mask of(H, [[maybe_unused]] const Weights& weights, [[maybe_unused]] Edge edge) {
    if constexpr (!possible<H>) {
      return Mask{};
    } else {
      return one_of(edge, weights.unit_across[H::ahead ? 0 : 1],
                    Time == TimeLinks::unit || weights.unit_inside);
    }
  }
  static PLAQ_HD bool all(bool unit) { return unit; }

 private:
  static PLAQ_HD bool one_of(bool edge, bool across, bool inside) { return edge ? across : inside; }

#if !defined(__CUDACC__)
  static constexpr LaneMask every_lane = static_cast<LaneMask>((std::uint64_t{1} << Arch::width) - 1);

 public:
  static PLAQ_HD bool all(LaneMask unit) { return unit == every_lane; }

 private:
  static PLAQ_HD LaneMask one_of(LaneMask edge, bool across, bool inside) {
    return (across ? edge : 0) | (inside ? every_lane & ~edge : 0);
  }
#endif
};

}  // namespace plaq
