// Setups that were interrupted, and vectors of another gauge field.
#include "multigrid/setup/setup.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <stdexcept>

#include "comms/communicator/stop_request.hpp"
#include "multigrid/hierarchy/near_null_vectors.hpp"
#include "tests/support/convert.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/operators/wilson_level.hpp"

namespace plaq::setup_test {
namespace {

constexpr Extents extents{4, 4, 4, 8};

struct Interrupted : std::runtime_error {
  Interrupted() : std::runtime_error("killed") {}
};

// A setup on one gauge field, and what it saved last, as a file has it.
struct Problem {
  test::WilsonSystem system;
  test::WilsonLevel level;
  MultigridSettings settings;
  Hierarchy hierarchy;
  MultigridSetup setup;
  SetupReport kept;
  Field vectors;
  int saved = 0;

  explicit Problem(const ProcessGrid& grid, double mass = -0.75, double disorder = 0.3, bool open = false)
      : system(grid, extents, test::random_sources(extents, 1), mass, disorder, Location::host, 0),
        level(system, make_host_transport(grid, Location::host), system.hopping[1]),
        settings(some_settings(open)),
        hierarchy(level, settings),
        setup(level, hierarchy, settings) {}

  // `open`: it chooses its cycles, too.
  static MultigridSettings some_settings(bool open) {
    MultigridSettings settings;
    settings.levels.resize(1);
    settings.levels[0].block = {2, 2, 2, 4};
    settings.levels[0].vectors = 6;
    settings.levels[0].chooses_steps = settings.levels[0].chooses_tolerance = open;
    settings.filter_iterations = 1;
    settings.storage = settings.link_storage = Precision::single_precision;
    settings.least_rounds = 0;  // all of them are decided
    settings.solves = 1000;
    return settings;
  }

  // `last`: it is killed when it has saved so many times.
  SetupReport run(SetupStart start, int last = 1000) {
    return setup.run(std::move(start), [&](const SetupReport& report, const Field& now) {
      kept = report;
      vectors = Field(now.geometry_ptr(), now.spec());
      copy(vectors, now);
      if (++saved == last && !report.finished) throw Interrupted();
    });
  }
  // What was kept, of the even sites alone.
  SetupStart kept_start() const {
    SetupStart start;
    start.vectors = Field(vectors.geometry_ptr(), vectors.spec());
    FieldSpec spec = vectors.spec();
    spec.subset = Subset::even;
    Field even(vectors.geometry_ptr(), spec);
    copy_parity(even, vectors, 0, Queue(Location::host));
    copy_parity(start.vectors, even, 0, Queue(Location::host));
    start.rounds = kept.rounds;
    start.finished = kept.finished;
    if (kept.has_chosen) start.cycles = kept.cycles;
    start.reductions = kept.reductions;
    start.refreshed_from = kept.refreshed_from;
    return start;
  }
};

void expect_same(const SetupReport& a, const SetupReport& b) {
  EXPECT_EQ(a.rounds, b.rounds);
  EXPECT_EQ(a.reductions, b.reductions);
  EXPECT_EQ(a.refreshed_from, b.refreshed_from);
  EXPECT_EQ(a.cycles, b.cycles);
  EXPECT_EQ(a.kept.reduction, b.kept.reduction);
  EXPECT_EQ(a.kept.reduction, a.reductions.back());
  EXPECT_TRUE(a.finished && b.finished);
}

class Setup : public testing::Test {
 protected:
  void SetUp() override {
    if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
    self_ = std::make_unique<ProcessGrid>(MPI_COMM_SELF, Extents{1, 1, 1, 1});
  }
  std::unique_ptr<ProcessGrid> self_;
};

// Wherever it is interrupted, what is kept leads to the same bits: vectors, rates and rounds.
void expect_same_after_interruptions(const ProcessGrid& grid, const SetupStart& start, int least_saved,
                                     bool open = false) {
  const auto problem = [&] { return Problem(grid, -0.75, 0.3, open); };
  Problem calm = problem();
  const SetupReport expected = calm.run(start);
  EXPECT_GE(calm.saved, least_saved);
  for (int last = 1; last < calm.saved; ++last) {
    SCOPED_TRACE(last);
    Problem p = problem();
    EXPECT_THROW(p.run(start, last), Interrupted);
    Problem on = problem();
    expect_same(on.run(p.kept_start()), expected);
    EXPECT_EQ(test::to_vectors(on.setup.vectors()), test::to_vectors(calm.setup.vectors()));
  }
  // A finished setup is used as it is, and nothing is saved again.
  Problem done = problem();
  expect_same(done.run(calm.kept_start()), expected);
  EXPECT_EQ(done.saved, 0);
  EXPECT_EQ(done.kept.probes.size(), 0u);
  EXPECT_EQ(test::to_vectors(done.setup.vectors()), test::to_vectors(calm.setup.vectors()));
}

// Counts the points at which a setup can be stopped, and stops it at one of them.
class Stop {
 public:
  explicit Stop(int at = -1) : at_(at) {}
  int points() const { return points_; }

 private:
  int at_, points_ = 0;
  InterruptibleWork setup_{[this](const Communicator&) {
    if (points_++ == at_) throw Error(ErrorKind::stopped, "stopped");
  }};
};

// Stops within rounds, probes and choices give the same setup. All rounds before a stop are reported.
void expect_same_after_stops(const ProcessGrid& grid, const SetupStart& start, bool open = false) {
  const auto problem = [&] { return Problem(grid, -0.75, 0.3, open); };
  Problem calm = problem();
  int points = 0;
  const SetupReport expected = [&] {
    const Stop none;
    const SetupReport report = calm.run(start);
    points = none.points();
    return report;
  }();
  EXPECT_GE(points, 15 * calm.saved);
  constexpr int stops = 5;
  for (int i = 0; i < stops; ++i) {
    const int at = i * (points - 1) / (stops - 1);
    SCOPED_TRACE(at);
    Problem p = problem();
    {
      const Stop stop(at);
      test::expect_error([&] { p.run(start); }, ErrorKind::stopped, {"stopped"});
    }
    EXPECT_FALSE(p.kept.finished);
    Problem on = problem();
    expect_same(on.run(p.saved > 0 ? p.kept_start() : start), expected);
    EXPECT_EQ(test::to_vectors(on.setup.vectors()), test::to_vectors(calm.setup.vectors()));
  }
}

TEST_F(Setup, GoesOnToTheSameBits) {
  expect_same_after_interruptions(*self_, {}, 4);
  expect_same_after_stops(*self_, {});
}

TEST_F(Setup, ChoosesToTheSameBits) {
  expect_same_after_interruptions(*self_, {}, 4, true);
  expect_same_after_stops(*self_, {}, true);
  // Also where vectors of another field, for which nothing was chosen, were refreshed before.
  Problem other(*self_, -0.75, 0.5);
  other.run({});
  SetupStart start = other.kept_start();
  start.reductions.clear();
  start.cycles.clear();
  start.finished = false;
  start.refreshed_from = 0.43;
  expect_same_after_interruptions(*self_, start, 3, true);
  Problem chooses(*self_, -0.75, 0.3, true);
  EXPECT_FALSE(chooses.run({}).choice.empty());
}

TEST_F(Setup, RefreshesToTheSameBits) {
  Problem other(*self_, -0.75, 0.5);
  other.run({});
  SetupStart start = other.kept_start();
  start.reductions.clear();
  start.finished = false;
  for (const double reference : {0.3, 0.43}) {
    SCOPED_TRACE(reference);
    start.refreshed_from = reference;
    expect_same_after_interruptions(*self_, start, 3);
    expect_same_after_stops(*self_, start);
  }
}

TEST_F(Setup, RefreshesAsMuchAsNeeded) {
  Problem fresh(*self_), other(*self_, -0.75, 0.5);
  const SetupReport from_noise = fresh.run({});
  other.run({});
  SetupStart start = other.kept_start();
  start.reductions.clear();
  start.finished = false;
  const int before = start.rounds;

  start.refreshed_from = 0.99;  // good as they are
  Problem good(*self_);
  SetupReport report = good.run(start);
  EXPECT_EQ(report.rounds, before);
  EXPECT_EQ(report.probes.size(), 1u);
  const double unchanged = report.kept.reduction;

  start.refreshed_from = 0.99 * unchanged / 1.2;  // just not
  Problem one(*self_);
  report = one.run(start);
  EXPECT_EQ(report.rounds, before + 1);
  EXPECT_LE(report.kept.reduction, 0.99 * unchanged);

  start.refreshed_from = 0.2;  // never: noise is tried after some rounds, and the better one is kept
  Problem never(*self_);
  report = never.run(start);
  EXPECT_LE(report.kept.reduction, from_noise.kept.reduction);
  EXPECT_LT(report.kept.reduction, unchanged);
  EXPECT_GT(report.probes.size(), from_noise.probes.size());
  if (report.refreshed_from) {
    EXPECT_LE(report.rounds, before + 4);
  } else {
    EXPECT_EQ(test::to_vectors(never.setup.vectors()), test::to_vectors(fresh.setup.vectors()));
  }

  start.refreshed_from = 1e-6;  // vectors that know nothing of the field: no round of them
  Problem strange(*self_);
  report = strange.run(start);
  EXPECT_FALSE(report.refreshed_from);
  EXPECT_EQ(report.rounds, from_noise.rounds);
  EXPECT_EQ(report.probes.size(), from_noise.probes.size() + 1);
  EXPECT_EQ(test::to_vectors(strange.setup.vectors()), test::to_vectors(fresh.setup.vectors()));
}

// On links nearby cycles with the old lattices take more iterations than with new ones, of which a round is
// nearly as good as a setup.
TEST_F(Setup, FollowsLinksAndIsRenewed) {
  constexpr std::uint64_t seed = 3;
  Problem old(*self_, -0.75, 0.3), fresh(*self_, -0.75, 0.33);
  const double before = old.run({}).kept.reduction;
  const double best = fresh.run({}).kept.reduction;
  const Transfer* transfer = &old.hierarchy.transfer(0);
  old.setup.follow(fresh.level);
  EXPECT_EQ(&old.hierarchy.transfer(0), transfer);
  EXPECT_EQ(&old.hierarchy.operators(0), &fresh.level);
  const double followed = probe(old.hierarchy, seed).reduction;
  EXPECT_GT(followed, 1.02 * best);
  EXPECT_LT(followed, 0.8);
  SetupStart start = old.kept_start();
  start.finished = false;
  start.reductions.clear();
  start.refreshed_from = before;
  const SetupReport report = old.setup.renew(fresh.level, start);
  EXPECT_EQ(report.rounds, start.rounds + 1);
  EXPECT_EQ(report.probes.size(), 1u);  // nothing was made of the old vectors first
  EXPECT_LT(report.kept.reduction, followed);
  EXPECT_LT(report.kept.reduction, 1.1 * best);
  EXPECT_FALSE(report.checks.empty());
}

// The largest |(v_i, v_j)| / |v_i| |v_j| of two vectors.
double largest_overlap(const Field& vectors) {
  const test::Vectors v = test::to_vectors(vectors);
  const auto product = [&](std::size_t i, std::size_t j) {
    std::complex<double> sum = 0;
    for (std::size_t k = 0; k < v[i].size(); ++k) sum += std::conj(v[i][k]) * v[j][k];
    return sum;
  };
  double largest = 0;
  for (std::size_t i = 0; i < v.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      largest =
          std::max(largest, std::abs(product(i, j)) / std::sqrt(product(i, i).real() * product(j, j).real()));
  return largest;
}

// A round makes vectors orthonormal that nearly depend on each other, and leaves others as cycles made them.
TEST_F(Setup, RoundsMakeNearlyDependentVectorsOrthonormal) {
  for (const double apart : {1.0, 1e-4}) {
    SCOPED_TRACE(apart);
    Problem p(*self_);
    SetupStart start;
    start.vectors = noise_vectors(p.level, 6, 3);
    const Field first = noise_vectors(p.level, 1, 4);
    for (int k = 0; k < 6; ++k)
      for (int parity = 0; parity < 2; ++parity)
        for (int site = 0; site < start.vectors.layout().sites; ++site)
          for (int real = 0; real < start.vectors.reals_per_site(); ++real)
            set_real(start.vectors, k, parity, site, real,
                     get_real(first, 0, parity, site, real) +
                         apart * get_real(start.vectors, k, parity, site, real));
    EXPECT_GT(largest_overlap(start.vectors), apart < 1 ? 0.999 : 0.4);
    p.settings.least_rounds = p.settings.most_rounds = 1;
    const SetupReport report = p.run(std::move(start));
    EXPECT_EQ(report.rounds, 1);
    const double overlap = largest_overlap(p.vectors);
    EXPECT_LT(overlap, apart < 1 ? 1e-4 : 1);
    EXPECT_GT(overlap, apart < 1 ? 0 : 0.01);
  }
}

// One component is enough; the setup has saved nothing that could be kept.
TEST_F(Setup, VectorsThatAreNoNumbersAreAnError) {
  Problem p(*self_);
  SetupStart start;
  start.vectors = noise_vectors(p.level, 6, 3);
  set_real(start.vectors, 4, 0, 3, 5, std::nan(""));
  test::expect_error([&] { p.run(std::move(start)); }, ErrorKind::not_converged,
                     {"the matrix of a coarse site is singular or not finite"});
  EXPECT_EQ(p.saved, 0);
}

}  // namespace
}  // namespace plaq::setup_test
