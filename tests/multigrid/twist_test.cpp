// Multigrid with a twist, M + i gamma5 (mu_e Pi_e + mu_o Pi_o): coarse operators against the Galerkin product
// of each lattice, and solves with S + i mu gamma5 by one setup of S.
#include "multigrid/multigrid.hpp"

#include <gtest/gtest.h>

#include <map>

#include "kernels/dirac/twist/twist.hpp"
#include "kernels/quark/sources.hpp"
#include "multigrid/hierarchy/near_null_vectors.hpp"
#include "tests/multigrid/even_solve.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/operators/wilson_level.hpp"
#include "tests/support/same_as_alone.hpp"
#include "tests/support/whole_vectors.hpp"

namespace plaq::twist_test {
namespace {

using test::Columns, test::deviation, test::to_vectors;

constexpr Precision wide = Precision::double_precision, single = Precision::single_precision;
constexpr int batch = 2;

struct Coarsening {
  Extents block;
  int vectors;
};

MultigridSettings settings_of(const std::vector<Coarsening>& coarsenings, Precision precision) {
  MultigridSettings settings;
  settings.storage = settings.link_storage = precision;
  settings.least_sites = 0;
  for (const auto& [block, vectors] : coarsenings) {
    LevelSettings level;
    level.block = block;
    level.vectors = vectors;
    level.coarse = {0.1, 30};
    settings.levels.push_back(level);
  }
  return settings;
}

Field like(LinearOperator& m) { return Field(m.geometry(), m.spec(1)); }

double distance(const Field& found, const Field& expected) {
  return deviation(found, Columns(to_vectors(expected))).most();
}

// x <- x - y
void subtract(Field& x, const Field& y, const Queue& queue) {
  blas::Workspace workspace(queue, 1);
  blas::update<blas::Axpby>(workspace, std::vector<blas::Coefficients>{{1, {-1, 0, 1, 0}}}, {&y, &x});
}

// R M(mu) P e from the lattice `level` to the finest one and back.
Field galerkin_image(Hierarchy& hierarchy, int level, const Field& e, const Twist& twist) {
  Field fine(hierarchy.operators(0).full().geometry(), hierarchy.operators(0).full().spec(1));
  std::vector<Field> chain;
  for (int l = level - 1; l >= 0; --l) {
    Field up = like(hierarchy.operators(l).full());
    hierarchy.transfer(l).prolong(up, chain.empty() ? e : chain.back(), ActiveSet(1));
    chain.push_back(std::move(up));
  }
  LinearOperator& m = hierarchy.operators(0).full();
  Field down = like(m);
  m.apply(down, chain.back());
  add_twist(down, chain.back(), twist.even, 0, m.queue());
  add_twist(down, chain.back(), twist.odd, 1, m.queue());
  for (int l = 0; l < level; ++l) {
    Field coarse(hierarchy.transfer(l).aggregation().coarse_ptr(),
                 hierarchy.transfer(l).coarse_spec(1, down.precision()));
    hierarchy.transfer(l).restrict(coarse, down, ActiveSet(1));
    down = std::move(coarse);
  }
  return down;
}

// The even-odd form of a coarse lattice against M(mu) of the Galerkin product: its sources, its solutions and
// its residuals.
void expect_form(Hierarchy& hierarchy, int level, const Twist& twist, double most) {
  const auto s = hierarchy.operators(level).reduced(1);
  const Queue& queue = s->queue();
  Field e = like(hierarchy.operators(level).full());
  random_source(e, Noise::z4, 71);
  const Field b = galerkin_image(hierarchy, level, e, twist);
  Field here(s->geometry(), s->spec(1)), image(here.geometry_ptr(), here.spec()),
      reduced(here.geometry_ptr(), here.spec()), back(e.geometry_ptr(), e.spec());
  s->reduce_guess(here, e);
  s->apply(image, here);
  s->reduce_source(reduced, b);
  s->reconstruct(back, here, b);
  queue.synchronize();
  EXPECT_LT(distance(reduced, image), most) << "level " << level;
  EXPECT_LT(distance(back, e), most) << "level " << level;
  if (s->residual_is_full()) return;
  // b - M x is T r on the even sites and 0 on the odd ones, where x is completed from its even part.
  s->apply(image, reduced);
  Field x(e.geometry_ptr(), e.spec()), residual(here.geometry_ptr(), here.spec()),
      expected(here.geometry_ptr(), here.spec());
  s->reconstruct(x, reduced, b);
  Field left(reduced.geometry_ptr(), reduced.spec());
  copy(left, reduced);
  subtract(left, image, queue);
  s->full_residual(residual, left, ActiveSet(1));
  Field difference = galerkin_image(hierarchy, level, x, twist), source(b.geometry_ptr(), b.spec());
  copy(source, b);
  subtract(source, difference, queue);
  copy_parity(expected, source, 0, queue);
  queue.synchronize();
  EXPECT_LT(distance(residual, expected), 10 * most) << "level " << level;
}

// The finest lattice of twisted-mass quarks, on the links of a system.
class DoubletLevel final : public LevelOperators {
 public:
  DoubletLevel(const test::WilsonSystem& system, double mu, Precision precision,
               const std::shared_ptr<Transport>& transport)
      : grid_(system.grid), transport_(transport), mu_(mu), hop_(hopping(system, mu, precision)), m_(hop_) {
    m_.leave_out_twist();
  }
  const ProcessGrid& grid() const override { return grid_; }
  const std::shared_ptr<Transport>& transport() const override { return transport_; }
  Twist twist() const override { return {mu_, mu_}; }
  NearestNeighborOperator& full() override { return m_; }
  std::unique_ptr<SchurOperator> reduced(int count) override {
    return std::make_unique<WilsonSchur>(hop_, 0, WilsonSchur::Form::asymmetric, count);
  }

 private:
  WilsonHoppingPtr hopping(const test::WilsonSystem& system, double mu, Precision precision) const {
    WilsonParameters parameters = system.hopping[0]->parameters();
    parameters.twisted_mass = mu;
    return std::make_shared<WilsonHopping>(system.grid, system.hopping[0]->links(), parameters, precision,
                                           system.queue, transport_);
  }
  const ProcessGrid& grid_;
  std::shared_ptr<Transport> transport_;
  double mu_;
  WilsonHoppingPtr hop_;
  WilsonOperator m_;
};

struct Case {
  const char* name;
  Extents extents;
  std::vector<Coarsening> coarsenings;
};
std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

class CoarseTwist : public testing::TestWithParam<Case> {};

TEST_P(CoarseTwist, IsThatOfTheGalerkinProductOnEveryLattice) {
  const auto& [name, extents, coarsenings] = GetParam();
  for (const auto& [precision, most] : {std::pair{wide, 1e-11}, {single, 1e-3}}) {
    const MultigridSettings settings = settings_of(coarsenings, precision);
    int visited = 0;
    test::for_all_geometries(
        extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location where) {
          Extents left = geometry->local();
          for (const Coarsening& coarsening : coarsenings)
            for (std::size_t mu = 0; mu < 4; ++mu) {
              if (left[mu] % coarsening.block[mu] != 0) return;  // it would be on fewer ranks
              left[mu] /= coarsening.block[mu];
            }
          if (visited++ % (grid.size() < 4 ? 1 : 3) != 0) return;
          test::WilsonSystem system(grid, extents, test::random_sources(extents, 1), -0.3, 0.3, where,
                                    geometry->decomposition().forced);
          test::WilsonLevel finest(system, make_host_transport(grid, where),
                                   system.hopping[precision == wide ? 0 : 1]);
          Hierarchy hierarchy(finest, settings);
          hierarchy.build(noise_vectors(finest, coarsenings.front().vectors, 31));
          for (const Twist& twist : {Twist{0.7, 0.7}, {0.7, 0}, {-0.7, 0}, {0.2, -0.5}, {0, 0}, {0.7, 0}}) {
            SCOPED_TRACE("twists " + std::to_string(twist.even) + ", " + std::to_string(twist.odd));
            hierarchy.set_twist(finest, twist);
            for (int level = 1; level < hierarchy.levels(); ++level)
              expect_form(hierarchy, level, twist, most);
          }
          // Built of quarks that have a twist.
          DoubletLevel doublet(system, 0.4, precision, make_host_transport(grid, where));
          Hierarchy of_doublet(doublet, settings);
          of_doublet.build(noise_vectors(doublet, coarsenings.front().vectors, 31));
          for (const Twist& twist : {doublet.twist(), {-0.4, -0.4}, {0.6, 0.4}, {-0.6, -0.4}, {0, 0}}) {
            SCOPED_TRACE("doublet, twists " + std::to_string(twist.even) + ", " + std::to_string(twist.odd));
            if (twist != doublet.twist()) of_doublet.set_twist(doublet, twist);
            for (int level = 1; level < of_doublet.levels(); ++level)
              expect_form(of_doublet, level, twist, most);
          }
          for (const SelfCheck& check : self_checks(of_doublet, precision))
            EXPECT_TRUE(check.passed()) << check.what << ", level " << check.level << ": " << check.value;
        });
  }
}

const Case cases[] = {
    {"TwoLevels", {8, 4, 4, 8}, {{{2, 2, 2, 2}, 4}, {{2, 1, 2, 2}, 3}}},
    {"OddCoarseExtents", {6, 6, 2, 6}, {{{2, 2, 2, 2}, 3}}},
    {"OddBlocks", {6, 2, 6, 4}, {{{3, 2, 3, 2}, 3}}},
    {"TwoLevelsOdd", {12, 4, 2, 6}, {{{2, 2, 2, 2}, 3}, {{2, 2, 1, 1}, 4}}},
    {"SingleParities", {4, 4, 4, 8}, {{{1, 2, 2, 1}, 3}, {{2, 1, 1, 2}, 2}}},
};
INSTANTIATE_TEST_SUITE_P(Of, CoarseTwist, testing::ValuesIn(cases),
                         [](const auto& info) { return std::string(info.param.name); });

// S of a system, and multigrid of it.
struct Problem {
  test::WilsonSystem system;
  WilsonSchur schur;
  Multigrid multigrid;

  Problem(const ProcessGrid& grid, const Extents& extents, double mass, const MultigridSettings& settings,
          Location where, std::uint32_t forced = 0)
      : system(grid, extents, test::random_sources(extents, batch), mass, 0.3, Queue(where), forced),
        schur(system.hopping[0], 0, WilsonSchur::Form::asymmetric, batch),
        multigrid(std::make_unique<test::WilsonLevel>(system, make_host_transport(system.grid, where),
                                                      system.hopping[0]),
                  settings) {}

  // Solves (S + i mu gamma5) x = b, with multigrid of a twist or with none at all.
  SolveReport solve(Field& x, double mu, std::optional<double> of_multigrid, int max_iterations = 2000) {
    TwistedSchur w(schur, mu);
    if (of_multigrid) multigrid.set_twist({*of_multigrid, 0});
    return test::solve_even(system, w, of_multigrid ? "gcr" : "cgne", of_multigrid ? &multigrid : nullptr, x,
                            max_iterations);
  }
  int iterations(Field& x, double mu, std::optional<double> of_multigrid) {
    const SolveReport report = solve(x, mu, of_multigrid);
    EXPECT_TRUE(report.converged());
    return report.iterations;
  }
};

std::vector<MultigridSettings> two_and_three_levels() {
  return {settings_of({{{4, 2, 2, 4}, 8}}, single),
          settings_of({{{2, 2, 2, 2}, 8}, {{2, 1, 1, 2}, 8}}, single)};
}

TEST(TwistedMultigrid, NeedsNoMoreIterationsWithATwist) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  struct Plain {
    int iterations;
    test::Vectors solution;
  };
  for (const Location where : test::locations()) {
    std::map<double, Plain> plain;  // of each twist
    for (const MultigridSettings& settings : two_and_three_levels()) {
      Problem p(self, {8, 4, 4, 16}, -0.7, settings, where);
      Field x, y, wrong;
      const int without = p.iterations(x, 0, 0);
      for (const double mu : {0.03, -0.03, 0.1, 0.3}) {
        SCOPED_TRACE(mu);
        const int with = p.iterations(y, mu, mu);
        if (!plain.contains(mu)) {
          const int iterations = p.iterations(x, mu, {});
          plain.emplace(mu, Plain{iterations, to_vectors(x)});
        }
        EXPECT_LT(deviation(y, Columns(plain.at(mu).solution)).most(), 1e-7);
        EXPECT_LE(with, without + (std::abs(mu) < 0.2 ? 1 : 2));
        EXPECT_LT(4 * with, plain.at(mu).iterations);
        for (const double other : {0.0, -mu})  // multigrid of another twist needs more
          EXPECT_FALSE(p.solve(wrong, mu, other, with).converged()) << other;
      }
      EXPECT_EQ(p.iterations(x, 0, 0), without);
    }
  }
}

// The even-odd form of plain Wilson quarks with a twist on all sites, by hops and twists alone:
//   d + i mu gamma5 - D_eo (d - i mu gamma5) D_oe / (4 (d^2 + mu^2))
class FullTwistSchur final : public SchurOperator {
 public:
  FullTwistSchur(WilsonHoppingPtr hopping, double mu, int batch)
      : plain_(hopping, 0, WilsonSchur::Form::asymmetric, batch),
        hopping_(std::move(hopping)),
        mu_(mu),
        other_(geometry(), odd(batch)),
        turned_(geometry(), odd(batch)) {}

  const GeometryPtr& geometry() const override { return plain_.geometry(); }
  FieldSpec spec(int count) const override { return plain_.spec(count); }
  const Queue& queue() const override { return plain_.queue(); }
  Work work(int count) const override { return plain_.work(count); }
  int parity() const override { return 0; }
  double residual_scale() const override { return 1; }
  bool residual_is_full() const override { return true; }
  void reduce_source(Field&, const Field&) override { FAIL(); }
  void reconstruct(Field&, const Field&, const Field&) override { FAIL(); }

 private:
  FieldSpec odd(int count) const {
    FieldSpec spec = plain_.spec(count);
    spec.subset = Subset::odd;
    return spec;
  }
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override {
    ASSERT_FALSE(dagger);
    const double d = hopping_->parameters().diagonal(), norm = d * d + mu_ * mu_;
    hopping_->apply(turned_, in, 1, false, active, {});
    hopping_->apply(other_, in, 1, false, active, {0, &turned_, d / norm});  // the factor is one of a sum
    add_twist(other_, turned_, -mu_ / norm, 1, active, queue());
    hopping_->apply(out, other_, 0, false, active, {d, &in, -0.25});
    add_twist(out, in, mu_, 0, active, queue());
  }

  WilsonSchur plain_;
  WilsonHoppingPtr hopping_;
  double mu_;
  Field other_, turned_;
};

class FullTwistLevel final : public LevelOperators {
 public:
  FullTwistLevel(test::WilsonSystem& system, double mu)
      : level_(system, make_host_transport(system.grid, system.queue.location()), system.hopping[0]),
        hopping_(system.hopping[0]),
        mu_(mu) {}
  const ProcessGrid& grid() const override { return level_.grid(); }
  const std::shared_ptr<Transport>& transport() const override { return level_.transport(); }
  Twist twist() const override { return {mu_, mu_}; }
  StencilOperator& full() override { return level_.full(); }
  std::unique_ptr<SchurOperator> reduced(int count) override {
    return std::make_unique<FullTwistSchur>(hopping_, mu_, count);
  }

 private:
  test::WilsonLevel level_;
  WilsonHoppingPtr hopping_;
  double mu_;
};

TEST(TwistedMultigrid, ServesTwistsOfBothParities) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  for (const Location where : test::locations()) {
    Problem p(self, {8, 4, 4, 16}, -0.7, two_and_three_levels().back(), where);
    Field x, wrong;
    const int without = p.iterations(x, 0, 0);
    for (const double mu : {0.05, -0.05}) {
      FullTwistSchur w(p.system.hopping[0], mu, batch);
      const auto report_with = [&](const Twist& twist, Field& y, int max_iterations) {
        p.multigrid.set_twist(twist,
                              twist.odd != 0 ? std::make_unique<FullTwistLevel>(p.system, mu) : nullptr);
        return test::solve_even(p.system, w, "gcr", &p.multigrid, y, max_iterations);
      };
      const SolveReport report = report_with({mu, mu}, x, 2000);
      EXPECT_TRUE(report.converged());
      EXPECT_LE(report.iterations, without + 1);
      for (const Twist& other : {Twist(), Twist{mu, 0}, Twist{mu, -mu}, Twist{-mu, mu}})  // needs more
        EXPECT_FALSE(report_with(other, wrong, report.iterations).converged());
    }
  }
}

// Also where coarse lattices are on fewer ranks, and whatever twists there were before.
TEST(TwistedMultigrid, HasTheSameBitsOnEveryGridAndByEveryWay) {
  constexpr Extents extents{8, 4, 4, 8};
  MultigridSettings settings = settings_of({{{2, 2, 2, 2}, 4}, {{2, 1, 1, 2}, 4}}, Precision::half_precision);
  settings.least_sites = 16;
  settings.least_rounds = settings.most_rounds = 0;
  const auto solution = [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location where) {
    Problem p(grid, extents, -0.5, settings, where, geometry->decomposition().forced);
    Field x;
    if (grid.size() == 1) {
      p.multigrid.set_twist({-0.1, 0});
      p.multigrid.set_twist({});
    }
    p.iterations(x, 0.05, 0.05);
    return test::on_all_ranks(test::to_vectors(x), grid);
  };
  const auto same = test::same_as_alone(extents, solution);
  int visited = 0;
  test::for_all_geometries(
      extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location where) {
        const Extents& local = geometry->local();
        if (geometry->decomposition().forced == 0 && local[0] % 4 == 0 && local[3] % 4 == 0)
          if (visited++ % (grid.size() < 4 ? 1 : 3) == 0) same(grid, geometry, where);
      });
}

}  // namespace
}  // namespace plaq::twist_test
