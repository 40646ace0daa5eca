// for_each comes by every site of its domain once, reduce adds what is there exactly, on both machines.

#include "core/launch/dispatch.hpp"
#include "tests/core/field/field_support.hpp"
#include "tests/core/launch/launch_kernel.hpp"
#include "tests/support/locations.hpp"
#include "tests/support/shapes.hpp"

namespace plaq {
namespace {

using test::both_precisions;
using test::copied;
using test::with;

constexpr Region regions[] = {Region::all, Region::interior, Region::boundary};

Field make(const GeometryPtr& g, int subfields, Precision precision, Location location) {
  return Field(g, {Subset::full, 2, 1, subfields, precision, location});
}
Field on_host(const Field& f) { return copied(f, with(f.spec(), f.precision(), Location::host)); }

// Calls launch(kind) for the target and the scalar, and waits.
template <class Launch>
void run(const Queue& queue, Precision precision, Launch&& launch) {
  dispatch(queue.location(), precision, launch);
  queue.synchronize();
}

// Shapes, and one with more sites than a device block or a host thread's share.
std::vector<GeometryPtr> geometries() {
  auto all = test::geometries();
  all.push_back(Geometry::create({{10, 6, 14, 6}, {1, 1, 1, 1}, {0, 0, 0, 0}, 10}));
  return all;
}

// True if a launch over the region (counted by coordinates) comes by.
bool belongs(const Geometry& g, Region region, const Coordinates& c) {
  bool owned = true, inner = true;
  for (int mu = 0; mu < 4; ++mu) {
    const int x = c.x[mu] - g.shape().halo[mu], last = g.local()[mu] - 1;
    owned = owned && x >= 0 && x <= last;
    if (g.partitioned(mu)) inner = inner && x != 0 && x != last;
  }
  return owned && (region == Region::all || (region == Region::interior) == inner);
}

TEST(ForEach, ComesByEverySiteOnce) {
  for (const auto& g : geometries())
    for (const Location location : test::locations())
      for (const Precision precision : both_precisions)
        for (const Region region : regions)
          for (const int inner : {1, 2, 5}) {
            SCOPED_TRACE(test::describe(*g) + " region " + std::to_string(static_cast<int>(region)));
            const Field counts = make(g, inner, precision, location);
            const Queue queue(location);
            for (int parity = 0; parity < 2; ++parity)
              run(queue, precision, [&](auto kind) {
                using K = decltype(kind);
                test::launch_count_visits<typename K::target, typename K::scalar>(
                    counts, parity, make_domain(*g, region, parity, location, inner), queue);
              });
            test::expect_reals(on_host(counts), [&](int i, int parity, int s, int r) {
              const int once = belongs(*g, region, g->shape().coordinates(parity, s)) ? 1 : 0;
              return r == 0 ? once : r == 1 ? once * i : 0;
            });
          }
}

TEST(ForEach, KeepsToItsSubrange) {
  const auto g = Geometry::create({{10, 6, 14, 6}});  // 2520 sites of a parity
  std::mt19937 generator(4);
  for (const Location location : test::locations())
    for (const Precision precision : both_precisions)
      for (int round = 0; round < 100; ++round) {
        const int half = g->shape().half_volume;
        int begin = static_cast<int>(generator() % static_cast<unsigned>(half));
        int end = static_cast<int>(generator() % static_cast<unsigned>(half + 1));
        if (round % 3 == 0) end = std::min(half, begin + round % 9);  // short, or empty
        if (round == 1) begin = 0, end = half;
        const Field counts = make(g, 1, precision, location);
        const Queue queue(location);
        Domain domain = index_domain(end);
        domain.begin = begin;
        run(queue, precision, [&](auto kind) {
          using K = decltype(kind);
          test::launch_count_visits<typename K::target, typename K::scalar>(counts, 1, domain, queue);
        });
        const Field got = on_host(counts);
        for (int s = 0; s < half; ++s)
          ASSERT_EQ(get_real(got, 0, 1, s, 0), s >= begin && s < end ? 1 : 0)
              << begin << " to " << end << " at " << s;
      }
}

// Numbers over the whole range of a double (or float), as reduce meets them.
void fill(Field& host, unsigned seed, bool infinities, bool nan) {
  std::mt19937_64 generator(seed);
  const bool single = host.precision() == Precision::single_precision;
  test::for_reals(host, [&](int subfield, int parity, int s, int r) {
    if (r > 1) return;
    const double m = static_cast<double>(generator() >> 11) * 0x1p-53 - 0.5;
    const int range = single ? 250 : 2000;
    double x = std::ldexp(m, static_cast<int>(generator() % static_cast<unsigned>(range)) - range / 2);
    if (infinities && subfield == 1 && r == 0 && s == 7) x = std::numeric_limits<double>::infinity();
    if (nan && subfield == 2 && r == 1 && s == 3 && parity == 1) x = std::numeric_limits<double>::quiet_NaN();
    set_real(host, subfield, parity, s, r, x);
  });
}

void expect_same(double a, double b) {
  if (std::isnan(b)) {
    EXPECT_TRUE(std::isnan(a));
  } else {
    EXPECT_EQ(a, b);
  }
}

void expect_exact_sums(bool in_threads) {
  constexpr int inner = 3, first = 2;
  for (const auto& g : geometries())
    for (const Location location : test::locations())
      for (const Precision precision : both_precisions)
        for (const Region region : regions) {
          SCOPED_TRACE(test::describe(*g) + " region " + std::to_string(static_cast<int>(region)));
          Field host = make(g, inner, precision, Location::host);
          fill(host, 1, region != Region::interior, region == Region::all);
          const Field values = copied(host, with(host.spec(), precision, location));
          const Queue queue(location);
          SumBuffer sums(location, first + 2 * inner);
          sums.clear(queue, first + 2 * inner);
          std::vector<ExactSum> expected(first + 2 * inner);
          std::array<double, 2> expected_most{}, most{};
          for (int parity = 0; parity < 2; ++parity) {
            const Domain domain = make_domain(*g, region, parity, location, inner);
            dispatch(location, precision, [&](auto kind) {
              using K = decltype(kind);
              test::launch_sum<typename K::target, typename K::scalar>(values, parity, domain, sums, first,
                                                                       queue, in_threads);
              const auto m =
                  test::launch_max<typename K::target, typename K::scalar>(values, parity, domain, queue);
              for (std::size_t k = 0; k < 2; ++k)
                if (!(m[k] <= most[k]) && !std::isnan(most[k])) most[k] = m[k];
            });
            for (int s = 0; s < g->shape().half_volume; ++s) {
              if (!belongs(*g, region, g->shape().coordinates(parity, s))) continue;
              for (int i = 0; i < inner; ++i)
                for (int k = 0; k < 2; ++k) {
                  const double value = get_real(host, i, parity, s, k);
                  expected[first + 2 * i + k].add((1 + k) * value);
                  auto& largest = expected_most[k];
                  if (!(std::abs(value) <= largest) && !std::isnan(largest)) largest = std::abs(value);
                }
            }
          }
          const auto got = sums.fetch(queue, first + 2 * inner);
          for (std::size_t k = 0; k < got.size(); ++k) {
            auto canonical = expected[k];
            canonical.normalize();
            expect_same(got[k].round(), expected[k].round());
            for (int limb = 0; limb < ExactSum::size; ++limb)
              ASSERT_EQ(got[k].limb[limb], canonical.limb[limb]) << "sum " << k << " limb " << limb;
          }
          for (std::size_t k = 0; k < 2; ++k) expect_same(most[k], expected_most[k]);
        }
}

TEST(Reduce, IsTheExactSumOfAllValues) { expect_exact_sums(false); }
TEST(Reduce, IsTheExactSumByThreads) { expect_exact_sums(true); }

TEST(Reduce, AddsUpSubranges) {
  const auto g = Geometry::create({{10, 6, 14, 6}});
  const int half = g->shape().half_volume;
  for (const Location location : test::locations())
    for (const Precision precision : both_precisions) {
      Field host = make(g, 1, precision, Location::host);
      fill(host, 3, false, false);
      const Field values = copied(host, with(host.spec(), precision, location));
      const Queue queue(location);
      SumBuffer sums(location, 2);
      sums.clear(queue, 2);
      ExactSum expected;
      for (int s = 0; s < half; ++s) expected.add(get_real(host, 0, 0, s, 0));
      for (int begin = 0, end = 1; begin < half; begin = end, end = std::min(half, 3 * end + 1)) {
        Domain domain = index_domain(end);
        domain.begin = begin;
        dispatch(location, precision, [&](auto kind) {
          using K = decltype(kind);
          test::launch_sum<typename K::target, typename K::scalar>(values, 0, domain, sums, 0, queue);
        });
      }
      EXPECT_EQ(sums.fetch(queue, 1)[0].round(), expected.round());
      sums.clear(queue, 2);
      EXPECT_EQ(sums.fetch(queue, 2)[0].round(), 0);
    }
}

// More sites in a thread than ThreadSum takes at a time, of one size and over the whole range.
TEST(Reduce, ThreadsTakeManySites) {
  const auto g = Geometry::create({{32, 32, 32, 18}});
  const int half = g->shape().half_volume;
  for (const Location location : test::locations())
    for (const bool wide : {false, true}) {
      Field host = make(g, 1, Precision::double_precision, Location::host);
      std::mt19937_64 generator(6);
      std::array<ExactSum, 2> expected{};
      for (int s = 0; s < half; ++s)
        for (int k = 0; k < 2; ++k) {
          const double fraction = static_cast<double>(generator() >> 11) * 0x1p-53 - (k == 0 ? 0 : 0.5);
          const int exponent = wide ? static_cast<int>(generator() % 200) - 100 : 0;
          set_real(host, 0, 1, s, k, std::ldexp(fraction, exponent));
          expected[static_cast<std::size_t>(k)].add((1 + k) * get_real(host, 0, 1, s, k));
        }
      const Field values = copied(host, with(host.spec(), host.precision(), location));
      const Queue queue(location);
      for (const int blocks : {1, 3, 0}) {
        SumBuffer sums(location, 2);
        sums.clear(queue, 2);
        dispatch(location, Precision::double_precision, [&](auto kind) {
          using K = decltype(kind);
          test::launch_sum<typename K::target, typename K::scalar>(values, 1, index_domain(half), sums, 0,
                                                                   queue, true, blocks);
        });
        const auto got = sums.fetch(queue, 2);
        for (std::size_t k = 0; k < 2; ++k) {
          expected[k].normalize();
          for (int limb = 0; limb < ExactSum::size; ++limb)
            ASSERT_EQ(got[k].limb[limb], expected[k].limb[limb]) << k << ' ' << blocks << ' ' << limb;
        }
      }
    }
}

// Slices of 420 sites of one parity: no multiple of a block, a warp or a host's vector.
TEST(Reduce, RunsHaveSumsOfTheirOwn) {
  constexpr int inner = 3, first = 4;
  const auto g = Geometry::create({{10, 6, 14, 6}});
  const int runs = g->local()[3], sites = g->shape().half_volume, run = sites / runs;
  constexpr int per_run = 2 * inner;
  for (const Location location : test::locations())
    for (const Precision precision : both_precisions) {
      Field host = make(g, inner, precision, Location::host);
      fill(host, 5, true, false);
      const Field values = copied(host, with(host.spec(), precision, location));
      const Queue queue(location);
      const int count = first + runs * per_run;
      SumBuffer sums(location, count);
      sums.clear(queue, count);
      dispatch(location, precision, [&](auto kind) {
        using K = decltype(kind);
        test::launch_sum<typename K::target, typename K::scalar>(values, 1, index_domain(sites, inner, runs),
                                                                 sums, first, queue);
      });
      const auto got = sums.fetch(queue, count);
      for (int t = 0; t < runs; ++t)
        for (int k = 0; k < per_run; ++k) {
          ExactSum expected;
          for (int s = t * run; s < (t + 1) * run; ++s)
            expected.add((1 + k % 2) * get_real(host, k / 2, 1, s, k % 2));
          expect_same(got[first + t * per_run + k].round(), expected.round());
        }
      EXPECT_EQ(got[first - 1].round(), 0);
    }
}

}  // namespace
}  // namespace plaq
