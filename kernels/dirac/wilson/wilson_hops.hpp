// The kernels of the Wilson hopping term in one storage, for HopLaunch.
#pragma once

#include "kernels/dirac/clover/clover_launch.hpp"
#include "kernels/dirac/hop/hop_launch_body.hpp"
#include "kernels/dirac/wilson/wilson_hop.hpp"
#include "kernels/dirac/wilson/wilson_launch.hpp"
#include "kernels/gauge/link_storage_launch.hpp"

namespace plaq {

template <class Target, class S, int Reconstruction>
struct WilsonHops {
  using Call = WilsonHopCall;
  using Hop = WilsonHop<Target, S, Reconstruction>;
  static constexpr bool host = location_of<Target> == Location::host;
  static constexpr bool fuses = !host;
  // In half precision threads hold eight links in shared memory. In single precision batches go by tiles,
  // which save fetches, not the instructions that hold half precision. In double neither leaves room for
  // enough threads; on the host a core's cache has all of it.
  static constexpr bool holds = !host && sizeof(S) == 2;
  static constexpr bool tiles = !host && sizeof(S) == 4;
  static constexpr int held_width = 1;

  // A link that may be needed is asked for too late, so a device has a kernel for the temporal gauge, in the
  // precisions that inner operators have. Eight reals are stored in another gauge.
  template <class F>
  static void with_hop([[maybe_unused]] const Call& call, F&& f) {
    constexpr TimeLinks edge = Reconstruction != 8 ? TimeLinks::either : TimeLinks::ordinary;
    if constexpr (host) return f(HopChoice<Hop, edge, edge>());
    if constexpr (!host && Reconstruction != 8 && sizeof(S) < 8) {
      if (call.weights.unit_inside) return f(HopChoice<Hop, TimeLinks::unit, edge>());
    }
    if constexpr (!host) f(HopChoice<Hop, TimeLinks::ordinary, edge>());
  }

  template <class>
  static Hop open(const Call& call) {
    using T = Compute<S>;
    Hop hop;
    hop.links = gauge_view<Target, S, Reconstruction>(*call.links);
    hop.in = spinor_view<Target, S>(*call.in, 1 - call.parity);
    hop.out = spinor_view<Target, S>(*call.out, call.parity);
    if (call.add != nullptr) hop.x = spinor_view<Target, S>(*call.add, call.parity);
    if (call.clover != nullptr) hop.clover = clover_view<Target, S>(*call.clover, call.parity);
    hop.clover_on_x = call.clover_on_add;
    hop.sign = static_cast<T>(call.projector_sign);
    hop.a = static_cast<T>(call.a);
    hop.b = static_cast<T>(call.b);
    return hop;
  }
  template <class>
  static auto weights(const Call& call) {
    return call.weights.template as<Compute<S>>(Hop::Links::factor);
  }
  static int first_on_face(const Call&) { return 0; }

  static std::string_view storage() { return storage_text(precision_of<S>, Reconstruction); }
  static std::string_view name(const Call& call, HopPart part) {
    static constexpr std::string_view names[2][2][3] = {
        {{"wilson_hop", "wilson_hop interior", "wilson_hop fused"},
         {"wilson_hop temporal gauge", "wilson_hop temporal gauge interior",
          "wilson_hop temporal gauge fused"}},
        {{"wilson_clover_hop", "wilson_clover_hop interior", "wilson_clover_hop fused"},
         {"wilson_clover_hop temporal gauge", "wilson_clover_hop temporal gauge interior",
          "wilson_clover_hop temporal gauge fused"}}};
    return names[call.clover != nullptr][call.weights.unit_inside][static_cast<int>(part)];
  }
};

template <class Target, class S, int Reconstruction>
struct HopsOf<WilsonHopCall, Target, S, Reconstruction> {
  using type = WilsonHops<Target, S, Reconstruction>;
};

}  // namespace plaq
