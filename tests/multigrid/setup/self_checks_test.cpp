// Self-checks pass on hierarchies of all storages, and each fault fails the one that it belongs to, by name.
#include "multigrid/setup/self_checks.hpp"

#include <gtest/gtest.h>

#include "multigrid/hierarchy/near_null_vectors.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/operators/wilson_level.hpp"

namespace plaq {
namespace {

struct Built {
  test::WilsonSystem system;
  test::WilsonLevel level;
  MultigridSettings settings;
  Hierarchy hierarchy;

  // Three lattices; the last one of odd extents.
  Built(const ProcessGrid& grid, Precision storage, Location where, std::uint32_t forced = 0,
        int least_sites = 0)
      : system(grid, {8, 4, 4, 12}, test::random_sources({8, 4, 4, 12}, 1), -0.5, 0.3, where, forced),
        level(system, make_host_transport(grid, where), system.hopping[1]),
        settings(made(storage, least_sites)),
        hierarchy(level, settings) {
    Field vectors = noise_vectors(level, 6, 3);
    filter_vectors(level, vectors, "bicgstab", 4);
    hierarchy.build(vectors);
  }
  static MultigridSettings made(Precision storage, int least_sites) {
    MultigridSettings settings;
    settings.levels.resize(2);
    for (LevelSettings& level : settings.levels) level.vectors = 6;
    settings.levels[0].block = {2, 2, 2, 2};
    settings.levels[1].block = {2, 1, 1, 2};
    settings.least_sites = least_sites;
    settings.storage = settings.link_storage = storage;
    return settings;
  }
  // What fails is of this level, and says `what`.
  void expect_failure(int of_level, const std::string& what) {
    test::expect_error([&] { expect_passed(self_checks(hierarchy, settings.storage)); },
                       ErrorKind::not_converged,
                       {"level " + std::to_string(of_level) + " of multigrid", what});
  }
  CoarseOperator& coarse(int of_level) {
    return dynamic_cast<CoarseOperator&>(hierarchy.operators(of_level).full());
  }
};

TEST(SelfChecks, PassInEveryStorage) {
  test::for_all_geometries(
      {8, 4, 4, 12}, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location where) {
        const auto forced = geometry->decomposition().forced;
        for (std::size_t mu = 0; mu < 4; ++mu)  // blocks of both lattices lie on one rank
          if (geometry->local()[mu] % (mu == 0 || mu == 3 ? 4 : 2) != 0) return;
        if (forced != 0 && forced != 15) return;
        for (const Precision storage :
             {Precision::quarter_precision, Precision::half_precision, Precision::single_precision}) {
          Built built(grid, storage, where, forced);
          const auto checks = self_checks(built.hierarchy, storage);
          ASSERT_EQ(checks.size(), 10u);
          for (const SelfCheck& check : checks) {
            EXPECT_TRUE(check.passed()) << check.level << ' ' << check.what << ' ' << check.value;
            EXPECT_GT(check.limit, 10 * check.value) << check.level << ' ' << check.what;
          }
        }
      });
}

class Faults : public testing::Test {
 protected:
  void SetUp() override {
    if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
    self_ = std::make_unique<ProcessGrid>(MPI_COMM_SELF, Extents{1, 1, 1, 1});
    built_ = std::make_unique<Built>(*self_, Precision::single_precision, Location::host);
  }
  std::unique_ptr<ProcessGrid> self_;
  std::unique_ptr<Built> built_;
};

TEST_F(Faults, OfANearNullVectorAreFound) {
  Field v = built_->hierarchy.transfer(1).kept();
  set_real(v, 3, 0, 1, 5, get_real(v, 3, 0, 1, 5) + 0.3);
  built_->expect_failure(1, "R P = 1");
}

TEST_F(Faults, OfALinkAreFound) {
  Field links = built_->coarse(1).links();
  set_real(links, 2, 1, 7, 11, get_real(links, 2, 1, 7, 11) + 0.5);
  built_->expect_failure(0, "M_c = R M P");
}

TEST_F(Faults, OfALinkOfTheCoarsestLatticeAreFound) {
  Field links = built_->coarse(2).links();
  set_real(links, 0, 0, 0, 2, get_real(links, 0, 0, 0, 2) + 0.5);
  built_->expect_failure(1, "M_c = R M P");
}

TEST_F(Faults, ThatAreNoNumbersAreFound) {
  Field links = built_->coarse(1).links();
  set_real(links, 2, 1, 7, 11, std::numeric_limits<double>::quiet_NaN());
  built_->expect_failure(0, "M_c = R M P holds to nan only");
}

}  // namespace
}  // namespace plaq
