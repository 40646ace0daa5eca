// Bodies of the launches in wilson_launch.hpp; each kernel source instantiates one precision.
#pragma once

#include "core/launch.hpp"
#include "kernels/dirac/wilson_launch.hpp"
#include "kernels/site/wilson_face_pack.hpp"
#include "kernels/site/wilson_hop.hpp"

namespace plaq {
namespace detail {

template <class Target, class T>
HalfSpinorView<Target, T> face_view(const Halo& halo, int d, void* data) {
  const Layout& layout = halo.face_layout(d);
  return HalfSpinorView<Target, T>(SiteArray<Target, T, 12>(data, layout.size(), layout.site_stride));
}

template <class Target, class T, bool Ghosts, int Width>
void run_wilson_hop(const WilsonHopCall& call, Region region, const Queue& queue) {
  const Geometry& geometry = call.in->geometry();
  const int batch = call.in->slots();
  WilsonHop<Target, T, Ghosts, Width> hop;
  hop.lattice = LatticeView<Target, T>(geometry);
  hop.links = gauge_view<Target, T>(*call.links);
  hop.in = spinor_view<Target, T>(*call.in, 1 - call.parity);
  hop.out = spinor_view<Target, T>(*call.out, call.parity);
  if (call.add != nullptr) hop.add = spinor_view<Target, T>(*call.add, call.parity);
  if constexpr (Ghosts) {
    for (int d = 0; d < 8; ++d)
      if (geometry.partitioned(d / 2))
        hop.ghosts.face[d] = face_view<Target, T>(*call.halo, d, call.halo->receive(d));
  }
  hop.weights = call.weights.as<T>();
  hop.a = static_cast<T>(call.a);
  hop.b = static_cast<T>(call.b);
  hop.parity = call.parity;
  hop.batch = batch;
  const int groups = (batch + Width - 1) / Width;
  for_each(make_domain(geometry, region, call.parity, location_of<Target>, groups), queue, hop);
}

}  // namespace detail

template <class Target, class T>
void launch_wilson_hop(const WilsonHopCall& call, Region region, const Queue& queue) {
  // Right-hand sides that share a link in registers; in double they no longer fit.
  constexpr int many = sizeof(T) == 4 ? 3 : 1;
  const bool ghosts = region == Region::boundary;
  if (call.in->slots() == 1) {
    return ghosts ? detail::run_wilson_hop<Target, T, true, 1>(call, region, queue)
                  : detail::run_wilson_hop<Target, T, false, 1>(call, region, queue);
  }
  return ghosts ? detail::run_wilson_hop<Target, T, true, many>(call, region, queue)
                : detail::run_wilson_hop<Target, T, false, many>(call, region, queue);
}

template <class Target, class T>
void launch_wilson_pack(const WilsonHopCall& call, const Queue& queue) {
  const Halo& halo = *call.halo;
  WilsonFacePack<Target, T> pack;
  pack.lattice = LatticeView<Target, T>(call.in->geometry());
  pack.links = gauge_view<Target, T>(*call.links);
  pack.in = spinor_view<Target, T>(*call.in, 1 - call.parity);
  for (int d = 0; d < 8; ++d)
    if (call.in->geometry().partitioned(d / 2))
      pack.send[d] = detail::face_view<Target, T>(halo, d, halo.send(d));
  pack.projector_sign = static_cast<T>(call.weights.projector_sign);
  pack.parity = 1 - call.parity;
  pack.batch = call.in->slots();
  for_each(index_domain(halo.largest_face(), 8 * pack.batch), queue, pack);
}

}  // namespace plaq
