// The chain rule of HISQ links against paths that are cut open link by link, and against differences of
// functions of HISQ links.
#include "kernels/gauge/hisq_smearer.hpp"

#include <cmath>
#include <limits>

#include "core/system/error.hpp"
#include "kernels/gauge/hisq_links.hpp"
#include "tests/kernels/gauge/algebra_support.hpp"
#include "tests/reference/hisq_force.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/on_lattices.hpp"

namespace plaq::hisq_smearer_test {
namespace {

using reference::HisqTerm;
using reference::LinkMatrices;
using test::algebra_distance;
using test::to_plaq;
constexpr auto wide = Precision::double_precision;

double largest_of(const LinkMatrices& all) {
  double most = 0;
  for (const auto& at : all)
    for (const auto& m : at) most = std::max(most, reference::max_difference(m, {}));
  return most;
}

void set_gradient(Field& gradient, const LinkMatrices& a, const GeometryPtr& geometry) {
  reference::GaugeField matrices(test::lattice_of(*geometry));
  matrices.link = a;
  copy(gradient, to_plaq(matrices, geometry, wide, gradient.location()));
}

// Links in x with phases that nearly cancel in fat links: V_t = diag(sin^2 angle, sin^2 angle, 1), in a
// random gauge (tests/kernels/gauge/hisq_links_test.cpp).
reference::GaugeField nearly_singular(const reference::Lattice& lattice, double angle,
                                      reference::Generator& generator) {
  auto gauge = reference::unit_gauge(lattice);
  for (int x = 0; x < lattice.volume(); ++x) {
    auto& link = gauge.link[x][0];
    const double sign = lattice.coordinates(x)[3] % 2 == 0 ? 1 : -1;
    link(0, 0) = std::polar(1.0, sign * (std::acos(0.0) - angle));
    link(1, 1) = std::conj(link(0, 0));
  }
  return transformed(gauge, reference::random_transformation(lattice, generator));
}

struct Case {
  const char* name;
  reference::GaugeField gauge;
  std::vector<double> epsilons;
  double filter;
  double bound;  // of errors, relative to the largest element of the force
};
std::vector<Case> cases(const reference::Lattice& lattice, reference::Generator& generator) {
  const auto weak = weak_gauge(lattice, generator, 0.3);
  return {{"weak", weak, {0}, HisqSmearer::usual_filter, 1e-13},
          {"three masses", weak, {-0.23, 0.11, 0}, 0, 1e-13},
          {"filtered in part", random_gauge(lattice, generator), {0.3}, 0.02, 1e-11},
          {"unit", unit_gauge(lattice), {-0.4}, HisqSmearer::usual_filter, 1e-13}};
}

// The links and the force of a smearer on an extended geometry.
class OneForce {
 public:
  OneForce(const Case& of, const ProcessGrid& grid, const GeometryPtr& geometry, int depth, Location location)
      : case_(of),
        grid_(grid),
        geometry_(geometry),
        links_(to_plaq(of.gauge, geometry->extended(depth), wide, location)),
        smearer_(grid, links_.geometry_ptr(), geometry, of.epsilons, of.filter, Queue(location),
                 make_host_transport(grid, location)),
        force_(links_.geometry_ptr(), algebra_spec(wide, location)) {
    smearer_.smear(links_);
  }
  void carry_back(const std::vector<HisqTerm>& fat, const LinkMatrices& b) {
    smearer_.begin_force();
    for (std::size_t k = 0; k < fat.size(); ++k) set_gradient(smearer_.fat_gradient(k), fat[k].a, geometry_);
    set_gradient(smearer_.three_gradient(), b, geometry_);
    smearer_.carry_back(force_, links_);
    Queue(force_.location()).synchronize();
  }
  HisqSmearer& smearer() { return smearer_; }
  const Field& force() const { return force_; }
  std::vector<std::uint64_t> bits() const {
    auto bits = test::force_bits(force_, case_.gauge, grid_, geometry_);
    for (std::size_t k = 0; k < case_.epsilons.size(); ++k)
      bits.push_back(test::fingerprint(smearer_.fat(k), grid_));
    bits.push_back(test::fingerprint(smearer_.three(), grid_));
    return bits;
  }

 private:
  const Case& case_;
  const ProcessGrid& grid_;
  GeometryPtr geometry_;
  Field links_;
  HisqSmearer smearer_;
  Field force_;
};

class HisqForce : public test::OnLattices {};

TEST_P(HisqForce, MatchesPathsCutOpenWithTheSameBitsOnAnyGrid) {
  const reference::Lattice lattice{GetParam()};
  reference::Generator generator(91);
  test::Turns turns(2);
  for (const Case& one : cases(lattice, generator)) {
    SCOPED_TRACE(one.name);
    std::vector<HisqTerm> fat;
    for (const double epsilon : one.epsilons)
      fat.push_back({epsilon, random_matrices(lattice, generator).link});
    const LinkMatrices b = random_matrices(lattice, generator).link;
    if (!turns.mine()) continue;
    int filtered = 0;
    const auto expected = test::from_first_rank([&] {
      const auto found = hisq_force(one.gauge, fat, b, one.filter);
      filtered = found.filtered;
      return found.force;
    });
    filtered = test::from_first_rank([&] { return filtered; });
    EXPECT_EQ(filtered > 0, one.filter == 0.02);
    test::for_all_geometries(
        GetParam(), test::same_as_alone(GetParam(), [&](const ProcessGrid& grid, const GeometryPtr& geometry,
                                                        Location location) {
          OneForce made(one, grid, geometry, HisqSmearer::halo_depth, location);
          made.carry_back(fat, b);
          EXPECT_LT(algebra_distance(made.force(), geometry, expected), one.bound * largest_of(expected));
          EXPECT_EQ(made.smearer().take_filtered(), filtered);
          EXPECT_EQ(made.smearer().take_filtered(), 0);
          return made.bits();
        }));
  }
}

// Deeper halos, as other terms of an action need them.
TEST_P(HisqForce, DoesNotDependOnTheDepthOfTheHalo) {
  const reference::Lattice lattice{GetParam()};
  reference::Generator generator(92);
  const Case one = cases(lattice, generator).front();
  const std::vector<HisqTerm> fat{{0, random_matrices(lattice, generator).link}};
  const LinkMatrices b = random_matrices(lattice, generator).link;
  test::for_all_geometries(
      GetParam(), [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
        const auto bits = [&](int depth) {
          OneForce made(one, grid, geometry, depth, location);
          made.carry_back(fat, b);
          return made.bits();
        };
        for (int mu = 0; mu < 4; ++mu)
          if (geometry->partitioned(mu) && geometry->local()[static_cast<std::size_t>(mu)] < 4) return;
        EXPECT_EQ(bits(3), bits(2));
      });
}

TEST_P(HisqForce, IsOnTheLinksOfPropagators) {
  const reference::Lattice lattice{GetParam()};
  reference::Generator generator(93);
  const Case one = cases(lattice, generator)[1];
  test::for_some_geometries(
      GetParam(), [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
        OneForce made(one, grid, geometry, HisqSmearer::halo_depth, location);
        for (std::size_t k = 0; k < one.epsilons.size(); ++k) {
          const auto links = hisq_links(grid, to_plaq(one.gauge, geometry, wide, location), one.epsilons[k],
                                        wide, Queue(location), make_host_transport(grid, location));
          EXPECT_EQ(test::fingerprint(made.smearer().three(), grid), test::fingerprint(links.three, grid));
          EXPECT_EQ(made.smearer().fat(k).spec(), links.fat.spec());
          if (k == 0) {
            EXPECT_EQ(test::fingerprint(made.smearer().fat(k), grid), test::fingerprint(links.fat, grid));
          } else if (grid.size() == 1) {
            EXPECT_LT(test::distance(made.smearer().fat(k), test::to_reference(links.fat)), 1e-15);
          }
        }
      });
}

// Local extents of 2, split or not, included.
INSTANTIATE_TEST_SUITE_P(Extents, HisqForce, testing::Values(Extents{4, 4, 4, 4}, Extents{2, 4, 6, 4}),
                         test::by_extents);

TEST(HisqForceNearSingularLinks, IsFiniteAndCounted) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const Extents extents{4, 4, 2, 4};
  const reference::Lattice lattice{extents};
  const ProcessGrid grid(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto geometry = grid.geometry(extents);
  for (const Location location : test::locations())
    for (const double angle : {0.0, 1e-4, 0.05}) {
      SCOPED_TRACE(angle);
      reference::Generator generator(94);
      const Case one{
          "near", nearly_singular(lattice, angle, generator), {0}, HisqSmearer::usual_filter, 1e-9};
      const std::vector<HisqTerm> fat{{0, random_matrices(lattice, generator).link}};
      const LinkMatrices b = random_matrices(lattice, generator).link;
      OneForce made(one, grid, geometry, HisqSmearer::halo_depth, location);
      made.carry_back(fat, b);
      // Links in t, and in x where sin(angle)^2 is below the filter, too.
      const int directions = angle < 0.01 ? 2 : 1;
      EXPECT_EQ(made.smearer().take_filtered(), directions * lattice.volume());
      const auto found = force_size(grid, made.force(), Queue(location));
      EXPECT_TRUE(std::isfinite(found.largest));
      EXPECT_GT(found.largest, 1);
      if (angle > 0.01) {  // W is known to rounding over the product of two singular values, 6e-6
        const auto expected = hisq_force(one.gauge, fat, b, one.filter).force;
        EXPECT_LT(algebra_distance(made.force(), geometry, expected), one.bound * largest_of(expected));
      }
    }
}

// The force of quarks that use one epsilon and no long links, after one that used more.
TEST(HisqForces, DoNotRememberGradientsOfOthers) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const Extents extents{4, 2, 4, 2};
  const reference::Lattice lattice{extents};
  reference::Generator generator(95);
  const Case one = cases(lattice, generator)[1];
  std::vector<HisqTerm> fat;
  for (const double epsilon : one.epsilons)
    fat.push_back({epsilon, random_matrices(lattice, generator).link});
  const LinkMatrices b = random_matrices(lattice, generator).link, none(b.size());
  const ProcessGrid grid(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto geometry = grid.geometry(extents);
  for (const Location location : test::locations()) {
    OneForce made(one, grid, geometry, HisqSmearer::halo_depth, location);
    made.carry_back(fat, b);
    Field force(made.force().geometry_ptr(), made.force().spec());
    set_gradient(made.smearer().fat_gradient(1), fat[1].a, geometry);
    made.smearer().carry_back(force, to_plaq(one.gauge, geometry, wide, location));
    Queue(location).synchronize();
    const auto expected = hisq_force(one.gauge, {fat[1]}, none, 0).force;
    EXPECT_LT(algebra_distance(force, geometry, expected), one.bound * largest_of(expected));
    // Another force on the same links is added.
    set_gradient(made.smearer().fat_gradient(1), fat[1].a, geometry);
    made.smearer().carry_back(force, to_plaq(one.gauge, geometry, wide, location));
    Queue(location).synchronize();
    LinkMatrices twice = expected;
    for (auto& at : twice)
      for (auto& m : at) m = m + m;
    EXPECT_LT(algebra_distance(force, geometry, twice), one.bound * largest_of(twice));
  }
}

TEST(HisqSmearer, RefusesWrongNumbers) {
  const ProcessGrid grid(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto geometry = grid.geometry({2, 2, 2, 2});
  const auto made = [&](double epsilon, double filter) {
    HisqSmearer(grid, geometry, geometry, {0, epsilon}, filter, Queue(Location::host), nullptr);
  };
  constexpr double infinite = std::numeric_limits<double>::infinity();
  for (const double filter : {-1e-5, infinite, std::nan("")})
    test::expect_error(ErrorKind::job_file, "the filter of HISQ forces is", [&] { made(0.1, filter); });
  test::expect_error(ErrorKind::job_file, "epsilon", [&] { made(infinite, 0); });
}

// The slow force itself, by central differences of eighth order.
TEST(SlowHisqForce, IsTheDerivative) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const reference::Lattice lattice{{2, 4, 2, 2}};
  reference::Generator generator(96);
  const auto gauge = reference::weak_gauge(lattice, generator, 0.2);
  const std::vector<HisqTerm> fat{{-0.3, random_matrices(lattice, generator).link},
                                  {0.2, random_matrices(lattice, generator).link}};
  const LinkMatrices b = random_matrices(lattice, generator).link, t = random_direction(lattice, generator);
  const auto value = [&](double e) { return hisq_function(moved_along(gauge, t, e), fat, b); };
  const double h = 4e-3, c[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  double difference = 0;
  for (int j = 1; j <= 4; ++j) difference += c[j - 1] / h * (value(j * h) - value(-j * h));
  EXPECT_NEAR(derivative_along(t, hisq_force(gauge, fat, b, 0).force) / difference, 1, 1e-9);
}

}  // namespace
}  // namespace plaq::hisq_smearer_test
