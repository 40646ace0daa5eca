// A hopping term of many right-hand sides, which pass one after the other while the links of a site stay
// where they are: on a device in shared memory, since in registers they would leave room for half as many
// threads. The algebra and the bits are those of HopKernel.
#pragma once

#include "core/launch/shared_array.hpp"
#include "kernels/dirac/hop/hop_kernel.hpp"

namespace plaq {

template <class HopT, TimeLinks Time = TimeLinks::ordinary>
struct HeldHopKernel {
  using Kernel = HopKernel<HopT, false, 1, Time>;
  using Hop = HopT;
  using Arch = typename Kernel::Arch;
  using Site = typename Kernel::Site;
  using Point = typename Kernel::Point;
  using Neighbor = typename Kernel::Neighbor;
  using Packed = typename Hop::Links::Packed;
  using SharedNeighbor = typename Arch::SharedNeighbor;
  static constexpr int hops = Hop::hops;
  static constexpr int shared_bytes = hops * static_cast<int>(sizeof(Packed) + sizeof(SharedNeighbor));
  static constexpr int block_size = shared_array_threads(shared_bytes);
  // Threads of a multiprocessor: as many as if right-hand sides went one by one.
  static constexpr int min_blocks = Hop::template threads<1> * Hop::template blocks<1> / block_size;

  Kernel kernel;

  PLAQ_HD void operator()(const Site& site, int) const {
    const Point point = kernel.lattice.point(kernel.parity, site);
    SharedArray<typename Arch::Target, SharedNeighbor, hops, block_size> neighbors;
    SharedArray<typename Arch::Target, Packed, hops, block_size> links;
    for_each_hop(kernel.hop, [&](auto h) {
      const Neighbor n = kernel.neighbor(h, point);
      neighbors.put(h.number(), n);
      links.put(h.number(), packed(h, site, n));
    });
#pragma unroll 1
    for (int k = 0; k < kernel.active.count(); ++k) {
      neighbors.next_pass();
      links.next_pass();
      const int rhs = kernel.active[k];
      auto sum = Hop::zero();
      for_each_hop(kernel.hop, [&](auto h) {
        const Neighbor n = neighbors.get(h.number());
        const auto open =
            kernel.open_hop(h, point, n, [&] { return Hop::Links::unpack_raw(links.get(h.number())); });
        kernel.add_hop(
            h, point, rhs, n, open, [&] { return kernel.at_home(h, rhs, n); }, sum);
      });
      kernel.hop.finish(kernel.lattice, kernel.parity, site, rhs, sum);
    }
  }

 private:
  template <class H>
  PLAQ_HD Packed packed(H h, const Site& site, const Neighbor& n) const {
    using Unit = typename Kernel::Unit;
    if constexpr (Unit::template possible<H>) {
      if (Unit::all(Unit::of(h, kernel.weights, n.edge))) return {};
    }
    if constexpr (H::ahead) {
      return kernel.hop.links.load_packed(h.mu, kernel.parity, site);
    } else {
      return kernel.hop.links.load_packed(h.mu, 1 - kernel.parity, n);
    }
  }
};

}  // namespace plaq
