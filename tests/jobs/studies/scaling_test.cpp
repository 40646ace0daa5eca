// Parts of scaling studies: points and grids, work of the first ranks, checksums, efficiencies, measurements
// on a part of the ranks.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <ctime>
#include <nlohmann/json.hpp>
#include <thread>

#include "comms/transport/transport_choice.hpp"
#include "comms/watchdog/heartbeat.hpp"
#include "core/system/waiting.hpp"
#include "jobs/rates/random_fields.hpp"
#include "jobs/scaling/scaling_tables.hpp"
#include "jobs/study/columns.hpp"
#include "jobs/study/field_checksum.hpp"
#include "jobs/study/first_ranks.hpp"
#include "jobs/study/study_lattice.hpp"
#include "jobs/study/sweeps.hpp"
#include "quarks/action/domain_wall_action.hpp"
#include "quarks/action/staggered_action.hpp"
#include "quarks/action/wilson_action.hpp"
#include "quarks/multigrid/multigrid_options.hpp"
#include "settings/action/action_keys.hpp"
#include "tests/jobs/schema/job_file_helpers.hpp"
#include "tests/support/world.hpp"

namespace plaq::jobs::test {
namespace {

using plaq::test::world_rank;
using plaq::test::world_size;

using namespace std::chrono_literals;

const std::string scaling_text_of_job = R"(job = "scaling"
[scaling]
strong = ["8x8x8x16"]
weak = ["4x4x4x4"]
ranks = [4, 1, 2]
process_grids = ["1x1x4x1", "1x1x2x2", "1x1x1x1"]
transports = ["host", "nccl"]
methods = ["cg"]
storages = ["double 18", "half 12"]
right_hand_sides = [1, 3]
[action]
mass = 0.5
[output]
file = "scaling.h5"
)";

JobFile job_with(const JobFile::Overrides& overrides = {}) {
  return JobFile::parse(scaling_text_of_job, "job.toml", overrides);
}

TEST(ScalingKeys, PointsOfEachCurveInOrder) {
  const ScalingKeys keys(job_with());
  std::vector<std::string> names;
  for (const ScalingPoint& point : keys.points()) names.push_back(point.name());
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
  EXPECT_EQ(keys.points().back().global(), (Extents{4, 4, 16, 4}));
  EXPECT_EQ(keys.points().front().global(), (Extents{8, 8, 8, 16}));
  EXPECT_EQ(keys.most_ranks(), 4);
  EXPECT_EQ(keys.lists.subjects, (std::vector<std::string>{"hop", "schur", "cg"}));
  EXPECT_EQ(keys.lists.size(), 12u);
  EXPECT_EQ(keys.lists.at(2, 1, 1), 11u);
  // A rank that exchanges faces with itself does so by each transport.
  const ScalingKeys forced(job_with({"comms.force_partition=[\"t\"]"}));
  EXPECT_EQ(forced.points().size(), names.size() + 2);
  EXPECT_EQ(forced.points()[1].name(), "strong 8x8x8x16 on 1x1x1x1 by nccl");
}

// Gauge fixing has storages of its own, and alone it has no action.
TEST(ScalingKeys, GaugeFixing) {
  const JobFile::Overrides alone = {"scaling.operators=[\"gauge_fixing\", \"gauge_fixing_su2\"]",
                                    "scaling.methods=[]",
                                    "scaling.storages=[\"single 12\", \"mixed 12\", \"double 12\"]"};
  const ScalingKeys keys(job_with(alone));
  EXPECT_FALSE(keys.has_dirac());
  EXPECT_TRUE(ScalingKeys(job_with()).has_dirac());
  ASSERT_EQ(keys.storages.size(), 3u);
  EXPECT_EQ(fixing_precision(keys.storages[0]), FixingPrecision::single);
  EXPECT_EQ(fixing_precision(keys.storages[1]), FixingPrecision::mixed);
  EXPECT_EQ(fixing_precision(keys.storages[2]), FixingPrecision::full);
  for (const std::string& name : study_storage_names().texts())
    EXPECT_EQ(name_of(*study_storage_names().read(name)), name);
  std::string text = scaling_text_of_job;
  text.erase(text.find("[action]"), text.find("[output]") - text.find("[action]"));
  EXPECT_NO_THROW(JobFile::parse(text, "job.toml", alone));
  expect_holds(message_of(ErrorKind::job_file, [&] { JobFile::parse(text, "job.toml"); }), "mass");
  const auto refused = [&](const char* setting, const char* why) {
    JobFile::Overrides all = alone;
    all.push_back(setting);
    expect_holds(message_of(ErrorKind::job_file, [&] { job_with(all); }), why);
  };
  refused("scaling.storages=[\"half 12\"]", "'half 12' is not of gauge fixing");
  refused("scaling.storages=[\"double 8\"]", "'double 8' is not of gauge fixing");
  refused("scaling.storages=[\"double 18\"]", "'double 18' is not of gauge fixing");
  refused("scaling.methods=[\"cg\"]", "'mixed 12' is of gauge fixing alone");
  const JobFile job = job_with({alone[0], alone[1], alone[2], "model.machine=h200"});
  const ScalingKeys known(job);
  EXPECT_GT(
      Predictor(job).predict(known, known.points()[1], 2, "gauge_fixing", known.storages[0], 1).microseconds,
      0);
}

TEST(ScalingKeys, Multigrid) {
  const JobFile::Overrides with = {"scaling.methods=[\"gcr\", \"gcr_multigrid\"]", "multigrid.vectors=[8]"};
  const auto job = [&](const char* setting) {
    JobFile::Overrides all = with;
    all.emplace_back(setting);
    return job_with(all);
  };
  const ScalingKeys keys(job("multigrid.blocks=[\"2x2x2x2\"]"));
  EXPECT_TRUE(keys.has_multigrid());
  EXPECT_FALSE(ScalingKeys(job_with()).has_multigrid());
  EXPECT_EQ(keys.multigrid.vectors, (std::vector<int>{8}));
  // Blocks that are chosen follow the lattice, not the process grid.
  JobFile::Overrides small = with;
  for (const char* setting :
       {"scaling.strong=[\"4x4x8x8\"]", "scaling.ranks=[1, 2]", "scaling.process_grids=[\"1x1x2x1\"]"})
    small.emplace_back(setting);
  const ScalingKeys chosen(job_with(small));
  for (const ScalingPoint& point : chosen.points())
    EXPECT_TRUE(chosen.same_bits("gcr_multigrid", chosen.points().front(), point));
  small.emplace_back("scaling.process_grids=[\"1x1x1x4\"]");
  expect_holds(message_of(ErrorKind::job_file, [&] { ScalingKeys(job_with(small)).points(); }),
               "blocks of 4x4x4x4 sites do not tile the 4x4x8x2 sites of a rank");
  const auto same = keys.points();
  EXPECT_TRUE(keys.same_bits("gcr_multigrid", same[0], same[3]));
  JobFile::Overrides stays = with;  // no dense inverse on two ranks
  for (const char* setting : {"multigrid.least_sites=0", "multigrid.blocks=[\"2x2x2x2\"]"})
    stays.emplace_back(setting);
  const ScalingKeys spread(job_with(stays));
  EXPECT_FALSE(spread.same_bits("gcr_multigrid", spread.points()[0], spread.points()[1]));
  // One clear error for what cannot be.
  const auto refused = [&](const char* setting, const char* why) {
    expect_holds(message_of(ErrorKind::job_file, [&] { ScalingKeys(job(setting)).points(); }), why);
  };
  refused("multigrid.blocks=[\"3x2x2x2\"]",
          "blocks of 3x2x2x2 sites do not tile the 8x8x8x16 sites of a rank");
  refused("multigrid.blocks=[\"2x2x4x2\"]", "process grid 1x1x4x1");
  refused("multigrid.vectors=[65]", "multigrid.vectors");
  refused("action.type=staggered", "gcr_multigrid is of Wilson and clover quarks, not of staggered ones");
}

TEST(ScalingKeys, WeakGridsKeepTheLatticeNearACube) {
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

TEST(ScalingResults, ReferencesAndLatticesThatAreTheSame) {
  const auto points = ScalingKeys(job_with()).points();
  for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(reference_of(points, i), 0u) << i;
  for (std::size_t i = 9; i < points.size(); ++i) EXPECT_EQ(reference_of(points, i), 9u) << i;
  EXPECT_EQ(same_lattice(points, 0), 0u);
  EXPECT_EQ(same_lattice(points, 8), 0u);
  EXPECT_EQ(same_lattice(points, 10), 10u);
  EXPECT_EQ(same_lattice(points, 11), 10u);
  // Without one rank: the fewest, of the same transport.
  const std::vector<ScalingPoint> more(points.begin() + 1, points.begin() + 9);
  EXPECT_EQ(reference_of(more, 4), 0u);  // 1x1x4x1 by host
  EXPECT_EQ(reference_of(more, 5), 1u);
}

// The time of operator o, storage s and batch r at point i.
double made_up(std::size_t i, std::size_t k) {
  return 100.0 / static_cast<double>(i + 1) + static_cast<double>(k);
}

Results made_up_point(const ScalingKeys& keys, const ScalingPoint& point, std::size_t i,
                      std::uint64_t checksum = 5) {
  std::vector<Measured> found(keys.lists.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    const double us = made_up(i, k);
    found[k] = OperatorRate{{us, us / 2, us * 2, 5}, {2e6 * us, 1}, 1e-7, ""};
    found[k].exchanges = 2;
    found[k].exchange = {1, 2, 5, 3, 4};
    found[k].bytes_sent = 4096;
    found[k].checksum = checksum + k;
  }
  return results_of_point(keys, point, 1, found);
}

TEST(ScalingResults, EfficienciesAreAgainstTheFewestRanks) {
  const JobFile job = job_with();
  const ScalingKeys keys(job);
  const auto points = keys.points();
  std::vector<Results> pieces;
  for (std::size_t i = 0; i < points.size(); ++i) pieces.push_back(made_up_point(keys, points[i], i));
  const Results all = join_scaling(keys, points, pieces, {}, Predictor(job));
  const std::size_t n = keys.lists.size();
  const Numbers efficiency(all, "/scaling/efficiency"), tflops(all, "/scaling/tflops_per_rank"),
      exposed(all, "/scaling/exposed_microseconds");
  ASSERT_EQ(efficiency.extents(), (std::vector<std::size_t>{points.size(), 3, 2, 2}));
  for (std::size_t k = 0; k < n; ++k) {
    EXPECT_DOUBLE_EQ(efficiency[k], 1);
    EXPECT_DOUBLE_EQ(efficiency[3 * n + k], made_up(0, k) / (4 * made_up(3, k)));
    EXPECT_DOUBLE_EQ(efficiency[9 * n + k], 1);
    EXPECT_DOUBLE_EQ(efficiency[12 * n + k], made_up(9, k) / made_up(12, k));
    EXPECT_DOUBLE_EQ(tflops[n + k], 2);
    EXPECT_DOUBLE_EQ(exposed[n + k], 6);
  }
  for (const auto& dataset : all.datasets) {
    const auto axes = std::get<std::vector<std::string>>(*find_attribute(dataset.attributes, "axes"));
    EXPECT_EQ(axes.size(), dataset.extents.size()) << dataset.path;
    EXPECT_EQ(dataset.extents[0], points.size()) << dataset.path;
  }
  EXPECT_EQ(find_dataset(all, "/scaling/predicted_microseconds"), nullptr);
  const std::string text = scaling_text(keys, points, {{points[2], "no NCCL"}}, all);
  expect_holds(text, "strong scaling of 8x8x8x16; efficiency against 1 rank");
  expect_holds(text, "weak scaling, 4x4x4x4 on each rank");
  expect_holds(text, "1 point is missing:\n  strong 8x8x8x16 on 1x1x1x2 by nccl: no NCCL");
  const auto json =
      nlohmann::json::parse(scaling_json(keys, points, {}, all, {{"device", std::string("x")}}));
  ASSERT_EQ(json["rows"].size(), points.size() * n);
  const auto& row = json["rows"][3 * n + keys.lists.at(1, 1, 1)];
  EXPECT_EQ(row["operator"], "wilson_schur");
  EXPECT_EQ(row["storage"], "half 12");
  EXPECT_EQ(row["right_hand_sides"], 3);
  EXPECT_EQ(row["ranks"], 4);
  EXPECT_EQ(row["microseconds"], made_up(3, keys.lists.at(1, 1, 1)));
  EXPECT_EQ(row["bits_equal_to"], points[0].name());
  EXPECT_EQ(row["exchange"]["arrived"], 5);
  EXPECT_TRUE(json["rows"][0]["bits_equal_to"].is_null());
}

TEST(ScalingResults, PredictionsAreOfTheMachine) {
  const JobFile job = job_with({"model.machine=h200"});
  const ScalingKeys keys(job);
  const auto points = keys.points();
  const Predictor predictor(job);
  ASSERT_TRUE(predictor.knows_machine());
  const LinkStorage half(Precision::half_precision, 12);
  const auto of = [&](std::size_t i, const char* op, int rhs) {
    return predictor.predict(keys, points[i], 4, op, half, rhs);
  };
  EXPECT_EQ(of(0, "hop", 1).exposed_microseconds, 0);
  EXPECT_GT(of(1, "hop", 1).exposed_microseconds, 0);  // a lattice this small hides nothing
  EXPECT_GT(of(0, "hop", 1).microseconds, 0);
  EXPECT_GT(of(0, "schur", 1).microseconds, 1.9 * of(0, "hop", 1).microseconds);
  EXPECT_GT(of(0, "cg", 1).microseconds, 2 * of(0, "schur", 1).microseconds);
  EXPECT_GT(of(0, "hop", 3).microseconds, of(0, "hop", 1).microseconds);
  std::vector<Results> pieces;
  for (std::size_t i = 0; i < points.size(); ++i) pieces.push_back(made_up_point(keys, points[i], i));
  const Results all = join_scaling(keys, points, pieces, {}, predictor);
  EXPECT_DOUBLE_EQ(Numbers(all, "/scaling/predicted_microseconds")(1, 0, 1, 0),
                   predictor.predict(keys, points[1], 2, "hop", half, 1).microseconds);
  expect_holds(scaling_text(keys, points, {}, all), "model us");
  const std::string message = message_of(
      ErrorKind::input_file, [] { Predictor(job_with({"model.measurements=[\"/nowhere/network.json\"]"})); });
  expect_holds(message, "/nowhere/network.json");
}

// An iteration with a cycle is more than one without; its setup is no part of it.
TEST(ScalingResults, PredictionsHaveCycles) {
  const JobFile job = job_with({"model.machine=h200", "scaling.methods=[\"gcr\", \"gcr_multigrid\"]",
                                "multigrid.vectors=[8]", "multigrid.blocks=[\"2x2x2x2\"]"});
  const ScalingKeys keys(job);
  const auto points = keys.points();
  const Predictor predictor(job);
  for (const LinkStorage storage :
       {LinkStorage(Precision::single_precision, 12), LinkStorage(Precision::half_precision, 12)})
    for (const std::size_t i : {0, 3, 9}) {
      const auto of = [&](const char* key) {
        return predictor.predict(keys, points[i], 4, key, storage, 1).microseconds;
      };
      EXPECT_GT(of("gcr_multigrid"), 1.5 * of("gcr")) << i;
      EXPECT_LT(of("gcr_multigrid"), 200 * of("gcr")) << i;
    }
}

TEST(ScalingResults, OtherBitsAreAnError) {
  const ScalingKeys keys(job_with());
  const auto points = keys.points();
  const Results one = made_up_point(keys, points[0], 0), same = made_up_point(keys, points[3], 3),
                other = made_up_point(keys, points[3], 3, 6);
  EXPECT_NO_THROW(expect_same_bits(keys, points[3], same, points[0], one));
  const std::string message =
      message_of(ErrorKind::internal, [&] { expect_same_bits(keys, points[3], other, points[0], one); });
  expect_holds(message, "wilson_hop in double 18 with 1 right-hand side has another result on 1x1x1x4");
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
                            const Subject& what) {
    const StudyLattice lattice(comm, extents, {shape, forced}, [](const ProcessGrid& grid) {
      return choose_transport(grid, Location::host, TransportKind::host);
    });
    const RateProblem rates = lattice.problem(Queue(Location::host), 1);
    const auto action = make_rated_action(rates, parameters);
    return what.measure({rates, action.get(), 4, 0, &multigrid}, what.key,
                        what.fixes_gauge() ? of_fixing : of_dirac, 2);
  };
  const bool positive = parameters->spins() == 1;
  const int least_slices = parameters->least_slices();
  for (const std::string& key : keys) {
    const Subject& what = subject(key);
    SCOPED_TRACE(key);
    std::vector<std::uint64_t> one(2);
    on_first_ranks(MPI_COMM_WORLD, 1, [&](const Communicator& comm) {
      const auto found = measured(comm, {1, 1, 1, 1}, 0, what);
      for (std::size_t s = 0; s < 2; ++s) {
        one[s] = found[s].checksum;
        EXPECT_EQ(found[s].bytes_sent, 0);
        EXPECT_EQ(found[s].exchange.exposed, 0);
        EXPECT_GT(found[s].samples.median, 0);
        EXPECT_GT(found[s].work.flops, 0);
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
            EXPECT_EQ(found[s].checksum, one[s]);
            EXPECT_EQ(found[s].exchanges, exchanges);
            // Half spinors of 12 reals in double; in half precision floats, and the scale of a site. Of
            // gauge fixing as many reals as a link, in its precision.
            const double bytes = what.fixes_gauge() ? (s == 0 ? 96 : 48) : face_bytes[s];
            EXPECT_GE(found[s].bytes_sent, exchanges * sites * 2 * bytes);
            EXPECT_GT(found[s].exchange.arrived, 0);
            EXPECT_GE(found[s].exchange.exposed, 0);
            EXPECT_LT(found[s].difference, s == 0 ? 1e-13 : 1e-2);
          }
        });
  }
}

TEST(Subjects, OnTheFirstRanksAloneAndWithTheBitsOfOne) {
  WilsonParameters clover;
  clover.mass = 0.4;
  clover.clover = CloverCoefficients::isotropic(1.1);
  std::vector<std::string> all;
  for (const Subject& one : subjects()) all.emplace_back(one.key);
  expect_bits_of_one(wilson_action(clover), {4, 4, 4, 8}, all, {96, 24});
}

TEST(Subjects, StaggeredQuarksHaveTheBitsOfOne) {
  StaggeredParameters staggered;
  staggered.mass = 0.3;
  expect_bits_of_one(staggered_action(staggered), {4, 4, 4, 8}, {"hop", "schur", "cg"}, {48, 24});
  expect_bits_of_one(asqtad_action({staggered, 0.9}), {4, 4, 8, 8}, {"hop", "schur"}, {3.5 * 48, 3.5 * 24});
}

TEST(Subjects, DomainWallsHaveTheBitsOfOne) {
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
