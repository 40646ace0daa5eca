// Parts of studies: points and tasks, work of the first ranks, checksums, predictions,
// measurements on a part of the ranks.
#include "jobs/study/study.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <ctime>
#include <thread>

#include "comms/communicator/heartbeat.hpp"
#include "comms/communicator/node_map.hpp"
#include "comms/transport/transport_choice.hpp"
#include "core/system/waiting.hpp"
#include "jobs/bench/sweeps.hpp"
#include "jobs/bench/targets.hpp"
#include "jobs/rates/field_checks.hpp"
#include "jobs/rates/random_fields.hpp"
#include "jobs/study/prediction.hpp"
#include "quarks/action/domain_wall_action.hpp"
#include "quarks/action/staggered_action.hpp"
#include "quarks/action/wilson_action.hpp"
#include "tests/jobs/schema/job_file_helpers.hpp"
#include "tests/support/world.hpp"

namespace plaq::jobs::test {
namespace {

using plaq::test::world_rank;
using plaq::test::world_size;

using namespace std::chrono_literals;

const std::string study_text_of_job = R"(job = "study"
[study]
lattices = ["8x8x8x16"]
local_lattices = ["4x4x4x4"]
ranks = [4, 1, 2]
process_grids = ["1x1x4x1", "1x1x2x2", "1x1x1x1"]
transports = ["host", "nccl"]
targets = ["hop", "schur", "cg"]
storages = ["double 18", "half 12"]
right_hand_sides = [1, 3]
[action]
mass = 0.5
[output]
file = "study.h5"
)";

JobFile job_with(const JobFile::Overrides& overrides = {}) {
  return JobFile::parse(study_text_of_job, "job.toml", overrides);
}

TEST(StudySpec, PointsOfEachCurveInOrder) {
  const StudySpec spec(job_with());
  std::vector<std::string> names;
  for (const StudyPoint& point : spec.points(8)) names.push_back(point.name());
  const std::vector<std::string> expected = {
      "strong 8x8x8x16 on 1x1x1x1 by auto", "strong 8x8x8x16 on 1x1x1x2 by host",
      "strong 8x8x8x16 on 1x1x1x2 by nccl", "strong 8x8x8x16 on 1x1x1x4 by host",
      "strong 8x8x8x16 on 1x1x1x4 by nccl", "strong 8x8x8x16 on 1x1x4x1 by host",
      "strong 8x8x8x16 on 1x1x4x1 by nccl", "strong 8x8x8x16 on 1x1x2x2 by host",
      "strong 8x8x8x16 on 1x1x2x2 by nccl", "weak 4x4x4x4 on 1x1x1x1 by auto",
      "weak 4x4x4x4 on 1x1x1x2 by host",    "weak 4x4x4x4 on 1x1x1x2 by nccl",
      "weak 4x4x4x4 on 1x1x2x2 by host",    "weak 4x4x4x4 on 1x1x2x2 by nccl",
      "weak 4x4x4x4 on 1x1x4x1 by host",    "weak 4x4x4x4 on 1x1x4x1 by nccl"};
  EXPECT_EQ(names, expected);
  EXPECT_EQ(spec.points(8).back().global(), (Extents{4, 4, 16, 4}));
  EXPECT_EQ(spec.points(8).front().global(), (Extents{8, 8, 8, 16}));
  EXPECT_EQ(spec.most_ranks(), 4);
  // A rank that exchanges faces with itself does so by each transport.
  const StudySpec forced(job_with({"comms.force_partition=[\"t\"]"}));
  EXPECT_EQ(forced.points(8).size(), names.size() + 2);
  EXPECT_EQ(forced.points(8)[1].name(), "strong 8x8x8x16 on 1x1x1x1 by nccl");
  // Without ranks there are those of the run.
  const StudySpec here(job_with(
      {"study.ranks=", "study.process_grids=", "study.local_lattices=", "study.transports=[\"host\"]"}));
  ASSERT_EQ(here.points(2).size(), 1u);
  EXPECT_EQ(here.points(2)[0].name(), "strong 8x8x8x16 on 1x1x1x2 by host");
}

TEST(StudySpec, TasksAreOfEachMassAndGaugeField) {
  const StudySpec masses(job_with({"action.mass=", "action.masses=[0.5, 0.25]"}));
  const auto tasks = masses.tasks(4, {});
  ASSERT_EQ(tasks.size(), 32u);
  EXPECT_EQ(tasks[1].name, "strong 8x8x8x16 on 1x1x1x1 by auto, mass 0.25");
  EXPECT_EQ(tasks[1].mass, 1);
  EXPECT_EQ(masses.asked(1).action->mass(), 0.25);
  StudySpec files(job_with({"study.lattices=", "study.local_lattices=", "gauge.files=[\"a\", \"b\"]"}));
  EXPECT_TRUE(files.from_files);
  files.strong = {{8, 8, 8, 16}};
  EXPECT_EQ(files.tasks(4, {"a", "b"}).back().name, "strong 8x8x8x16 on 1x1x2x2 by nccl, b");
  EXPECT_EQ(files.tasks(4, {"a", "b"}).back().configuration, 1);
}

// Gauge fixing has storages of its own, and alone it has no action.
TEST(StudySpec, GaugeFixing) {
  const JobFile::Overrides alone = {"study.targets=[\"gauge_fixing\", \"gauge_fixing_su2\"]",
                                    "study.storages=[\"single 12\", \"mixed 12\", \"double 12\"]"};
  const StudySpec spec(job_with(alone));
  EXPECT_FALSE(spec.needs_action());
  EXPECT_TRUE(StudySpec(job_with()).needs_action());
  ASSERT_EQ(spec.storages.size(), 3u);
  EXPECT_EQ(fixing_precision(spec.storages[0]), FixingPrecision::single);
  EXPECT_EQ(fixing_precision(spec.storages[1]), FixingPrecision::mixed);
  EXPECT_EQ(fixing_precision(spec.storages[2]), FixingPrecision::full);
  std::string text = study_text_of_job;
  text.erase(text.find("[action]"), text.find("[output]") - text.find("[action]"));
  EXPECT_NO_THROW(JobFile::parse(text, "job.toml", alone));
  expect_holds(message_of(ErrorKind::job_file, [&] { JobFile::parse(text, "job.toml"); }), "mass");
  const auto refused = [&](const char* setting, const char* why) {
    JobFile::Overrides all = alone;
    all.push_back(setting);
    expect_holds(message_of(ErrorKind::job_file, [&] { job_with(all); }), why);
  };
  refused("study.storages=[\"half 12\"]", "'half 12' is not for gauge fixing");
  refused("study.storages=[\"double 8\"]", "'double 8' is not for gauge fixing");
  refused("study.storages=[\"double 18\"]", "'double 18' is not for gauge fixing");
  refused("study.targets=[\"cg\"]", "'mixed 12' is for gauge fixing alone");
  // Beside operators each target has the storages that it takes.
  EXPECT_NO_THROW(job_with({"study.targets=[\"cg\", \"gauge_fixing\"]", alone[1]}));
}

TEST(StudySpec, Multigrid) {
  const JobFile::Overrides with = {"study.targets=[\"gcr\", \"gcr_multigrid\"]", "multigrid.vectors=[8]"};
  const auto job = [&](const char* setting) {
    JobFile::Overrides all = with;
    all.emplace_back(setting);
    return job_with(all);
  };
  const auto row_at = [](const StudyPoint& point) {
    Row row;
    row.target = "gcr_multigrid";
    row.lattice = point.global();
    row.process_grid = point.grid;
    return row;
  };
  const StudySpec spec(job("multigrid.blocks=[\"2x2x2x2\"]"));
  ASSERT_TRUE(spec.multigrid.has_value());
  EXPECT_FALSE(StudySpec(job_with()).multigrid.has_value());
  EXPECT_EQ(spec.multigrid->vectors, (std::vector<int>{8}));
  // Blocks that are chosen follow the lattice, not the process grid.
  JobFile::Overrides small = with;
  for (const char* setting :
       {"study.lattices=[\"4x4x8x8\"]", "study.ranks=[1, 2]", "study.process_grids=[\"1x1x2x1\"]"})
    small.emplace_back(setting);
  const StudySpec chosen(job_with(small));
  for (const StudyPoint& point : chosen.points(4))
    EXPECT_TRUE(chosen.same_bits(row_at(chosen.points(4).front()), row_at(point)));
  small.emplace_back("study.process_grids=[\"1x1x1x4\"]");
  expect_holds(message_of(ErrorKind::job_file, [&] { StudySpec(job_with(small)).points(4); }),
               "blocks of 4x4x4x4 sites do not tile the 4x4x8x2 sites of a rank");
  const auto same = spec.points(4);
  EXPECT_TRUE(spec.same_bits(row_at(same[0]), row_at(same[3])));
  JobFile::Overrides stays = with;  // no dense inverse on two ranks
  for (const char* setting : {"multigrid.least_sites=0", "multigrid.blocks=[\"2x2x2x2\"]"})
    stays.emplace_back(setting);
  const StudySpec spread(job_with(stays));
  EXPECT_FALSE(spread.same_bits(row_at(spread.points(4)[0]), row_at(spread.points(4)[1])));
  // One clear error for what cannot be.
  const auto refused = [&](const char* setting, const char* why) {
    expect_holds(message_of(ErrorKind::job_file, [&] { StudySpec(job(setting)).points(4); }), why);
  };
  refused("multigrid.blocks=[\"3x2x2x2\"]",
          "blocks of 3x2x2x2 sites do not tile the 8x8x8x16 sites of a rank");
  refused("multigrid.blocks=[\"2x2x4x2\"]", "process grid 1x1x4x1");
  refused("multigrid.vectors=[65]", "multigrid.vectors");
  refused("action.type=staggered",
          "gcr_multigrid: multigrid is for Wilson, clover and domain-wall quarks, not for staggered ones");
}

TEST(StudySpec, WeakGridsKeepTheLatticeNearACube) {
  const Extents cube{32, 32, 32, 32}, longer{24, 24, 24, 48};
  EXPECT_EQ(weak_grid(1, cube), (Extents{1, 1, 1, 1}));
  EXPECT_EQ(weak_grid(2, cube), (Extents{1, 1, 1, 2}));
  EXPECT_EQ(weak_grid(4, cube), (Extents{1, 1, 2, 2}));
  EXPECT_EQ(weak_grid(8, cube), (Extents{1, 2, 2, 2}));
  EXPECT_EQ(weak_grid(6, cube), (Extents{1, 1, 2, 3}));
  EXPECT_EQ(weak_grid(7, cube), (Extents{1, 1, 1, 7}));
  EXPECT_EQ(weak_grid(2, longer), (Extents{1, 1, 2, 1}));
  EXPECT_EQ(weak_grid(16, longer), (Extents{2, 2, 2, 2}));
}

// A row of a target in half precision at a point on one node.
Row row_at(const StudyPoint& point, const std::string& target, const std::string& storage, int rhs) {
  Row row;
  row.target = target;
  row.storage = storage;
  row.right_hand_sides = rhs;
  row.scaling = point.scaling;
  row.lattice = point.global();
  row.process_grid = point.grid;
  row.ranks = point.ranks();
  row.transport = point.transport;
  row.mass = 0.5;
  return row;
}

TEST(StudyPredictions, AreOfTheMachine) {
  const JobFile job = job_with({"model.machine=h200"});
  const StudySpec spec(job);
  const auto points = spec.points(4);
  const Predictor predictor(job, spec);
  ASSERT_TRUE(predictor.knows_machine());
  EXPECT_FALSE(Predictor(job_with(), StudySpec(job_with())).knows_machine());
  const auto of = [&](std::size_t i, const char* target, int rhs) {
    Row row = row_at(points[i], target, "half 12", rhs);
    predictor.predict(spec, row);
    return row;
  };
  EXPECT_EQ(of(0, "wilson_hop", 1).predicted_exposed, 0);
  EXPECT_GT(of(1, "wilson_hop", 1).predicted_exposed, 0);  // a lattice this small hides nothing
  EXPECT_GT(of(0, "wilson_hop", 1).predicted, 0);
  EXPECT_GT(of(0, "wilson_schur", 1).predicted, 1.9 * of(0, "wilson_hop", 1).predicted);
  EXPECT_GT(of(0, "cg", 1).predicted, 2 * of(0, "wilson_schur", 1).predicted);
  EXPECT_GT(of(0, "wilson_hop", 3).predicted, of(0, "wilson_hop", 1).predicted);
  EXPECT_TRUE(std::isnan(of(0, "cg, double 18", 1).predicted));
  const std::string message = message_of(ErrorKind::input_file, [] {
    const JobFile absent = job_with({"model.measurements=[\"/nowhere/network.json\"]"});
    Predictor(absent, StudySpec(absent));
  });
  expect_holds(message, "/nowhere/network.json");
  const JobFile fixing =
      job_with({"study.targets=[\"gauge_fixing\"]", "study.storages=[\"single 12\"]", "model.machine=h200"});
  const StudySpec of_fixing(fixing);
  Row sweep = row_at(of_fixing.points(4)[1], "gauge_fixing", "single 12", 1);
  Predictor(fixing, of_fixing).predict(of_fixing, sweep);
  EXPECT_GT(sweep.predicted, 0);
}

// An iteration with a cycle is more than one without; its setup is no part of it.
TEST(StudyPredictions, HaveCycles) {
  const JobFile job = job_with({"model.machine=h200", "study.targets=[\"gcr\", \"gcr_multigrid\"]",
                                "multigrid.vectors=[8]", "multigrid.blocks=[\"2x2x2x2\"]"});
  const StudySpec spec(job);
  const auto points = spec.points(4);
  const Predictor predictor(job, spec);
  for (const char* storage : {"single 12", "half 12"})
    for (const std::size_t i : {0, 3, 9}) {
      const auto of = [&](const char* key) {
        Row row = row_at(points[i], key, storage, 1);
        predictor.predict(spec, row);
        return row.predicted;
      };
      EXPECT_GT(of("gcr_multigrid"), 1.5 * of("gcr")) << i;
      EXPECT_LT(of("gcr_multigrid"), 200 * of("gcr")) << i;
    }
}

TEST(StudyRows, OtherBitsAreAnError) {
  const StudySpec spec(job_with());
  const auto points = spec.points(4);
  Row one = row_at(points[0], "wilson_hop", "double 18", 1),
      other = row_at(points[3], "wilson_hop", "double 18", 1);
  one.checksum = other.checksum = 5;
  EXPECT_NO_THROW(expect_same_bits(spec, {other}, {one}));
  other.checksum = 6;
  expect_holds(message_of(ErrorKind::internal, [&] { expect_same_bits(spec, {other}, {one}); }),
               "wilson_hop in double 18 with 1 right-hand side has another result on 1x1x1x4");
  other.mass = 0.25;  // another operator
  EXPECT_NO_THROW(expect_same_bits(spec, {other}, {one}));
  other.mass = 0.5;
  other.lattice = {4, 4, 4, 4};
  EXPECT_NO_THROW(expect_same_bits(spec, {other}, {one}));
}

TEST(FirstRanks, WorkWhileTheOthersWait) {
  for (int count = 1; count <= world_size(); ++count) {
    int sum = -1;
    on_first_ranks(MPI_COMM_WORLD, count, [&](const Communicator& comm) {
      EXPECT_EQ(comm.size(), count);
      sum = comm.sum(comm.size());
    });
    EXPECT_EQ(sum, world_rank() < count ? count * count : -1);
  }
}

// A watchdog sees no long wait in those that have nothing to do, and they take next to no time of their core.
TEST(FirstRanks, WaitingIsNoWorkAndNoHang) {
  bool waited = false, ends = false;
  std::thread watch([&] {
    while (!ends) {
      waited = waited || wait_of_at_least(0.8).has_value();
      std::this_thread::sleep_for(10ms);
    }
  });
  const std::clock_t before = std::clock();
  on_first_ranks(MPI_COMM_WORLD, 1, [](const Communicator&) {
    for (int piece = 0; piece < 24; ++piece) {
      std::this_thread::sleep_for(50ms);
      beat();
    }
  });
  const double seconds = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
  ends = true;
  watch.join();
  EXPECT_LT(seconds, 0.3);
  if (world_rank() > 0) {
    EXPECT_FALSE(waited);
  }
}

// It does see one where those that work give no sign of life, and who it is.
TEST(FirstRanks, SilenceIsNoticed) {
  std::string text;
  bool ends = false;
  std::thread watch([&] {
    while (!ends) {
      if (const auto wait = wait_of_at_least(0.3)) text = wait->text;
      std::this_thread::sleep_for(10ms);
    }
  });
  on_first_ranks(MPI_COMM_WORLD, 1, [](const Communicator&) { std::this_thread::sleep_for(1s); });
  ends = true;
  watch.join();
  if (world_rank() == 1) {
    EXPECT_EQ(text, "a sign of life of rank 0");
  }
}

TEST(FirstRanks, ErrorsAreThoseOfAllRanks) {
  for (int count = 1; count <= world_size(); ++count) {
    const std::string message = message_of(ErrorKind::comms, [&] {
      on_first_ranks(MPI_COMM_WORLD, count,
                     [](const Communicator&) { throw Error(ErrorKind::comms, "no way"); });
    });
    EXPECT_EQ(message, "no way");
  }
  const std::string message = message_of(ErrorKind::internal, [&] {
    on_first_ranks(MPI_COMM_WORLD, 1, [](const Communicator&) { throw std::runtime_error("odd"); });
  });
  EXPECT_EQ(message, "internal error: odd");
}

TEST(FieldChecksum, SameOnAnyGridAndOfAllBits) {
  const Extents extents{4, 4, 8, 8};
  for (const Precision precision :
       {Precision::double_precision, Precision::single_precision, Precision::half_precision}) {
    std::vector<std::uint64_t> sums(1, 0);
    const auto spinor = [&](const ProcessGrid& grid, std::uint64_t seed) {
      return random_spinor(grid.geometry(extents), Subset::odd, 2, precision, Location::host, seed);
    };
    if (world_rank() == 0) {
      const ProcessGrid one(MPI_COMM_SELF, {1, 1, 1, 1});
      sums[0] = field_checksum(one, spinor(one, 7));
    }
    MPI_Bcast(sums.data(), 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    for (const Extents& shape : allowed_grids(world_size(), extents)) {
      const ProcessGrid grid(MPI_COMM_WORLD, shape);
      Field field = spinor(grid, 7);
      EXPECT_EQ(field_checksum(grid, field), sums[0]) << to_string(shape);
      EXPECT_NE(field_checksum(grid, spinor(grid, 8)), sums[0]);
      if (precision == Precision::half_precision) continue;
      // One bit of one number, and two sites that change places.
      const double a = get_real(field, 1, 1, 3, 5), b = get_real(field, 1, 1, 4, 5);
      if (grid.rank() == 0) set_real(field, 1, 1, 3, 5, a * (1 + 3e-7));
      EXPECT_NE(field_checksum(grid, field), sums[0]);
      if (grid.rank() == 0) {
        set_real(field, 1, 1, 3, 5, b);
        set_real(field, 1, 1, 4, 5, a);
      }
      EXPECT_NE(field_checksum(grid, field), sums[0]);
    }
  }
}

// Everything that is measured, on some of the ranks, with forced faces and without: the bits of one rank, and
// the faces and flops that there are.
// On a lattice of these extents; `face_bytes`: of a site's half spinor, or what is sent instead, in double
// and in half precision.
void expect_bits_of_one(const ActionPtr& parameters, const Extents& extents,
                        const std::vector<std::string>& keys, const std::array<double, 2>& face_bytes) {
  const std::vector<StudyStorage> of_dirac = {{Precision::double_precision, 18},
                                              {Precision::half_precision, 8}},
                                  of_fixing = {{Precision::double_precision, 12},
                                               {{Precision::single_precision, 12}, true}};
  MultigridOptions multigrid;
  multigrid.blocks = {{2, 2, 2, 2}};
  multigrid.vectors = {4};
  const auto measured = [&](const Communicator& comm, const Extents& shape, std::uint32_t forced,
                            const Target& what) {
    auto grid = std::make_shared<ProcessGrid>(comm, shape);
    auto transport = choose_transport(*grid, Location::host, TransportKind::host).transport;
    const GeometryPtr geometry = grid->geometry(extents, forced);
    Asked asked;
    asked.storages = what.fixes_gauge() ? of_fixing : of_dirac;
    asked.right_hand_sides = {2};
    asked.samples = 1;
    asked.iterations = 4;
    asked.looks_closer = true;
    asked.action = parameters;
    asked.multigrid = multigrid;
    Bench bench(asked, {std::move(grid), geometry, Queue(Location::host), std::move(transport)});
    what.measure(bench, what.key);
    return bench.rows;
  };
  const bool positive = parameters->spins() == 1;
  const int least_slices = parameters->least_slices();
  for (const std::string& key : keys) {
    const Target& what = target(key);
    SCOPED_TRACE(key);
    std::vector<std::uint64_t> one(2);
    on_first_ranks(MPI_COMM_WORLD, 1, [&](const Communicator& comm) {
      const auto found = measured(comm, {1, 1, 1, 1}, 0, what);
      for (std::size_t s = 0; s < 2; ++s) {
        one[s] = static_cast<std::uint64_t>(found[s].checksum);
        EXPECT_EQ(found[s].bytes_sent, 0);
        EXPECT_EQ(found[s].exchange_exposed, 0);
        EXPECT_GT(found[s].seconds, 0);
        EXPECT_GT(found[s].flops, 0);
        EXPECT_EQ(found[s].setup_seconds > 0, what.uses_multigrid());
      }
      EXPECT_NE(one[0], one[1]);
    });
    MPI_Bcast(one.data(), 2, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    for (int count = 1; count <= world_size(); count *= 2)
      for (const Extents& shape : what.key == "hop" && count < 4
                                      ? allowed_grids(count, extents)
                                      : std::vector<Extents>{choose_grid(count, extents)})
        on_first_ranks(MPI_COMM_WORLD, count, [&](const Communicator& comm) {
          SCOPED_TRACE(to_string(shape));
          for (std::size_t mu = 0; mu < 4; ++mu)
            if (shape[mu] > 1 && extents[mu] / shape[mu] < least_slices) return;
          const std::uint32_t forced = count == 1 ? 0b1001 : 0;
          const auto found = measured(comm, shape, forced, what);
          double sites = 0;  // of the faces of one parity, both sides
          for (std::size_t mu = 0; mu < 4; ++mu)
            if (shape[mu] > 1 || ((forced >> mu) & 1u))
              sites +=
                  1.0 * extents[0] * extents[1] * extents[2] * extents[3] / count / extents[mu] * shape[mu];
          const double exchanges =
              what.key == "hop"                                                                 ? 1
              : what.fixes_gauge()                                                              ? 2
              : !what.iterates() || what.key.starts_with("gcr") || what.key == "mr" || positive ? 2
                                                                                                : 4;
          for (std::size_t s = 0; s < 2; ++s) {
            EXPECT_EQ(static_cast<std::uint64_t>(found[s].checksum), one[s]);
            EXPECT_EQ(found[s].exchanges, exchanges);
            // Half spinors of 12 reals in double; in half precision floats, and the scale of a site. Of
            // gauge fixing as many reals as a link, in its precision.
            const double bytes = what.fixes_gauge() ? (s == 0 ? 96 : 48) : face_bytes[s];
            EXPECT_GE(found[s].bytes_sent, exchanges * sites * 2 * bytes);
            EXPECT_GT(found[s].arrived, 0);
            EXPECT_GE(found[s].exchange_exposed, 0);
            EXPECT_LT(found[s].error, s == 0 ? 1e-13 : 1e-2);
          }
        });
  }
}

TEST(Targets, OnTheFirstRanksAloneAndWithTheBitsOfOne) {
  WilsonParameters clover;
  clover.mass = 0.4;
  clover.clover = CloverCoefficients::isotropic(1.1);
  std::vector<std::string> all;
  for (const Target& one : targets())
    if (one.kind != TargetKind::kernel) all.emplace_back(one.key);
  expect_bits_of_one(wilson_action(clover), {4, 4, 4, 8}, all, {96, 24});
}

TEST(Targets, StaggeredQuarksHaveTheBitsOfOne) {
  StaggeredParameters staggered;
  staggered.mass = 0.3;
  expect_bits_of_one(staggered_action(staggered), {4, 4, 4, 8}, {"hop", "schur", "cg"}, {48, 24});
  expect_bits_of_one(asqtad_action({staggered, 0.9}), {4, 4, 8, 8}, {"hop", "schur"}, {3.5 * 48, 3.5 * 24});
}

TEST(Targets, DomainWallsHaveTheBitsOfOne) {
  DomainWallChoice wall;
  wall.kind = WallKind::moebius;
  wall.n_s = 3;
  wall.mass = 0.1;
  wall.b5 = 1.5;
  wall.c5 = 0.5;
  expect_bits_of_one(domain_wall_action(wall), {4, 4, 4, 8}, {"hop", "schur", "cg"}, {3 * 96, 3 * 24});
}

}  // namespace
}  // namespace plaq::jobs::test
