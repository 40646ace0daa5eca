#include "core/field_views.hpp"
#include "core/launch.hpp"
#include "kernels/quark/smearing_launch.hpp"
#include "kernels/site/laplacian_face_pack.hpp"

namespace plaq {
namespace {

template <class Target, class T>
SpinorView<Target, T> face_view(const Halo& halo, int d, void* data) {
  const Layout& layout = halo.face_layout(d);
  return SpinorView<Target, T>({data, layout.size()});
}

template <class Target, class T, bool Ghosts, int Width>
void run_laplacian(const LaplacianCall& call, Region region, const Queue& queue) {
  const Geometry& geometry = call.in->geometry();
  const int batch = call.in->slots();
  for (int parity = 0; parity < 2; ++parity) {
    CovariantLaplacian<Target, T, Ghosts, Width> kernel;
    kernel.lattice = LatticeView<Target, T>(geometry);
    kernel.links = gauge_view<Target, T>(*call.links);
    kernel.in = spinor_view<Target, T>(*call.in, 1 - parity);
    kernel.here = spinor_view<Target, T>(*call.in, parity);
    kernel.out = spinor_view<Target, T>(*call.out, parity);
    if constexpr (Ghosts) {
      for (int d = 0; d < 6; ++d)
        if (call.halo->exchanges(d / 2))
          kernel.ghost[d] = face_view<Target, T>(*call.halo, d, call.halo->receive(d));
    }
    kernel.a = static_cast<T>(call.a);
    kernel.b = static_cast<T>(call.b);
    kernel.parity = parity;
    kernel.batch = batch;
    kernel.first_ghost = batch * (1 - parity);
    const int groups = (batch + Width - 1) / Width;
    for_each(make_domain(geometry, region, parity, location_of<Target>, groups), queue, kernel);
  }
}

}  // namespace

template <class Target, class T>
void launch_laplacian(const LaplacianCall& call, Region region, const Queue& queue) {
  // Right-hand sides that share a link in registers; in double they no longer fit.
  constexpr int many = sizeof(T) == 4 ? 3 : 1;
  const bool ghosts = region == Region::boundary;
  return ghosts ? run_laplacian<Target, T, true, many>(call, region, queue)
                : run_laplacian<Target, T, false, many>(call, region, queue);
}

template <class Target, class T>
void launch_laplacian_pack(const LaplacianCall& call, const Queue& queue) {
  const Halo& halo = *call.halo;
  LaplacianFacePack<Target, T> pack;
  pack.lattice = LatticeView<Target, T>(call.in->geometry());
  pack.links = gauge_view<Target, T>(*call.links);
  pack.even = spinor_view<Target, T>(*call.in, 0);
  pack.odd = spinor_view<Target, T>(*call.in, 1);
  for (int d = 0; d < 6; ++d)
    if (halo.exchanges(d / 2)) pack.send[d] = face_view<Target, T>(halo, d, halo.send(d));
  pack.batch = call.in->slots();
  for_each(index_domain(halo.largest_face(), 12 * pack.batch), queue, pack);
}

template void launch_laplacian<BuildTarget, float>(const LaplacianCall&, Region, const Queue&);
template void launch_laplacian<BuildTarget, double>(const LaplacianCall&, Region, const Queue&);
template void launch_laplacian_pack<BuildTarget, float>(const LaplacianCall&, const Queue&);
template void launch_laplacian_pack<BuildTarget, double>(const LaplacianCall&, const Queue&);

}  // namespace plaq
