// The kernels of the staggered hopping terms in one storage, for HopLaunch.
#pragma once

#include "kernels/dirac/hop/hop_launch_body.hpp"
#include "kernels/dirac/staggered/staggered_hop.hpp"
#include "kernels/dirac/staggered/staggered_launch.hpp"
#include "kernels/gauge/link_storage_launch.hpp"

namespace plaq {

template <class Target, class S, int Reconstruction>
struct StaggeredHops {
  using Call = StaggeredHopCall;
  static constexpr bool host = location_of<Target> == Location::host;
  static constexpr bool fuses = !host;
  static constexpr bool holds = false, tiles = false;
  // Right-hand sides for which a thread of a device keeps a link in registers; a core
  // of the host has it in its cache.
  static constexpr int held_width = host ? 1 : sizeof(S) == 8 ? 4 : 6;

  template <class F>
  static void with_hop(const Call& call, F&& f) {
    if (call.long_links != nullptr) return f(HopChoice<StaggeredHop<Target, S, Reconstruction, true>>());
    f(HopChoice<StaggeredHop<Target, S, Reconstruction, false>>());
  }

  template <class Hop>
  static Hop open(const Call& call) {
    using T = Compute<S>;
    constexpr bool improved = Hop::depth > 1;
    Hop hop;
    hop.links = gauge_view < Target, S, improved ? 18 : Reconstruction > (*call.links);
    if constexpr (improved) hop.long_links = gauge_view<Target, S, Reconstruction>(*call.long_links);
    hop.in = staggered_view<Target, S>(*call.in, 1 - call.parity);
    hop.out = staggered_view<Target, S>(*call.out, call.parity);
    if (call.add != nullptr) hop.x = staggered_view<Target, S>(*call.add, call.parity);
    hop.a = static_cast<T>(call.a);
    hop.b = static_cast<T>(call.b);
    return hop;
  }
  // Hops of three steps follow those of one.
  template <class Hop>
  static HopWeights<Compute<S>, Hop::hops, true> weights(const Call& call) {
    using T = Compute<S>;
    HopWeights<T, Hop::hops, true> all;
    for (int d = 0; d < Hop::hops; ++d) {
      const bool is_long = d >= 8;
      const HopWeights<double>& w = is_long ? call.long_weights : call.weights;
      const double factor = static_cast<double>(is_long ? Hop::LongLinks::factor : Hop::Links::factor);
      all.inside[all.place(d)] = static_cast<T>(factor * w.inside[d % 8]);
      all.across[d] = static_cast<T>(factor * w.across[d % 8]);
    }
    return all;
  }
  static int first_on_face(const Call&) { return 0; }

  static std::string_view storage() { return storage_text(precision_of<S>, Reconstruction); }
  static std::string_view name(const Call& call, HopPart part) {
    static constexpr std::string_view names[2][3] = {
        {"staggered_hop", "staggered_hop interior", "staggered_hop fused"},
        {"improved_staggered_hop", "improved_staggered_hop interior", "improved_staggered_hop fused"}};
    return names[call.long_links != nullptr][static_cast<int>(part)];
  }
};

template <class Target, class S, int Reconstruction>
struct HopsOf<StaggeredHopCall, Target, S, Reconstruction> {
  using type = StaggeredHops<Target, S, Reconstruction>;
};

}  // namespace plaq
