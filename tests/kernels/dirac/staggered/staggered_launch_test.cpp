// Every launch that the tuner may choose for a staggered hopping term gives the same bits, those that hold
// links while right-hand sides pass, which devices use, here on the host as well.
#include <memory>

#include "core/launch/tuning.hpp"
#include "kernels/dirac/hop/hop_candidates.hpp"
#include "kernels/dirac/staggered/staggered_hops.hpp"
#include "tests/kernels/dirac/staggered/staggered_support.hpp"

namespace plaq {
namespace {

struct Case {
  Extents extents;
  bool improved;
};

// S in, hops launched as told by a tuner that knows nothing else.
std::vector<std::uint64_t> applied(const test::StaggeredProblem& p, const ProcessGrid& grid,
                                   const GeometryPtr& g, const LinkStorage& storage, const Field& in,
                                   const Launch* launch) {
  const Location location = in.location();
  const auto tuner = std::make_shared<Tuner>(TuneMode::on, Machine{location, "a machine", "none", "0"});
  if (launch != nullptr) {
    TuneEntry entry;
    entry.storage = storage_text(storage.precision, storage.reals);
    entry.local = g->local();
    entry.batch = in.subfields();
    entry.device = "a machine", entry.driver = "none", entry.build = "0";
    entry.launch = *launch;
    entry.kernel = p.improved ? "improved_staggered_hop" : "staggered_hop";
    tuner->add({&entry, 1});
  }
  const Queue queue(location, launch != nullptr ? tuner : nullptr);
  StaggeredSchur schur(test::make_staggered_hopping(p, grid, g, storage, queue), 0, in.subfields());
  Field out(g, in.spec());
  schur.apply(out, in);
  queue.synchronize();
  for (const TuneEntry& timed : tuner->take_new())
    EXPECT_EQ(timed.kernel.find("staggered"), std::string::npos) << "not used: " << to_string(*launch);
  return test::fingerprints(out, grid);
}

class StaggeredLaunches : public testing::TestWithParam<Case> {};

TEST_P(StaggeredLaunches, GiveTheSameBits) {
  const auto [extents, improved] = GetParam();
  const ProcessGrid grid(MPI_COMM_WORLD, {1, 1, 1, 1});
  const auto geometry = grid.geometry(extents);
  for (const int batch : {1, 2, 7}) {
    const auto p = test::make_staggered(extents, improved, batch);
    for (const Location location : test::locations())
      for (const auto& bound : test::staggered_bounds) {
        const bool wide = bound.precision == Precision::double_precision;
        const Field in = test::to_plaq(p.in, geometry, Subset::even, bound.precision, location);
        const auto expected = applied(p, grid, geometry, bound.storage(), in, nullptr);
        const int block = wide ? 128 : 256;
        HopCandidates candidates(location, block, location == Location::device ? 128 : 0);
        for (const Launch& launch : candidates.of(*geometry, Region::all, batch))
          EXPECT_EQ(applied(p, grid, geometry, bound.storage(), in, &launch), expected)
              << bound.name() << " " << to_string(launch);
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, StaggeredLaunches,
                         testing::Values(Case{{8, 4, 4, 6}, false}, Case{{6, 2, 10, 4}, false},
                                         Case{{8, 4, 4, 6}, true}),
                         [](const auto& info) {
                           return to_string(info.param.extents) + (info.param.improved ? "_improved" : "");
                         });

template <class S, int Reals, bool Improved>
void compare_held() {
  const Extents extents{8, 4, 4, 6};
  constexpr int batch = 6;
  const ProcessGrid grid(MPI_COMM_WORLD, {1, 1, 1, 1});
  const auto geometry = grid.geometry(extents);
  const auto p = test::make_staggered(extents, Improved, batch);
  const Queue queue(Location::host);
  const auto links = [&](const reference::GaugeField& gauge, int reals) {
    auto scaled = gauge;
    for (auto& site : scaled.link)
      for (auto& u : site) u = reference::Complex(reals == 18 ? 0.1 : 1.0) * u;
    return store_links(test::to_plaq(scaled, geometry, Precision::double_precision, Location::host),
                       {precision_of<S>, reals}, {}, queue);
  };
  const Field near = links(p.links.near, Improved ? 18 : Reals), far = links(p.links.far, Reals);
  const Field in = test::to_plaq(p.in, geometry, Subset::odd, precision_of<S>, Location::host);
  const Field add = test::to_plaq(p.in, geometry, Subset::even, precision_of<S>, Location::host);
  StaggeredHopCall call;
  call.links = &near;
  call.long_links = Improved ? &far : nullptr;
  call.in = &in;
  call.add = &add;
  for (int d = 0; d < 8; ++d) call.weights.across[d] = 1 + d, call.long_weights.across[d] = d % 3 - 0.5;
  call.long_weights.inside[0] = 0.3, call.long_weights.inside[1] = -0.7;
  call.a = 0.7, call.b = -0.25;
  call.active = ActiveSet(std::vector<char>{1, 0, 1, 1, 1, 1});
  const auto result = [&](auto&& run) {
    Field out = test::to_plaq(p.in, geometry, Subset::even, precision_of<S>, Location::host);
    call.out = &out;
    run();
    return test::fingerprints(out, grid);
  };
  const auto expected =
      result([&] { HopLaunch<StaggeredHopCall, Host, S, Reals>::sites(call, Region::all, queue); });
  for (const int width : {0, 1, 3}) {
    Launch launch;
    launch.width = width;
    const auto held = result([&] {
      using Hops = StaggeredHops<Host, S, Reals>;
      using Kernel = HopKernel<StaggeredHop<Host, S, Reals, Improved>, false, 4>;
      const auto kernel = detail::hop_kernel<Kernel, Hops>(call, false);
      detail::run_hop<4>(call, Region::all, queue, kernel, launch);
    });
    EXPECT_EQ(held, expected) << width;
  }
}

TEST(HeldStaggeredHop, Double18) { compare_held<double, 18, false>(); }
TEST(HeldStaggeredHop, Half12) { compare_held<Fixed16, 12, false>(); }
TEST(HeldStaggeredHop, Single8Improved) { compare_held<float, 8, true>(); }

}  // namespace
}  // namespace plaq
