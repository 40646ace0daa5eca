// Link smearing against the slow reference, on every process grid.
#include "kernels/gauge/smearing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <utility>

#include "core/system/error.hpp"
#include "kernels/gauge/gradient_flow.hpp"
#include "kernels/gauge/observables.hpp"
#include "kernels/gauge/smearing_stability.hpp"
#include "tests/kernels/gauge/gauge_support.hpp"
#include "tests/reference/smearing.hpp"
#include "tests/support/world.hpp"

namespace plaq {
namespace {

using test::both_precisions;
using test::distance;
using test::for_all_grids;
using test::to_plaq;

// Every kind of smearing, two steps.
enum class Kind { ape, stout, hyp };
struct Scheme {
  const char* name;
  Kind kind;
  bool spatial;
};
constexpr Scheme schemes[] = {{"APE", Kind::ape, false},     {"APE in space", Kind::ape, true},
                              {"stout", Kind::stout, false}, {"stout in space", Kind::stout, true},
                              {"HYP", Kind::hyp, false},     {"HYP in space", Kind::hyp, true}};
constexpr double alpha = 0.55, rho = 0.13;
constexpr HypSmearing hyp{0.7, 0.55, 0.35};

void smear(LinkSmearer& smearing, const Scheme& kind, Field& field, int steps) {
  const Queue queue(field.location());
  switch (kind.kind) {
    case Kind::ape:
      smearing.apply(field, ApeSmearing{alpha, kind.spatial}, steps, queue);
      break;
    case Kind::stout:
      smearing.apply(field, StoutSmearing{rho, kind.spatial}, steps, queue);
      break;
    case Kind::hyp:
      smearing.apply(field, HypSmearing{hyp.alpha1, hyp.alpha2, hyp.alpha3, kind.spatial}, steps, queue);
      break;
  }
  queue.synchronize();
}

reference::GaugeField smeared(const reference::GaugeField& gauge, const Scheme& kind) {
  const int directions = kind.spatial ? 3 : 4;
  if (kind.kind == Kind::stout) return reference::stout_smeared(gauge, rho, directions);
  if (kind.kind == Kind::ape) return reference::ape_smeared(gauge, alpha, directions);
  return kind.spatial ? reference::hyp_smeared_in_space(gauge, hyp.alpha2, hyp.alpha3)
                      : reference::hyp_smeared(gauge, hyp.alpha1, hyp.alpha2, hyp.alpha3);
}

class Smearing : public testing::TestWithParam<Extents> {};

TEST_P(Smearing, MatchesTheReferenceHaloIncludedWithTheSameBitsOnAnyGrid) {
  reference::Generator generator(31);
  const auto hot = reference::random_gauge({GetParam()}, generator);
  const auto weak = reference::weak_gauge({GetParam()}, generator, 0.4);
  for (const auto* gauge : {&hot, &weak})
    for (const Scheme& kind : schemes) {
      const auto next = [&](const reference::GaugeField& from) {
        return test::links_from_first_rank(from.lattice, [&] { return smeared(from, kind); });
      };
      const auto once = next(*gauge), twice = next(once);
      SCOPED_TRACE(kind.name);
      for (const Precision precision : both_precisions)
        for_all_grids(
            GetParam(), test::same_as_alone(GetParam(), [&](const ProcessGrid& grid,
                                                            const GeometryPtr& geometry, Location location) {
              const bool single = precision == Precision::single_precision;
              Field field = to_plaq(*gauge, geometry, precision, location);
              LinkSmearer smearing(grid, field, make_host_transport(grid, field.location()));
              smear(smearing, kind, field, 1);
              const bool levels = kind.kind == Kind::hyp;  // each of a projection
              EXPECT_LT(distance(field, once), single ? (levels ? 2e-5 : 2e-6) : (levels ? 2e-14 : 4e-15));
              smear(smearing, kind, field, 1);
              // Singular values may be small: the projection of links that
              // differ by rounding differs by more.
              const bool projected = kind.kind != Kind::stout;
              EXPECT_LT(distance(field, twice),
                        single ? (projected ? 1e-4 : 4e-6) : (projected ? 2e-13 : 8e-15));
              smear(smearing, kind, field, 1);
              return test::fingerprint(field, grid);
            }));
    }
}

INSTANTIATE_TEST_SUITE_P(Extents, Smearing,
                         testing::Values(Extents{4, 4, 4, 4}, Extents{6, 2, 4, 8}, Extents{8, 4, 2, 2}),
                         [](const auto& info) { return to_string(info.param); });

TEST(SmearedLinks, TurnWithTheGaugeAndStayInSU3) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const Extents extents{4, 6, 2, 4};
  reference::Generator generator(33);
  const auto gauge = reference::weak_gauge({extents}, generator, 0.5);
  const auto g = reference::random_transformation({extents}, generator);
  const auto turned = reference::transformed(gauge, g);
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto geometry = self.geometry(extents);
  for (const Location location : test::locations())
    for (const Scheme& kind : schemes) {
      Field field = to_plaq(gauge, geometry, Precision::double_precision, location);
      Field other = to_plaq(turned, geometry, Precision::double_precision, location);
      const double before = average_plaquette(self, field, Queue(location)).spatial;
      LinkSmearer smearing(self, field, make_host_transport(self, field.location()));
      const auto version = field.version();
      smear(smearing, kind, field, 4);
      EXPECT_NE(field.version(), version);
      smear(smearing, kind, other, 4);
      EXPECT_LT(distance(other, reference::transformed(test::to_reference(field), g)), 3e-14) << kind.name;
      EXPECT_LT(unitarity_violation(self, field, Queue(location)), 1e-14) << kind.name;
      EXPECT_GT(average_plaquette(self, field, Queue(location)).spatial, before + 0.1) << kind.name;
      if (kind.spatial) {
        const auto after = test::to_reference(field);
        for (std::size_t x = 0; x < after.link.size(); ++x)
          EXPECT_EQ(reference::max_difference(after.link[x][3], gauge.link[x][3]), 0);
      }
    }
}

// A weak field of diag(exp(i a), exp(-i a), 1) whose a oscillates along the directions of `momentum` (bits),
// with links of the components v.
reference::GaugeField wave(unsigned momentum, const std::array<int, 4>& v) {
  reference::GaugeField gauge(reference::Lattice{{2, 2, 2, 2}});
  for (int site = 0; site < gauge.lattice.volume(); ++site) {
    const auto x = gauge.lattice.coordinates(site);
    int sign = 1;
    for (std::size_t d = 0; d < 4; ++d)
      if ((momentum >> d & 1) != 0 && x[d] == 1) sign = -sign;
    for (std::size_t mu = 0; mu < 4; ++mu) {
      auto& u = gauge.link[site][mu];
      const double a = 1e-4 * sign * v[mu];
      u = {};
      u(0, 0) = std::polar(1.0, a), u(1, 1) = std::polar(1.0, -a), u(2, 2) = 1;
    }
  }
  return gauge;
}

// Transverse waves at all momenta of 0 and pi: components of two links of `momentum`, or of one across.
double lowest_factor_found(int directions, const std::function<void(Field&, const ProcessGrid&)>& step) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  double lowest = 2;
  const auto try_wave = [&](unsigned momentum, const std::array<int, 4>& v, std::size_t mu) {
    const auto start = wave(momentum, v);
    Field field = to_plaq(start, self.geometry({2, 2, 2, 2}), Precision::double_precision, Location::host);
    step(field, self);
    const auto u = test::to_reference(field).link[0][mu];
    lowest = std::min(lowest, std::arg(u(0, 0)) / std::arg(start.link[0][mu](0, 0)));
  };
  for (unsigned momentum = 1; momentum < 1u << directions; ++momentum)
    for (std::size_t mu = 0; mu < static_cast<std::size_t>(directions); ++mu) {
      std::array<int, 4> v{};
      v[mu] = 1;
      if ((momentum >> mu & 1) == 0) {
        try_wave(momentum, v, mu);
        continue;
      }
      for (std::size_t nu = 0; nu < mu; ++nu) {
        if ((momentum >> nu & 1) == 0) continue;
        auto both = v;
        both[nu] = -1;
        try_wave(momentum, both, mu);
      }
    }
  return lowest;
}

TEST(SmearedLinks, LowestFactorsAreThoseOfWaves) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const auto smeared_by = [](const auto& parameters) {
    return [&](Field& field, const ProcessGrid& grid) {
      LinkSmearer(grid, field, make_host_transport(grid, Location::host))
          .apply(field, parameters, 1, Queue(Location::host));
    };
  };
  const auto expect_found = [&](const auto& parameters) {
    EXPECT_NEAR(lowest_factor(parameters),
                lowest_factor_found(parameters.spatial ? 3 : 4, smeared_by(parameters)), 1e-6);
  };
  for (const bool spatial : {false, true}) {
    expect_found(ApeSmearing{largest_alpha(spatial), spatial});
    EXPECT_NEAR(lowest_factor(ApeSmearing{largest_alpha(spatial), spatial}), -1, 0.005);
    expect_found(StoutSmearing{largest_rho(spatial), spatial});
    EXPECT_NEAR(lowest_factor(StoutSmearing{largest_rho(spatial), spatial}), -1, 0.005);
    for (const auto [a1, a2, a3] :
         {std::array{0.75, 0.6, 0.3}, {1.0, 1.0, 0.5}, {0.9, 0.1, 0.7}, {0.4, 0.9, 0.1}})
      expect_found(HypSmearing{a1, a2, a3, spatial});
  }
  for (const double epsilon : {0.1, largest_flow_step(), 0.16}) {
    const double found = lowest_factor_found(4, [&](Field& field, const ProcessGrid& grid) {
      GradientFlow(grid, field, make_host_transport(grid, Location::host))
          .step(field, epsilon, Queue(Location::host));
    });
    EXPECT_NEAR(lowest_factor_of_flow(epsilon), found, 1e-6);
  }
  EXPECT_GT(lowest_factor_of_flow(largest_flow_step()), -1);
  EXPECT_LT(lowest_factor_of_flow(0.158), -1);
}

// alpha = 0 and rho = 0 change nothing, and nor do no steps.
TEST(SmearedLinks, StayWhereNothingIsMixedIn) {
  const Extents extents{4, 2, 4, 6};
  reference::Generator generator(34);
  const auto gauge = reference::random_gauge({extents}, generator);
  for_all_grids(extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
    const Queue queue(location);
    Field field = to_plaq(gauge, geometry, Precision::double_precision, location);
    LinkSmearer smearing(grid, field, make_host_transport(grid, field.location()));
    const auto start = test::fingerprint(field, grid);
    smearing.apply(field, StoutSmearing{1}, 0, queue);
    smearing.apply(field, ApeSmearing{1}, 0, queue);
    smearing.apply(field, HypSmearing{}, 0, queue);
    EXPECT_EQ(test::fingerprint(field, grid), start);
    smearing.apply(field, StoutSmearing{0}, 3, queue);
    smearing.apply(field, ApeSmearing{0}, 3, queue);
    smearing.apply(field, HypSmearing{0, 0.6, 0.3}, 2, queue);
    smearing.apply(field, HypSmearing{0.75, 0, 0.3, true}, 2, queue);
    EXPECT_LT(distance(field, gauge), 1e-14);
  });
}

// Links diag(1, s, s), s = -1 at odd x for U_y and U_z: V of U_x is diag(1, 0, 0) for alpha = 3/4.
TEST(SmearedLinks, StayWhereTheProjectionIsNotDefined) {
  const Extents extents{4, 4, 4, 4};
  auto gauge = reference::unit_gauge({extents});
  for (int x = 0; x < gauge.lattice.volume(); ++x)
    if (gauge.lattice.coordinates(x)[0] % 2 == 1)
      for (std::size_t mu = 1; mu < 3; ++mu)
        for (int i = 1; i < 3; ++i) gauge.link[x][mu](i, i) = -1;
  reference::Generator generator(35);
  const auto turned =
      reference::transformed(gauge, reference::random_transformation(gauge.lattice, generator));
  for_all_grids(extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
    for (const reference::GaugeField* start : {&std::as_const(gauge), &turned})
      for (const Precision precision : both_precisions) {
        Field field = to_plaq(*start, geometry, precision, location);
        LinkSmearer(grid, field, make_host_transport(grid, field.location()))
            .apply(field, ApeSmearing{0.75}, 1, Queue(location));
        EXPECT_LT(distance(field, *start), precision == Precision::double_precision ? 1e-14 : 5e-6);
      }
  });
}

// A smeared link feels the links of the hypercubes that it is an edge of, and no others: one link that is
// changed is felt at distances 0 and 1 in directions across, and by links that begin at most one site behind
// it or end at most one ahead.
TEST(SmearedLinks, OfHypFeelTheirHypercubesAlone) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const Extents extents{6, 6, 6, 6};
  reference::Generator generator(36);
  const auto gauge = reference::weak_gauge({extents}, generator, 0.5);
  auto changed = gauge;
  const auto at = static_cast<std::size_t>(gauge.lattice.index({2, 3, 1, 2}));
  changed.link[at][1] = reference::random_gauge({extents}, generator).link[at][1];
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto geometry = self.geometry(extents);
  const auto smeared = [&](const reference::GaugeField& u) {
    Field field = to_plaq(u, geometry, Precision::double_precision, Location::host);
    LinkSmearer(self, field, nullptr).apply(field, HypSmearing{}, 1, Queue(Location::host));
    return test::to_reference(field);
  };
  const auto before = smeared(gauge), after = smeared(changed);
  int felt = 0;
  for (int x = 0; x < gauge.lattice.volume(); ++x)
    for (std::size_t mu = 0; mu < 4; ++mu) {
      const auto site = gauge.lattice.coordinates(x);
      const reference::Coordinates begin{2, 3, 1, 2};
      bool near = true;
      for (std::size_t nu = 0; nu < 4; ++nu) {
        const int ahead = (site[nu] - begin[nu] + 6) % 6, step = ahead > 3 ? ahead - 6 : ahead;
        // [step, step + (nu == mu)] and [0, nu == 1] within an interval of length 1.
        const int low = std::min(step, 0), high = std::max(step + (nu == mu ? 1 : 0), nu == 1 ? 1 : 0);
        near = near && high - low <= 1;
      }
      const double off = reference::max_difference(before.link[x][mu], after.link[x][mu]);
      if (near) {
        EXPECT_GT(off, 1e-6) << x << ' ' << mu;
        ++felt;
      } else {
        EXPECT_EQ(off, 0) << x << ' ' << mu;
      }
    }
  EXPECT_EQ(felt, 27 + 3 * 2 * 18);
}

TEST(SmearedLinks, WrongInputIsRefused) {
  const ProcessGrid grid(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto geometry = grid.geometry({4, 4, 4, 4});
  Field field(geometry, gauge_spec(Precision::double_precision, Location::host));
  Field other(geometry, gauge_spec(Precision::single_precision, Location::host));
  const Queue queue(Location::host);
  LinkSmearer smearing(grid, field, make_host_transport(grid, field.location()));
  EXPECT_THROW(smearing.apply(other, ApeSmearing{}, 1, queue), Error);
  EXPECT_THROW(smearing.apply(field, ApeSmearing{}, -1, queue), Error);
  EXPECT_THROW(smearing.apply(field, ApeSmearing{NAN}, 1, queue), Error);
  EXPECT_THROW(smearing.apply(field, StoutSmearing{INFINITY}, 1, queue), Error);
  for (const HypSmearing& wrong : {HypSmearing{NAN}, HypSmearing{0.1, NAN}, HypSmearing{0.1, 0.1, NAN}})
    EXPECT_THROW(smearing.apply(field, wrong, 1, queue), Error);
}

}  // namespace
}  // namespace plaq
