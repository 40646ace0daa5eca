// The kernels of the covariant Laplacian in one precision, for HopLaunch.
#pragma once

#include "kernels/dirac/hop/hop_launch_body.hpp"
#include "kernels/gauge/link_storage_launch.hpp"
#include "kernels/quark/gaussian_smearing.hpp"
#include "kernels/quark/laplacian_hop.hpp"

namespace plaq {

template <class Target, class T>
struct LaplacianHops {
  using Call = LaplacianCall;
  static constexpr bool fuses = false, holds = false, tiles = false;
  // Right-hand sides that share a link in registers of a device; in double they no longer fit.
  static constexpr int held_width = location_of<Target> == Location::device && sizeof(T) == 4 ? 3 : 1;

  template <class F>
  static void with_hop(const Call&, F&& f) {
    f(HopChoice<LaplacianHop<Target, T>>());
  }
  template <class Hop>
  static Hop open(const Call& call) {
    Hop hop;
    hop.links = gauge_view<Target, T>(*call.links);
    hop.in = spinor_view<Target, T>(*call.in, 1 - call.parity);
    hop.here = spinor_view<Target, T>(*call.add, call.parity);
    hop.out = spinor_view<Target, T>(*call.out, call.parity);
    hop.a = static_cast<T>(call.a);
    hop.b = static_cast<T>(call.b);
    return hop;
  }
  static int first_on_face(const Call& call) { return call.in->subfields() * (1 - call.parity); }

  static std::string_view storage() { return storage_text(precision_of<T>, 18); }
  static std::string_view name(const Call&, HopPart part) {
    return part == HopPart::interior ? "laplacian interior" : "laplacian";
  }
};

template <class Target, class T>
struct HopsOf<LaplacianCall, Target, T, 18> {
  using type = LaplacianHops<Target, T>;
};

}  // namespace plaq
