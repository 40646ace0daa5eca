// The kernels of the Faddeev-Popov operator in one precision, for HopLaunch.
#pragma once

#include "kernels/dirac/hop/hop_launch_body.hpp"
#include "kernels/gauge/link_storage_launch.hpp"
#include "kernels/gluon/faddeev_popov_hop.hpp"
#include "kernels/gluon/faddeev_popov_launch.hpp"

namespace plaq {

template <class Target, class T>
struct FaddeevPopovHops {
  using Call = FaddeevPopovCall;
  static constexpr bool fuses = false, holds = false, tiles = false;
  static constexpr int held_width = 1;

  template <class F>
  static void with_hop(const Call&, F&& f) {
    f(HopChoice<FaddeevPopovHop<Target, T>>());
  }
  template <class Hop>
  static Hop open(const Call& call) {
    Hop hop;
    hop.links = gauge_view<Target, T>(*call.links);
    hop.in = color_matrix_view<Target, T>(*call.in, 1 - call.parity);
    hop.here = color_matrix_view<Target, T>(*call.add, call.parity);
    if (call.diagonal != nullptr) hop.diagonal = color_matrix_view<Target, T>(*call.diagonal, call.parity);
    hop.out = color_matrix_view<Target, T>(*call.out, call.parity);
    return hop;
  }
  static int first_on_face(const Call& call) { return call.in->subfields() * (1 - call.parity); }

  static std::string_view storage() { return storage_text(precision_of<T>, 18); }
  static std::string_view name(const Call&, HopPart part) {
    return part == HopPart::interior ? "faddeev_popov interior" : "faddeev_popov";
  }
};

template <class Target, class T>
struct HopsOf<FaddeevPopovCall, Target, T, 18> {
  using type = FaddeevPopovHops<Target, T>;
};

}  // namespace plaq
