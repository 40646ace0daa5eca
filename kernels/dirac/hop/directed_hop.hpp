// One of a site's directed hops: its direction, whether it goes ahead or behind, and how far.
#pragma once

#include <type_traits>
#include <utility>

#include "core/launch/target.hpp"

namespace plaq {

// Mu: std::integral_constant where the code of each direction is its own, int where all directions share it.
template <bool Ahead, int Steps, class Mu>
struct DirectedHop {
  static constexpr bool ahead = Ahead;
  static constexpr int steps = Steps;  // 1 or 3
  Mu mu;

  // The face that it may cross: 2 mu ahead, 2 mu + 1 behind.
  PLAQ_HD constexpr int face() const { return 2 * mu + (Ahead ? 0 : 1); }
  // Among all hops of a site: those of three steps follow from 8 on.
  PLAQ_HD constexpr int number() const { return (Steps == 1 ? 0 : 8) + face(); }
};

// Threads of a device's block where a thread has one right-hand side, computing in T: as Wilson and staggered
// quarks have it, whose fused launches are planned (kernels/dirac/hop/fused_shapes.hpp).
template <class T>
inline constexpr int hop_threads = sizeof(T) == 4 ? 256 : 128;

// By number.
template <int N>
using NumberedHop = DirectedHop<N % 2 == 0, (N < 8 ? 1 : 3), std::integral_constant<int, N % 8 / 2>>;

// True if a host runs the same code for all directions. A device unrolls them, so
// that loads of one wait for no other.
template <class Hop>
inline constexpr bool shares_directions =
    Hop::directions_alike&& std::is_same_v<typename Hop::Arch::Target, Host>;

// Directions that hop in every call: all, or where the call decides on time alone those in space. Their hops
// are not asked about, since loads behind a branch wait for it.
template <class Hop>
constexpr int sure_directions() {
  if constexpr (requires { Hop::least_directions; }) {
    return Hop::least_directions;
  } else {
    return Hop::directions();
  }
}

namespace detail {

template <int First, class F, int... N>
PLAQ_HD void unroll_hops(const F& f, std::integer_sequence<int, N...>) {
  (f(NumberedHop<First + N>()), ...);
}

template <int Steps, class Hop, class F>
void loop_over_hops(const Hop& hop, const F& f) {
  for (int mu = 0; mu < hop.directions(); ++mu) {
    f(DirectedHop<true, Steps, int>{mu});
    f(DirectedHop<false, Steps, int>{mu});
  }
}

}  // namespace detail

// f(h) for every directed hop of `Hop`, in the order of additions: by direction, ahead before behind, those
// of three steps last. Not by recursion: a compiler would copy the last hop
// through the inlining of all others.
template <class Hop, class F>
PLAQ_HD void for_each_hop(const Hop& hop, const F& f) {
  if constexpr (shares_directions<Hop>) {
    detail::loop_over_hops<1>(hop, f);
    if constexpr (Hop::depth > 1) detail::loop_over_hops<3>(hop, f);
  } else {
    constexpr int sure = 2 * sure_directions<Hop>();
    if constexpr (sure == 8 || sure == Hop::hops) {
      detail::unroll_hops<0>(f, std::make_integer_sequence<int, Hop::hops>());
    } else {
      static_assert(Hop::hops == 8 && sure == 6);
      detail::unroll_hops<0>(f, std::make_integer_sequence<int, sure>());
      if (hop.directions() == 4) detail::unroll_hops<sure>(f, std::make_integer_sequence<int, 8 - sure>());
    }
  }
}

}  // namespace plaq
