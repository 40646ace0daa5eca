// The hopping term that holds links while right-hand sides pass, which devices use, gives the bits of the one
// that does not, here on the host.
#include <gtest/gtest.h>

#include "kernels/dirac/wilson/wilson_hops.hpp"
#include "tests/kernels/dirac/wilson/wilson_storage_support.hpp"

namespace plaq {
namespace {

template <class S, int Reals>
void compare(test::Clover clover, test::Gauge links) {
  const Extents extents{8, 4, 4, 6};
  constexpr int batch = 5;
  const ProcessGrid grid(MPI_COMM_WORLD, {1, 1, 1, 1});
  const auto geometry = grid.geometry(extents);
  const auto problem = test::make_problem(extents, clover, batch, links);
  const Queue queue(Location::host);
  const Field gauge = test::to_plaq(problem.gauge, geometry, Precision::double_precision, Location::host);
  const Field in = test::to_plaq(problem.in, geometry, Subset::odd, precision_of<S>, Location::host);
  const Field add = test::to_plaq(problem.in, geometry, Subset::even, precision_of<S>, Location::host);
  const LinkStorage storage{precision_of<S>, Reals};
  const WilsonHopping hopping(grid, gauge, problem.ours, storage, queue,
                              make_host_transport(grid, Location::host));
  const auto blocks = make_clover_blocks(grid, gauge, hopping, CloverNeed::schur_symmetric, 0);
  const Field stored = store_links(gauge, storage, {}, queue);

  WilsonHopCall call;
  call.links = &stored;
  call.in = &in;
  call.add = &add;
  for (int mu = 0; mu < 4; ++mu) call.weights.inside[mu] = 1 + mu;
  for (int d = 0; d < 8; ++d) call.weights.across[d] = d % 3 == 0 ? -1 : 2;
  const bool temporal = links == test::Gauge::temporal;
  call.weights.unit_inside = temporal;
  call.a = 0.7, call.b = -0.25;
  call.active = ActiveSet(std::vector<char>{1, 0, 1, 1, 1});
  call.clover = blocks ? &blocks->inverse[0] : nullptr;
  const auto result = [&](auto&& run) {
    Field out = test::to_plaq(problem.in, geometry, Subset::even, precision_of<S>, Location::host);
    call.out = &out;
    run();
    return test::fingerprints(out, grid);
  };
  for (const bool on_add : {false, true}) {
    call.clover_on_add = on_add;
    const auto expected =
        result([&] { HopLaunch<WilsonHopCall, Host, S, Reals>::sites(call, Region::all, queue); });
    for (const int width : {0, 1, 3}) {
      Launch launch;
      launch.width = width;
      const auto held = result([&] {
        using Hops = WilsonHops<Host, S, Reals>;
        using Hop = typename Hops::template Hop<TimeLinks::either>;
        const auto kernel = detail::hop_kernel<HopKernel<Hop, false>, Hops>(call, false);
        detail::run_held<Hop>(call, Region::all, queue, {kernel}, launch);
      });
      EXPECT_EQ(held, expected) << width;
    }
  }
}

TEST(HeldHop, Double18) { compare<double, 18>(test::Clover::none, test::Gauge::random); }
TEST(HeldHop, Half12TemporalGauge) { compare<Fixed16, 12>(test::Clover::none, test::Gauge::temporal); }
TEST(HeldHop, Half12Clover) { compare<Fixed16, 12>(test::Clover::anisotropic, test::Gauge::random); }

}  // namespace
}  // namespace plaq
