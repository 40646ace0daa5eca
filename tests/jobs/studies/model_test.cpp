// The model of time on many GPUs: against numbers worked out by hand, against the classes that it speaks of,
// and at its limits.
#include "jobs/model/iteration_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "comms/grid/grid_choice.hpp"
#include "comms/grid/process_grid.hpp"
#include "comms/halo/halo.hpp"
#include "core/system/error.hpp"
#include "jobs/model/link_fit.hpp"
#include "jobs/rates/random_fields.hpp"
#include "kernels/dirac/staggered/staggered.hpp"
#include "kernels/dirac/wilson/wilson_schur.hpp"
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
  m.shares = {{KernelKind::wilson_hop, double_precision, 18, 1, false, 0.5},
              {KernelKind::boundary, double_precision, 0, 1, false, 0.25},
              {KernelKind::packing, double_precision, 0, 1, false, 0.2},
              {KernelKind::fused_packing, double_precision, 0, 1, false, 0.1},
              {KernelKind::vector_update, double_precision, 0, 1, false, 0.8}};
  return m;
}

ModelOperator hop_in(Precision precision, int reals, int rhs = 1) {
  ModelOperator op;
  op.storage = {precision, reals};
  op.right_hand_sides = rhs;
  return op;
}

// Worked out by hand: 8x4x4x8 on 1x1x1x2, t split, one node. A rank has 8x4x4x4 = 512 sites, 256 of a parity,
// of which 2 of 4 slices, 128, are boundary. A site: 8 links x 144 + 2 spinors x 192 = 1536 bytes.
TEST(OperatorModel, HopByHand) {
  const MachineModel m = round_machine();
  const ModelPart part{{8, 4, 4, 8}, {1, 1, 1, 2}};
  const OperatorTime t = operator_time(m, hop_in(double_precision, 18), part);
  EXPECT_NEAR(t.interior, 128 * 1536 / (1e9 * 0.5), 1e-12);
  EXPECT_NEAR(t.boundary, 128 * 1536 / (1e9 * 0.25), 1e-12);
  // A face: 64 sites. Two sides of spinors of 192 bytes, links of 144 for one of them.
  EXPECT_NEAR(t.packing, 64 * (2 * 192 + 144) / (1e9 * 0.2), 1e-12);
  EXPECT_EQ(t.exchange.near_faces, 2);
  EXPECT_EQ(t.exchange.far_faces, 0);
  EXPECT_EQ(t.exchange.near_bytes, 2 * 64 * 96);
  EXPECT_NEAR(t.communication, 5e-6 + 1e-6 + 2 * 64 * 96 / 1e8, 1e-12);
  EXPECT_EQ(t.exposed, 0);  // 128.9 us hide behind 393 us
  EXPECT_NEAR(t.launches, 6e-6, 1e-15);
  EXPECT_NEAR(t.total, t.interior + t.boundary + t.packing + 6e-6, 1e-12);
  EXPECT_NEAR(t.alone, 256 * 1536 / (1e9 * 0.5) + 3e-6, 1e-12);
  EXPECT_NEAR(t.one_rank, 512 * 1536 / (1e9 * 0.5) + 3e-6, 1e-12);
  EXPECT_NEAR(t.efficiency(), t.one_rank / 2 / t.total, 1e-12);
  // One launch for all of it.
  MachineModel fused = m;
  fused.fused = true;
  const OperatorTime one = operator_time(fused, hop_in(double_precision, 18), part);
  EXPECT_NEAR(one.interior + one.boundary, 256 * 1536 / (1e9 * 0.5), 1e-12);
  EXPECT_NEAR(one.packing, 2 * t.packing, 1e-12);
  EXPECT_NEAR(one.launches, 3e-6, 1e-15);
  EXPECT_EQ(one.exposed, 0);
  EXPECT_NEAR(one.total, one.interior + one.boundary + one.packing + 3e-6, 1e-12);
  // On two nodes: 54 us and 12288 bytes at 10 MB/s are exposed but for the interior's 393 us.
  MachineModel apart = m;
  apart.ranks_per_node = 1;
  const OperatorTime u = operator_time(apart, hop_in(double_precision, 18), part);
  EXPECT_EQ(u.exchange.far_faces, 2);
  EXPECT_NEAR(u.communication, 52e-6 + 12288 / 1e7, 1e-12);
  EXPECT_NEAR(u.exposed, u.communication - u.interior, 1e-12);
  EXPECT_NEAR(u.total - t.total, u.exposed, 1e-12);
  EXPECT_EQ(limiting_part(u), "bandwidth between nodes");
}

TEST(OperatorModel, IterationByHand) {
  const MachineModel m = round_machine();
  ModelOperator op = hop_in(double_precision, 18);
  op.kind = OperatorKind::even_odd;
  const ModelPart part{{8, 4, 4, 16}, {1, 1, 1, 4}};  // two nodes of two
  const IterationTime t = iteration_time(m, iteration_cost("bicgstab"), op, part);
  EXPECT_NEAR(t.operators, 2 * t.op.total, 1e-12);
  EXPECT_NEAR(t.vectors, 16 * 256 * 192 / (1e9 * 0.8) + 4 * 3e-6, 1e-12);
  const double sum = 560;  // bytes of an exact sum: 67 limbs and what is not finite
  EXPECT_NEAR(t.sums, 2 * 20e-6 + 2 * (4e-6 + 7e-6) + (2 + 8) * sum * (1 / 1e8 + 1 / 1e7), 1e-12);
  EXPECT_NEAR(t.total, t.operators + t.vectors + t.sums, 1e-15);
  // Two hops, the second of which reads a spinor more.
  EXPECT_NEAR(t.op.interior, 128 * (1536 + 1728) / (1e9 * 0.5), 1e-12);
  EXPECT_EQ(t.op.exchanges, 2);
}

// All of a machine of one rank, for any operator: nothing is exchanged.
TEST(OperatorModel, OneRankIsTheLimitWithoutCommunication) {
  const MachineModel m = machine_named("h200");
  for (const OperatorKind kind : {OperatorKind::hop, OperatorKind::even_odd, OperatorKind::full})
    for (const auto precision : {half_precision, single_precision, double_precision}) {
      ModelOperator op = hop_in(precision, 12, 12);
      op.kind = kind;
      const OperatorTime t = operator_time(m, op, {{16, 16, 16, 32}});
      EXPECT_DOUBLE_EQ(t.total, t.one_rank);
      EXPECT_DOUBLE_EQ(t.total, t.alone);
      EXPECT_EQ(t.communication, 0);
      EXPECT_EQ(limiting_part(t), "nothing");
      EXPECT_DOUBLE_EQ(t.efficiency(), 1);
    }
  // A network that takes no time, and equal shares: only launches and packing are left of the exchange.
  MachineModel fast = round_machine();
  fast.near = fast.far = {0, 0, 1e30};
  fast.launch = 0;
  fast.shares.clear();
  const OperatorTime t = operator_time(fast, hop_in(single_precision, 12), {{16, 16, 16, 64}, {1, 1, 2, 4}});
  EXPECT_NEAR(t.total - t.packing, t.alone, 1e-15);
  EXPECT_NEAR(8 * t.alone, t.one_rank, 1e-15);
}

TEST(OperatorModel, MoreIsNeverSlower) {
  const auto times = [](const MachineModel& m) {
    std::vector<double> all;
    for (const int rhs : {1, 12})
      for (const Extents& grid : {Extents{1, 1, 1, 1}, Extents{1, 1, 2, 4}, Extents{2, 4, 4, 4}}) {
        ModelOperator op = hop_in(half_precision, 12, rhs);
        op.kind = OperatorKind::even_odd;
        op.clover = true;
        all.push_back(iteration_time(m, iteration_cost("cg"), op, {{16, 16, 16, 32}, grid}).total);
      }
    return all;
  };
  const auto base = times(machine_named("h200"));
  int better = 0;
  const auto expect_not_slower = [&](const MachineModel& m) {
    const auto now = times(m);
    for (std::size_t i = 0; i < base.size(); ++i) {
      EXPECT_LE(now[i], base[i]);
      better += now[i] < base[i] ? 1 : 0;
    }
  };
  using Change = void (*)(MachineModel&);
  for (const Change change :
       {Change([](MachineModel& m) { m.memory_bandwidth *= 2; }),
        Change([](MachineModel& m) { m.near.bandwidth *= 2; }),
        Change([](MachineModel& m) { m.far.bandwidth *= 2; }),
        Change([](MachineModel& m) { m.far.latency /= 2; }),
        Change([](MachineModel& m) { m.far.message = 0; }), Change([](MachineModel& m) { m.launch /= 2; }),
        Change([](MachineModel& m) { m.sum_wait = 0; }), Change([](MachineModel& m) { m.far_sum_step /= 2; }),
        Change([](MachineModel& m) { m.ranks_per_node = 64; })}) {
    MachineModel m = machine_named("h200");
    const int before = better;
    change(m);
    expect_not_slower(m);
    EXPECT_GT(better, before);
  }
}

// Which faces leave the node, against every rank and neighbour of a real grid's numbering.
TEST(OperatorModel, FacesThatLeaveTheNode) {
  const auto far_faces = [](const Extents& grid, int ranks_per_node) {
    MachineModel m = round_machine();
    m.ranks_per_node = ranks_per_node;
    const Extents global{8 * grid[0], 8 * grid[1], 8 * grid[2], 8 * grid[3]};
    return slowest_exchange(m, hop_in(single_precision, 12), {global, grid}).far_faces;
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

// Messages are those of the halo but for padding, and work is that of the operators.
TEST(OperatorModel, BytesAreThoseOfTheOperators) {
  const Decomposition d{{16, 8, 8, 24}, {1, 1, 2, 3}, {0, 0, 0, 0}, 0b0010};
  const auto geometry = Geometry::create(d);
  const ModelPart part{d.global, d.ranks, d.forced};
  EXPECT_EQ(part.sites(), static_cast<double>(geometry->local_volume()));
  double boundary = 0;
  for (const int parity : {0, 1})
    boundary += geometry->region(Region::boundary, parity, Location::host).count;
  EXPECT_EQ(part.boundary_sites(), boundary);
  for (const auto precision : {half_precision, single_precision, double_precision}) {
    const bool half = precision == half_precision;
    HaloSpec spec{12, 3, half ? single_precision : precision, Location::host};
    spec.site_scale = half;
    const HaloFaces faces(*geometry, spec);
    for (int mu = 0; mu < 4; ++mu) {
      EXPECT_EQ(part.partitioned(mu), geometry->partitioned(mu));
      if (part.partitioned(mu)) {
        EXPECT_EQ(face_message_bytes(hop_in(precision, 18, 3), part, mu),
                  static_cast<double>(faces.message_bytes[static_cast<std::size_t>(2 * mu)]));
      }
    }
  }
}

TEST(OperatorModel, WorkIsThatOfTheOperators) {
  const ProcessGrid grid(MPI_COMM_WORLD, {1, 1, 1, 1});
  const auto geometry = grid.geometry({4, 4, 4, 8});
  const Field gauge = random_gauge(geometry, 3);
  const double sites = static_cast<double>(geometry->local_volume()) / 2;
  for (const auto precision : {half_precision, single_precision, double_precision})
    for (const int reals : {18, 12, 8}) {
      const WilsonHopping hop(grid, gauge, {}, {precision, reals}, Queue(Location::host), nullptr);
      for (const bool adds : {false, true})
        for (const bool clover : {false, true}) {
          ModelOperator op = hop_in(precision, reals, 5);
          op.clover = clover;
          const Work found = hop_work(op, sites, adds, 8), expected = hop.work(5, adds, clover);
          EXPECT_EQ(found.bytes, expected.bytes) << name_of(precision) << reals << adds << clover;
          EXPECT_EQ(found.flops, expected.flops);
        }
    }
}

TEST(OperatorModel, WorkIsThatOfStaggeredOperators) {
  const ProcessGrid grid(MPI_COMM_WORLD, {1, 1, 1, 1});
  const auto geometry = grid.geometry({4, 4, 4, 8});
  const Field gauge = random_gauge(geometry, 3);
  const double sites = static_cast<double>(geometry->local_volume()) / 2;
  const Queue queue(Location::host);
  for (const auto precision : {half_precision, single_precision, double_precision})
    for (const int reals : {18, 12, 8})
      for (const bool improved : {false, true}) {
        const LinkStorage storage(precision, reals);
        const auto hop = improved ? std::make_unique<StaggeredHopping>(
                                        grid, gauge, gauge, StaggeredParameters{}, storage, queue, nullptr)
                                  : std::make_unique<StaggeredHopping>(grid, gauge, StaggeredParameters{},
                                                                       storage, queue, nullptr);
        ModelOperator op = hop_in(precision, reals, 5);
        op.quarks = improved ? ModelQuarks::improved : ModelQuarks::staggered;
        for (const bool adds : {false, true}) {
          const Work found = hop_work(op, sites, adds, 8), expected = hop->work(5, adds);
          EXPECT_EQ(found.bytes, expected.bytes) << name_of(precision) << reals << adds << improved;
          EXPECT_EQ(found.flops, expected.flops);
        }
      }
}

// What a rank sends in all, both sides of each direction.
TEST(OperatorModel, FacesAreThoseOfStaggeredAndDomainWallOperators) {
  const Extents extents{4, 8, 4, 8};
  const auto geometry = Geometry::create({extents, {1, 1, 1, 1}, {0, 0, 0, 0}, 0b1010});
  for (const auto precision : {half_precision, single_precision, double_precision})
    for (const auto quarks : {ModelQuarks::staggered, ModelQuarks::improved, ModelQuarks::domain_wall})
      for (const bool short_faces : {false, true}) {
        if (short_faces && precision == double_precision) continue;
        ModelOperator op = hop_in(precision, 12, 3);
        op.quarks = quarks;
        op.slices = quarks == ModelQuarks::domain_wall ? 5 : 1;
        op.short_faces = short_faces;
        const HaloSpec spec = op.staggered()
                                  ? StaggeredHopping::halo_spec(precision, 3, Location::host,
                                                                quarks == ModelQuarks::improved, short_faces)
                                  : WilsonHopping::halo_spec(precision, 15, Location::host, short_faces);
        const HaloFaces faces(*geometry, spec);
        for (const int mu : {1, 3}) {
          const auto d = static_cast<std::size_t>(2 * mu);
          const auto sent = static_cast<double>(faces.message_bytes[d] + faces.message_bytes[d + 1]);
          const double found = 2 * face_message_bytes(op, {extents, {1, 1, 1, 1}, 0b1010}, mu);
          EXPECT_GE(sent, found);  // sites of a face are rounded up
          EXPECT_NEAR(found / sent, 1, 0.1) << name_of(precision) << static_cast<int>(quarks) << mu;
        }
      }
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
  EXPECT_EQ(m.share(KernelKind::boundary, single_precision), 1);
  m.set_share({hop, single_precision, 18, 1, false, 0.5});
  EXPECT_EQ(m.shares.size(), 5u);
  EXPECT_EQ(m.share(hop, single_precision, 18, 1), 0.5);
  m.set_share({hop, single_precision, 18, 1, true, 0.4});
  EXPECT_EQ(m.shares.size(), 6u);
}

// The hopping term of 32x32x32x64 as docs/performance.md has it, within the rounding of shares and a launch.
TEST(MachineModel, H200HasTheMeasuredRates) {
  const MachineModel m = machine_named("h200");
  const auto us = [&](const ModelOperator& op) {
    return 1e6 * operator_time(m, op, {{32, 32, 32, 64}}).total;
  };
  EXPECT_NEAR(us(hop_in(single_precision, 12)), 149.6, 4);
  EXPECT_NEAR(us(hop_in(half_precision, 12)), 103.2, 4);
  EXPECT_NEAR(us(hop_in(double_precision, 18)), 414.4, 8);
  ModelOperator clover = hop_in(single_precision, 12);
  clover.kind = OperatorKind::even_odd;
  clover.clover = true;
  EXPECT_NEAR(us(clover), 481.0, 15);
  ModelOperator staggered = hop_in(single_precision, 8);
  staggered.quarks = ModelQuarks::staggered;
  EXPECT_NEAR(us(staggered), 82, 3);
  staggered.quarks = ModelQuarks::improved;
  EXPECT_NEAR(us(staggered), 221, 6);
  ModelOperator wall = hop_in(single_precision, 12);
  wall.quarks = ModelQuarks::domain_wall;
  wall.slices = 12;
  wall.kind = OperatorKind::even_odd;
  EXPECT_NEAR(1e6 * operator_time(m, wall, {{24, 24, 24, 64}}).total, 1670, 100);
}

TEST(MachineModel, UnknownNamesAndMissingConstants) {
  expect_holds(message_of(ErrorKind::usage, [] { machine_named("h20"); }), "did you mean 'h200'?");
  expect_holds(message_of(ErrorKind::usage, [] { iteration_cost("jacobi"); }), "jacobi");
  for (const auto& name : machine_names()) EXPECT_EQ(machine_named(name).name, name);
  MachineModel m = round_machine();
  m.far = {};
  m.check_complete(2);
  m.ranks_per_node = std::numeric_limits<int>::max();  // all on one
  m.check_complete(4096);
  EXPECT_NEAR(m.sum_seconds(4096, 1), 20e-6 + 12 * (4e-6 + 560 / 1e8), 1e-12);
  m.ranks_per_node = 2;
  expect_holds(message_of(ErrorKind::usage, [&] { m.check_complete(3); }), "between nodes");
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
