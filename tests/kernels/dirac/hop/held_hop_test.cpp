// Hopping terms that hold links while right-hand sides pass, which devices use, give the bits of those that
// do not, here on the host.
#include <gtest/gtest.h>

#include "kernels/dirac/staggered/staggered_hops.hpp"
#include "kernels/dirac/wilson/wilson_hops.hpp"
#include "tests/support/operators/staggered.hpp"
#include "tests/support/operators/wilson.hpp"

namespace plaq {
namespace {

using test::Clover, test::Gauge;

const Extents extents{8, 4, 4, 6};

struct HeldHop : testing::Test {
  ProcessGrid grid{MPI_COMM_SELF, {1, 1, 1, 1}};
  GeometryPtr geometry = grid.geometry(extents);
  Queue queue{Location::host};

  // held(launch) gives the bits of HopLaunch. All right-hand sides but the second are active.
  template <class S, int Reconstruction, class Call, class Held>
  void expect_same(Call& call, const test::OperatorProblem& p, int batch, const Held& held) {
    const auto v = test::random_vectors(p, batch);
    const auto field = [&](Subset subset) {
      return p.field(v, geometry, subset, precision_of<S>, Location::host);
    };
    const Field in = field(Subset::odd), add = field(Subset::even);
    call.in = &in;
    call.add = &add;
    call.a = 0.7, call.b = -0.25;
    std::vector<char> active(static_cast<std::size_t>(batch), 1);
    active[1] = 0;
    call.active = ActiveSet(active);
    const auto result = [&](auto&& run) {
      Field out = field(Subset::even);
      call.out = &out;
      run();
      return test::fingerprints(out, grid);
    };
    const auto expected =
        result([&] { HopLaunch<Call, Host, S, Reconstruction>::sites(call, Region::all, queue); });
    for (const int width : {0, 1, 3}) {
      Launch launch;
      launch.width = width;
      EXPECT_EQ(result([&] { held(launch); }), expected) << width;
    }
  }

  template <class S, int Reconstruction>
  void compare_wilson(Clover clover, Gauge links) {
    const auto p = test::make_wilson(extents, clover, links);
    const LinkStorage storage{precision_of<S>, Reconstruction};
    const Field gauge = test::to_plaq(p.gauge, geometry, Precision::double_precision, Location::host);
    const auto blocks =
        make_clover_blocks(grid, gauge, *test::make_hopping(p, {grid, geometry, storage, queue}),
                           CloverNeed::schur_symmetric, 0);
    const Field stored = store_links(gauge, storage, {}, queue);
    WilsonHopCall call;
    call.links = &stored;
    for (int d = 0; d < 8; ++d) call.weights.inside[d] = 1 + d;
    for (int d = 0; d < 8; ++d) call.weights.across[d] = d % 3 == 0 ? -1 : 2;
    call.weights.unit_inside = links == Gauge::temporal;
    call.clover = blocks ? &blocks->inverse[0] : nullptr;
    for (const bool on_add : {false, true}) {
      call.clover_on_add = on_add;
      expect_same<S, Reconstruction>(call, test::wilson_operator(p), 5, [&](const Launch& launch) {
        using Hops = WilsonHops<Host, S, Reconstruction>;
        using Hop = typename Hops::Hop;
        constexpr TimeLinks time = TimeLinks::either;
        const auto kernel = detail::hop_kernel<HopKernel<Hop, false, 1, time>, Hops>(call, false);
        detail::run_held<Hop, time>(call, Region::all, queue, {kernel}, launch);
      });
    }
  }

  template <class S, int Reconstruction, bool Improved>
  void compare_staggered() {
    const auto p = test::make_staggered(extents, Improved);
    const auto links = [&](reference::GaugeField gauge, int reals) {
      for (auto& site : gauge.link)
        for (auto& u : site) u = reference::Complex(reals == 18 ? 0.1 : 1.0) * u;
      return store_links(test::to_plaq(gauge, geometry, Precision::double_precision, Location::host),
                         {precision_of<S>, reals}, {}, queue);
    };
    const Field near = links(p.links.near, Improved ? 18 : Reconstruction),
                far = links(p.links.far, Reconstruction);
    StaggeredHopCall call;
    call.links = &near;
    call.long_links = Improved ? &far : nullptr;
    for (int d = 0; d < 8; ++d) {
      call.weights.inside[d] = d % 2 == 0 ? 1 : -1;
      call.weights.across[d] = 1 + d;
      call.long_weights.inside[d] = d % 2 == 0 ? 0.3 : -0.7;
      call.long_weights.across[d] = d % 3 - 0.5;
    }
    expect_same<S, Reconstruction>(call, test::staggered_operator(p), 6, [&](const Launch& launch) {
      using Hops = StaggeredHops<Host, S, Reconstruction>;
      using Kernel = HopKernel<StaggeredHop<Host, S, Reconstruction, Improved>, false, 4>;
      const auto kernel = detail::hop_kernel<Kernel, Hops>(call, false);
      detail::run_hop<4>(call, Region::all, queue, kernel, launch);
    });
  }
};

TEST_F(HeldHop, Double18) { compare_wilson<double, 18>(Clover::none, Gauge::random); }
TEST_F(HeldHop, Half12TemporalGauge) { compare_wilson<Fixed16, 12>(Clover::none, Gauge::temporal); }
TEST_F(HeldHop, Half12Clover) { compare_wilson<Fixed16, 12>(Clover::anisotropic, Gauge::random); }
TEST_F(HeldHop, StaggeredDouble18) { compare_staggered<double, 18, false>(); }
TEST_F(HeldHop, StaggeredHalf12) { compare_staggered<Fixed16, 12, false>(); }
TEST_F(HeldHop, StaggeredSingle8Improved) { compare_staggered<float, 8, true>(); }

}  // namespace
}  // namespace plaq
