// The model of time on many GPUs: against numbers worked out by hand, and at its limits.
#include "jobs/model/trace_time.hpp"
#include "quarks/action/domain_wall_action.hpp"
#include "quarks/action/staggered_action.hpp"
#include "quarks/action/wilson_action.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "comms/grid/grid_choice.hpp"
#include "comms/grid/process_grid.hpp"
#include "core/system/error.hpp"
#include "jobs/model/link_fit.hpp"
#include "jobs/study/prediction.hpp"
#include "tests/jobs/schema/job_file_helpers.hpp"

namespace plaq::jobs::test {
namespace {

constexpr auto half_precision = Precision::half_precision, single_precision = Precision::single_precision,
               double_precision = Precision::double_precision;

// Round numbers: 1000 bytes a microsecond of memory, 100 near and 10 far.
MachineModel round_machine() {
  MachineModel m;
  m.name = "round";
  m.ranks_per_node = 2;
  m.memory_bandwidth = 1e9;
  m.launch = 3e-6;
  m.near = {5e-6, 1e-6, 1e8};
  m.far = {50e-6, 2e-6, 1e7};
  m.sum_wait = 20e-6;
  m.near_sum_step = 4e-6, m.far_sum_step = 7e-6;
  m.in_one_launch = {2e-6, 0, 0.5e-9, 0.25e-9, 40e-9};
  m.in_launches = {7e-6, 9e-6, 1.5e-9, 1.25e-9, 90e-9};
  m.shares = {{KernelKind::wilson_hop, double_precision, 18, 1, false, 0.5},
              {KernelKind::packing, double_precision, 0, 1, false, 0.2},
              {KernelKind::vector_update, double_precision, 0, 1, false, 0.8}};
  return m;
}

PerformanceTrace::Section section_in(const ActionPtr& action, std::string_view key,
                                     const LinkStorage& storage, int rhs, PredictedPlace place,
                                     int ranks_per_node) {
  Asked asked;
  asked.action = action;
  asked.storages = {storage};
  asked.right_hand_sides = {rhs};
  place.ranks_per_node = ranks_per_node;
  return section_of(key, asked, place);
}

// One application or iteration.
TraceTime time_of(const MachineModel& machine, std::string_view key, const LinkStorage& storage,
                  const PredictedPlace& place, int rhs = 1, const ActionPtr& action = wilson_action({})) {
  return section_time(machine, section_in(action, key, storage, rhs, place, machine.ranks_per_node));
}

ActionPtr clover() {
  WilsonParameters parameters;
  parameters.clover = {1, 1};
  return wilson_action(parameters);
}

// Worked out by hand: 8x4x4x8 on 1x1x1x2, t split, one node. A rank has 8x4x4x4 = 512 sites, 256 of a parity,
// of which 2 of 4 slices, 128, are boundary. A site: 8 links x 144 + 2 spinors x 192 = 1536 bytes.
TEST(TraceTime, HopByHand) {
  const MachineModel m = round_machine();
  const PredictedPlace part{{8, 4, 4, 8}, {1, 1, 1, 2}};
  const LinkStorage exact(double_precision, 18);
  const TraceTime t = time_of(m, "hop", exact, part);
  EXPECT_NEAR(t.interior, 128 * 1536 / (1e9 * 0.5), 1e-12);
  EXPECT_NEAR(t.boundary, 9e-6 + 128 * (1536 / (1e9 * 0.5) + 90e-9), 1e-12);
  // A face: 64 sites. Two sides of spinors of 192 bytes, links of 144 for one of them.
  EXPECT_NEAR(t.packing, 7e-6 + 64 * (2 * 192 + 144) / (1e9 * 0.2), 1e-12);
  // Half spinors of 96 bytes to both sides.
  EXPECT_NEAR(t.communication, 5e-6 + 1e-6 + 2 * 64 * 96 / 1e8, 1e-12);
  EXPECT_EQ(t.exposed, 0);  // 128.9 us hide behind 393 us
  EXPECT_NEAR(t.launches, 6e-6, 1e-15);
  EXPECT_NEAR(t.total(), t.interior + t.boundary + t.packing + 6e-6, 1e-12);
  EXPECT_NEAR(t.alone, 256 * 1536 / (1e9 * 0.5) + 3e-6, 1e-12);
  EXPECT_NEAR(t.one_rank, 512 * 1536 / (1e9 * 0.5) + 3e-6, 1e-12);
  EXPECT_NEAR(t.efficiency(), t.one_rank / 2 / t.total(), 1e-12);
  // One launch for all of it.
  MachineModel fused = m;
  fused.fused = true;
  const TraceTime one = time_of(fused, "hop", exact, part);
  EXPECT_NEAR(one.interior + one.boundary, 256 * 1536 / (1e9 * 0.5) + 128 * 40e-9, 1e-12);
  EXPECT_NEAR(one.packing, t.packing - 5e-6, 1e-12);
  EXPECT_NEAR(one.launches, 3e-6, 1e-15);
  EXPECT_EQ(one.exposed, 0);
  EXPECT_EQ(one.communication, t.communication);
  fused.fused_latency = 20e-6;  // a measured link is faster
  EXPECT_EQ(time_of(fused, "hop", exact, part).communication, t.communication);
  fused.fused_latency = 2e-6;
  EXPECT_NEAR(time_of(fused, "hop", exact, part).communication, t.communication - 3e-6, 1e-12);
  EXPECT_NEAR(one.total(), one.interior + one.boundary + one.packing + 3e-6, 1e-12);
  // On two nodes: 54 us and 12288 bytes at 10 MB/s are exposed but for packing and the interior's 393 us.
  MachineModel apart = m;
  apart.ranks_per_node = 1;
  const TraceTime u = time_of(apart, "hop", exact, part);
  EXPECT_NEAR(u.communication, 52e-6 + 12288 / 1e7, 1e-12);
  EXPECT_NEAR(u.exposed, u.communication - u.packing - u.interior, 1e-12);
  EXPECT_NEAR(u.total() - t.total(), u.exposed, 1e-12);
  EXPECT_EQ(limiting_part(u), "bandwidth between nodes");
}

// A rank whose own processor moves the bytes: they take their time beside what is computed, and beside those
// of the other link.
TEST(TraceTime, WhatALinkDoesNotHide) {
  const LinkStorage exact(double_precision, 18);
  const PredictedPlace part{{8, 4, 4, 8}, {1, 1, 1, 2}}, ring{{8, 4, 4, 16}, {1, 1, 1, 4}};
  MachineModel m = round_machine();
  m.ranks_per_node = 1;
  const TraceTime all = time_of(m, "hop", exact, part);
  m.far.hidden = 0.25;
  const TraceTime some = time_of(m, "hop", exact, part);
  EXPECT_EQ(some.communication, all.communication);
  EXPECT_NEAR(some.exposed, some.communication - 0.25 * (some.packing + some.interior), 1e-12);
  m.far.hidden = 0;
  const TraceTime none = time_of(m, "hop", exact, part);
  EXPECT_NEAR(none.exposed, none.communication, 1e-15);
  EXPECT_NEAR(none.total() - all.total(), all.communication - all.exposed, 1e-12);
  // A face within the node and one that leaves it: 50 us and 6144 bytes at 10 MB/s, 5 us and as many at 100.
  m.ranks_per_node = 2;
  EXPECT_NEAR(time_of(m, "hop", exact, ring).communication, 50e-6 + 6144 / 1e7, 1e-12);
  m.near.hidden = 0;
  EXPECT_NEAR(time_of(m, "hop", exact, ring).communication, 55e-6 + 6144 / 1e7 + 6144 / 1e8, 1e-12);
}

TEST(TraceTime, IterationByHand) {
  const MachineModel m = round_machine();
  const LinkStorage exact(double_precision, 18);
  const PredictedPlace part{{8, 4, 4, 16}, {1, 1, 1, 4}};  // two nodes of two
  const TraceTime op = time_of(m, "schur", exact, part), t = time_of(m, "bicgstab", exact, part);
  EXPECT_NEAR(t.total() - t.vectors - t.sums, 2 * op.total(), 1e-12);
  EXPECT_NEAR(t.vectors, 16 * 256 * 192 / (1e9 * 0.8) + 4 * 3e-6, 1e-12);
  const double sum = 560;  // bytes of an exact sum: 67 limbs and what is not finite
  EXPECT_NEAR(t.sums, 2 * 20e-6 + 2 * (4e-6 + 7e-6) + (2 + 8) * sum * (1 / 1e8 + 1 / 1e7), 1e-12);
  // Two hops, the second of which reads a spinor more.
  EXPECT_NEAR(op.interior, 128 * (1536 + 1728) / (1e9 * 0.5), 1e-12);
}

// Vectors that an iteration reads and writes, and the sums that it waits for, as the heads of solvers/krylov
// say.
TEST(TraceTime, IterationsOfEveryMethod) {
  struct Method {
    const char* key;
    double hops, vectors;
    std::vector<int> sums;
  };
  const Method methods[] = {
      {"cg", 4, 10, {1, 2}}, {"cgne", 4, 8, {1, 1}}, {"bicgstab", 4, 16, {2, 8}}, {"mr", 2, 7, {3, 1}}};
  for (const Method& method : methods) {
    const PerformanceTrace::Section section =
        section_in(wilson_action({}), method.key, {single_precision, 12}, 1, {{8, 8, 8, 8}}, 1);
    double hops = 0, vectors = 0;
    std::vector<int> sums;
    for (const auto& [step, count] : section.rows) {
      const double times = static_cast<double>(count) / section.passes;
      if (step.sums > 0) {
        for (int i = 0; i < times; ++i) sums.push_back(step.sums);
      } else if (step.kernel != "vector_update") {
        hops += times;
      } else {
        vectors += times * step.bytes / (2048 * 96);
      }
    }
    EXPECT_NEAR(hops, method.hops, 1e-9) << method.key;
    EXPECT_NEAR(vectors, method.vectors, 1e-9) << method.key;
    EXPECT_EQ(sums, method.sums) << method.key;
  }
}

// All of a machine of one rank, for any operator: nothing is exchanged.
TEST(TraceTime, OneRankIsTheLimitWithoutCommunication) {
  const MachineModel m = machine_named("h200");
  for (const char* key : {"hop", "schur", "schur_asymmetric", "bicgstab"})
    for (const auto precision : {half_precision, single_precision, double_precision}) {
      const TraceTime t = time_of(m, key, {precision, 12}, {{16, 16, 16, 32}}, 12);
      EXPECT_NEAR(t.total(), t.one_rank, 1e-15);
      EXPECT_NEAR(t.total(), t.alone, 1e-15);
      EXPECT_EQ(t.communication, 0);
      EXPECT_EQ(limiting_part(t), "nothing");
      EXPECT_NEAR(t.efficiency(), 1, 1e-9);
    }
  // A network and faces that take no time, and equal shares: only launches and packing are left of the
  // exchange.
  MachineModel fast = round_machine();
  fast.in_launches = {};
  fast.near = fast.far = {0, 0, 1e30};
  fast.launch = 0;
  fast.shares.clear();
  const TraceTime t = time_of(fast, "hop", {single_precision, 12}, {{16, 16, 16, 64}, {1, 1, 2, 4}});
  EXPECT_NEAR(t.total() - t.packing, t.alone, 1e-15);
  EXPECT_NEAR(8 * t.alone, t.one_rank, 1e-15);
}

TEST(TraceTime, MoreIsNeverSlower) {
  std::vector<PerformanceTrace::Section> sections;
  for (const int rhs : {1, 12})
    for (const Extents& grid : {Extents{1, 1, 1, 1}, Extents{1, 1, 2, 4}, Extents{2, 4, 4, 4}}) {
      const PredictedPlace place{{16, 16, 16, 32}, grid};
      sections.push_back(section_in(clover(), "cg", {half_precision, 12}, rhs, place, 8));
    }
  const auto times = [&](const MachineModel& m) {
    std::vector<double> all;
    for (const auto& section : sections) all.push_back(section_time(m, section).total());
    return all;
  };
  const auto base = times(machine_named("h200"));
  using Change = void (*)(MachineModel&);
  for (const Change change :
       {Change([](MachineModel& m) { m.memory_bandwidth *= 2; }),
        Change([](MachineModel& m) { m.near.bandwidth *= 2; }),
        Change([](MachineModel& m) { m.far.bandwidth *= 2; }),
        Change([](MachineModel& m) { m.far.latency /= 2; }),
        Change([](MachineModel& m) { m.far.message = 0; }), Change([](MachineModel& m) { m.launch /= 2; }),
        Change([](MachineModel& m) { m.sum_wait = m.device_sum; }),
        Change([](MachineModel& m) { m.device_sum_step = 0; }),
        Change([](MachineModel& m) { m.in_launches = {}; }),
        Change([](MachineModel& m) { m.in_one_launch = {}, m.fused_latency /= 2; }),
        Change([](MachineModel& m) { m.far_sum_step /= 2; }),
        Change([](MachineModel& m) { m.ranks_per_node = 64; })}) {
    MachineModel m = machine_named("h200");
    change(m);
    const auto now = times(m);
    int better = 0;
    for (std::size_t i = 0; i < base.size(); ++i) {
      EXPECT_LE(now[i], base[i]);
      better += now[i] < base[i] ? 1 : 0;
    }
    EXPECT_GT(better, 0);
  }
}

// Which faces leave the node, against every rank and neighbour of a real grid's numbering.
TEST(TraceTime, FacesThatLeaveTheNode) {
  const auto far_faces = [](const Extents& grid, int ranks_per_node) {
    MachineModel m = round_machine();
    m.ranks_per_node = ranks_per_node;
    TraceFaces faces;
    faces.grid = grid;
    for (std::size_t mu = 0; mu < 4; ++mu) {
      faces.global[mu] = 8 * grid[mu];
      if (grid[mu] > 1) faces.bytes[2 * mu] = faces.bytes[2 * mu + 1] = 256 * 48;
    }
    return slowest_exchange(m, faces).far_faces;
  };
  const auto slow = [](const Extents& grid, int ranks_per_node) {
    std::vector<int> nodes;
    for (int r = 0; r < grid[0] * grid[1] * grid[2] * grid[3]; ++r)
      nodes.push_back(r / ranks_per_node * ranks_per_node);
    const Extents global{8 * grid[0], 8 * grid[1], 8 * grid[2], 8 * grid[3]};
    const auto cells = cells_of_ranks(grid, choose_block(grid, global, ranks_per_node), nodes);
    std::vector<int> node_of(cells.size());
    for (std::size_t r = 0; r < cells.size(); ++r) node_of[static_cast<std::size_t>(cells[r])] = nodes[r];
    int most = 0;
    for (int cell = 0; cell < static_cast<int>(cells.size()); ++cell) {
      int leave = 0;
      for (std::size_t mu = 0; mu < 4; ++mu)
        for (const int step : {1, -1}) {
          Extents there = position_of(cell, grid);
          there[mu] = (there[mu] + step + grid[mu]) % grid[mu];
          leave += node_of[static_cast<std::size_t>(cell_of(there, grid))] !=
                           node_of[static_cast<std::size_t>(cell)]
                       ? 1
                       : 0;
        }
      most = std::max(most, leave);
    }
    return most;
  };
  for (const Extents& grid : {Extents{1, 1, 2, 4}, Extents{1, 2, 2, 8}, Extents{2, 2, 2, 2},
                              Extents{1, 1, 1, 6}, Extents{4, 4, 4, 4}, Extents{3, 1, 5, 2}}) {
    const int ranks = grid[0] * grid[1] * grid[2] * grid[3];
    for (const int ranks_per_node : {1, 2, 3, 4, 8, 16, 1000}) {
      SCOPED_TRACE(to_string(grid) + " " + std::to_string(ranks_per_node));
      // Nodes that do not share the ranks evenly are taken for smaller ones.
      if (ranks % ranks_per_node == 0 || ranks < ranks_per_node) {
        EXPECT_EQ(far_faces(grid, ranks_per_node), slow(grid, ranks_per_node));
      } else {
        EXPECT_GE(far_faces(grid, ranks_per_node), slow(grid, ranks_per_node));
      }
    }
  }
  EXPECT_EQ(far_faces({1, 1, 2, 4}, 8), 0);
  EXPECT_EQ(far_faces({1, 1, 2, 4}, 2), 2);  // z within the node
}

TEST(MachineModel, NearestShare) {
  MachineModel m;
  m.shares = {{KernelKind::wilson_hop, single_precision, 18, 1, false, 0.9},
              {KernelKind::wilson_hop, single_precision, 12, 12, false, 0.6},
              {KernelKind::wilson_hop, half_precision, 12, 1, false, 0.7},
              {KernelKind::clover_operator, single_precision, 12, 1, true, 0.8},
              {KernelKind::packing, single_precision, 0, 1, false, 0.3}};
  const auto hop = KernelKind::wilson_hop, clover = KernelKind::clover_operator;
  EXPECT_EQ(m.share(hop, single_precision, 18, 1), 0.9);
  EXPECT_EQ(m.share(hop, single_precision, 12, 1), 0.9);  // sooner other reals than another batch
  EXPECT_EQ(m.share(hop, single_precision, 18, 12), 0.6);
  EXPECT_EQ(m.share(hop, half_precision, 8, 12), 0.7);
  EXPECT_EQ(m.share(clover, single_precision, 12, 1), 0.8);
  EXPECT_EQ(m.share(clover, half_precision, 12, 1), 0.7);  // sooner the hopping term than another precision
  EXPECT_EQ(m.share(KernelKind::wilson_operator, single_precision, 18, 1), 0.9);
  EXPECT_EQ(m.share(KernelKind::packing, double_precision), 0.3);
  EXPECT_EQ(m.share(KernelKind::transfer, single_precision), 1);
  m.set_share({hop, single_precision, 18, 1, false, 0.5});
  EXPECT_EQ(m.shares.size(), 5u);
  EXPECT_EQ(m.share(hop, single_precision, 18, 1), 0.5);
  m.set_share({hop, single_precision, 18, 1, true, 0.4});
  EXPECT_EQ(m.shares.size(), 6u);
}

// What docs/performance.md has, within the rounding of shares and a launch.
TEST(MachineModel, H200HasTheMeasuredRates) {
  const MachineModel m = machine_named("h200");
  const PredictedPlace part{{32, 32, 32, 64}};
  const auto us = [&](const char* key, const LinkStorage& storage, const ActionPtr& parameters) {
    return 1e6 * time_of(m, key, storage, part, 1, parameters).total();
  };
  EXPECT_NEAR(us("hop", {single_precision, 12}, wilson_action({})), 149.6, 4);
  EXPECT_NEAR(us("hop", {half_precision, 12}, wilson_action({})), 103.2, 4);
  EXPECT_NEAR(us("hop", {double_precision, 18}, wilson_action({})), 414.4, 8);
  EXPECT_NEAR(us("schur", {single_precision, 12}, clover()), 481.0, 15);
  EXPECT_NEAR(us("hop", {single_precision, 8}, staggered_action({})), 82, 3);
  EXPECT_NEAR(us("hop", {single_precision, 8}, asqtad_action({})), 221, 6);
  DomainWallChoice wall;
  wall.n_s = 12;
  EXPECT_NEAR(
      1e6 * time_of(m, "schur", {single_precision, 12}, {{24, 24, 24, 64}}, 1, domain_wall_action(wall))
                .total(),
      1670, 100);
  EXPECT_NEAR(1e6 * time_of(m, "gauge_fixing", {single_precision, 12}, {{32, 32, 32, 32}}).total(), 152, 5);
}

TEST(MachineModel, UnknownNamesAndMissingConstants) {
  expect_holds(message_of(ErrorKind::usage, [] { machine_named("h20"); }), "did you mean 'h200'?");
  for (const auto& name : machine_names()) EXPECT_EQ(machine_named(name).name, name);
  MachineModel m = round_machine();
  m.far = {};
  m.check_complete(2);
  m.ranks_per_node = std::numeric_limits<int>::max();  // all on one
  m.check_complete(4096);
  EXPECT_NEAR(m.sum_seconds(4096, 1), 20e-6 + 12 * (4e-6 + 560 / 1e8), 1e-12);
  m.ranks_per_node = 2;
  expect_holds(message_of(ErrorKind::usage, [&] { m.check_complete(3); }), "between nodes");
  // GPUs of a node add with steps of their own; over nodes hosts add.
  m = round_machine();
  m.device_sum = 10e-6, m.device_sum_step = 3e-6;
  EXPECT_NEAR(m.sum_seconds(2, 1, true), 13e-6 + 560 / 1e8, 1e-12);
  EXPECT_NEAR(m.sum_seconds(2, 1, false), 24e-6 + 560 / 1e8, 1e-12);
  EXPECT_EQ(m.sum_seconds(4, 1, true), m.sum_seconds(4, 1, false));
}

TEST(LinkFit, FindsWhatWasPutIn) {
  const LinkModel link{7e-6, 0.5e-6, 12e9};
  std::vector<ExchangeSample> samples, one_face;
  for (const int faces : {1, 2, 4, 8})
    for (double bytes = 64; bytes < 2e7; bytes *= 4) {
      samples.push_back({faces, faces * bytes, link.seconds(faces, faces * bytes)});
      if (faces == 2) one_face.push_back(samples.back());
    }
  const LinkFit fit = fit_link(samples);
  EXPECT_NEAR(fit.link.latency, 7e-6, 1e-11);
  EXPECT_NEAR(fit.link.message, 0.5e-6, 1e-11);
  EXPECT_NEAR(fit.link.bandwidth, 12e9, 1e4);
  EXPECT_LT(fit.worst, 1e-6);
  EXPECT_NEAR(fit_link(one_face).link.latency, 7.5e-6, 1e-11);
  EXPECT_EQ(fit_link(one_face).link.message, 0);
}

// Two samples of one constant: the fit of least relative squares is 1/x = sum t / sum t^2 with t = bytes / T.
TEST(LinkFit, LeastRelativeSquaresWithoutNegativeConstants) {
  const std::vector<ExchangeSample> samples = {{1, 100, 1e-6}, {1, 200, 4e-6}};  // a line: latency -2 us
  const LinkFit fit = fit_link(samples);
  EXPECT_EQ(fit.link.latency, 0);
  const double t1 = 100 / 1e-6, t2 = 200 / 4e-6;
  EXPECT_NEAR(fit.link.bandwidth, (t1 * t1 + t2 * t2) / (t1 + t2), 1);
  EXPECT_NEAR(fit.worst, std::abs(t2 / fit.link.bandwidth - 1), 1e-9);
  EXPECT_NEAR(
      fit.mean_square,
      std::sqrt(0.5 * (std::pow(t1 / fit.link.bandwidth - 1, 2) + std::pow(t2 / fit.link.bandwidth - 1, 2))),
      1e-9);
  EXPECT_THROW(fit_link({{1, 100, 1e-6}, {1, 100, 2e-6}}), Error);
  EXPECT_THROW(fit_link({{1, 100, 0}, {1, 200, 2e-6}}), Error);
}

}  // namespace
}  // namespace plaq::jobs::test
