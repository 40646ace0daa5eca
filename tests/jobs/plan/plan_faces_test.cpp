// Cost of exchanges of faces in plans: memory that lasts, lists of fused halo kernels, transports that are
// tried.
#include "comms/gpus/peer_memory.hpp"
#include "comms/sums/peer_sums.hpp"
#include "comms/transport/peer_layout.hpp"
#include "comms/transport/transport_trials.hpp"
#include "core/lattice/fused_order.hpp"
#include "kernels/dirac/hop/fused_shapes.hpp"
#include "tests/jobs/plan/planned.hpp"

namespace plaq::jobs::test {
namespace {

class PlannedFaces : public Planned {
 protected:
  void SetUp() override {
    Planned::SetUp();
    solve_ = propagator_job();
  }
  // Bytes of the items with such names when a GPU holds the most.
  static std::size_t bytes_of(const Plan& plan, const std::string& part) {
    std::size_t bytes = 0;
    for (const MemoryItem& item : plan.peak(Location::device).items)
      if (item.name.find(part) != std::string::npos) bytes += item.bytes;
    return bytes;
  }
  JobFile solve(JobFile::Overrides overrides) const {
    overrides.emplace_back("lattice.extents=[16, 16, 16, 32]");
    return JobFile::read(solve_, overrides);
  }

  std::string solve_;  // written once, for all ranks
};

constexpr auto waiting = "kept by 'peer'", lists = "order of sites";

TEST(Ledger, WhatLastsIsTakenAgain) {
  Ledger ledger;
  const auto enter = [&](std::size_t bytes, MemoryItem::Kind kind) {
    return ledger.enter({"faces", bytes, Location::device, kind});
  };
  const auto pass = [&](std::size_t bytes) {
    ledger.leave(enter(bytes, MemoryItem::Kind::lasting));
    return ledger.peak(Location::device).bytes;
  };
  EXPECT_EQ(pass(100), 100u);
  EXPECT_EQ(pass(100), 100u);
  EXPECT_EQ(pass(300), 400u);
  EXPECT_EQ(pass(300), 400u);
  const auto one = enter(100, MemoryItem::Kind::lasting);
  EXPECT_EQ(pass(100), 500u);
  ledger.leave(enter(7, MemoryItem::Kind::buffer));
  EXPECT_EQ(ledger.peak(Location::device).bytes, 507u);
  ledger.leave(one);
  EXPECT_EQ(pass(100), 507u);
  EXPECT_EQ(ledger.peak(Location::device).buffer_bytes, 7u);
  EXPECT_EQ(ledger.peak(Location::host).bytes, 0u);
}

TEST_F(PlannedFaces, OfPeerAreThoseOfItsPieces) {
  const JobFile job = solve({});
  Plan plan(job, 2, Location::device);
  // The messages that are tried at start-up, in the size that takes most.
  std::vector<FaceMessage> tried;
  for (int d = 0; d < 8; ++d) tried.push_back({1, 1, d, test_message_bytes().back()});
  const std::size_t most = exported_piece_bytes(PeerLayout(tried).bytes);
  EXPECT_GT(most, std::size_t{48} << 20);
  EXPECT_GE(bytes_of(plan, waiting), most);
  EXPECT_LT(bytes_of(plan, waiting), 2 * most);
  // The true-residual operator's faces: half spinors of twelve columns in double, both
  // sides of one direction, by turns.
  const std::size_t face = 12 * 12 * 8 * 16 * 16 * 16 / 2;
  EXPECT_GE(bytes_of(plan, "faces, to receive by turns"), exported_piece_bytes(2 * (2 * face + 128)));
  expect_holds(plan_text(plan), "kept by 'peer' for later exchanges");
  EXPECT_EQ(bytes_of(plan, "sums among GPUs"), peer_sums_bytes(2));
  EXPECT_GT(peer_sums_bytes(2), std::size_t{2 * 2 * 256 * 70 * 8});
  // On one rank nothing travels; in a job that does not use it, nothing lasts.
  Plan alone(job, 1, Location::device);
  EXPECT_EQ(bytes_of(alone, waiting), 0u);
  EXPECT_EQ(bytes_of(alone, "sums among GPUs"), 0u);
  const JobFile by_host = solve({"comms.transport=host"});
  Plan other(by_host, 2, Location::device);
  EXPECT_EQ(bytes_of(other, "faces, to receive by turns") + bytes_of(other, lists), 0u);
  EXPECT_GT(bytes_of(other, "faces"), 0u);
}

TEST_F(PlannedFaces, FusedLaunchesHaveLists) {
  const auto listed = [&](const JobFile::Overrides& overrides, int ranks = 2) {
    const JobFile job = solve(overrides);
    Plan plan(job, ranks, Location::device);
    return bytes_of(plan, lists);
  };
  const auto geometry = Geometry::create({{16, 16, 16, 32}, {1, 1, 1, 2}, {0, 0, 0, 0}, 0});
  // The tuner tries shapes on one parity; of the other only those stay that are
  // chosen, or tried by another operator.
  std::size_t one = 0, both = 0, first = 0;
  std::vector<FusedShape> known;
  for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
    const auto shapes = fused_shapes(*geometry, precision);
    for (const FusedShape& fused : shapes) {
      if (std::find(known.begin(), known.end(), fused) != known.end()) continue;
      known.push_back(fused);
      for (int parity = 0; parity < 2; ++parity) {
        const std::size_t bytes = fused_order_bytes(geometry->shape(), parity, fused);
        EXPECT_EQ(bytes, 4 * FusedOrder(geometry->shape(), parity, fused, Location::host).view().again);
        one += parity == 0 ? bytes : 0;
        both += bytes;
        first += fused == shapes.front() ? bytes : 0;
      }
    }
  }
  EXPECT_GT(known.size(), 10u);
  EXPECT_GE(listed({}), one + first / 2);
  EXPECT_LE(listed({}), both);
  EXPECT_EQ(listed({"run.tuning=off"}), first);
  EXPECT_EQ(listed({"comms.halo_checksums=true"}), 0u);
  EXPECT_EQ(listed({"run.profile=true"}), 0u);
  EXPECT_EQ(listed({"comms.force_partition=[\"x\"]"}), 0u);  // a rank's own faces go another way
  EXPECT_EQ(listed({"comms.transport=nccl"}), 0u);
  EXPECT_EQ(listed({}, 1), 0u);
  EXPECT_EQ(listed({force_all, "comms.transport=peer"}, 1) > 0, true);
}

// On the host there is none of that, and trying a transport that is forced takes what it takes.
TEST_F(PlannedFaces, TrialsAreThoseOfTheJob) {
  const std::string job = generate_job("[4, 4, 8, 8]");
  for (const JobFile::Overrides& overrides :
       {JobFile::Overrides{"comms.transport=host"}, {"comms.transport=host", force_all}}) {
    expect_as_planned({job, overrides});
    EXPECT_GT(planned_bytes({job, overrides}), std::size_t{48} << 20);
  }
  if (ranks_ == 1) expect_as_planned({job, {"comms.transport=self", force_all}});
  const JobFile plain = JobFile::read(job, {force_all});
  Plan plan(plain, 2, Location::host);
  for (const MemoryItem& item : plan.peak(Location::host).items)
    EXPECT_NE(item.kind, MemoryItem::Kind::lasting) << item.name;
}

// Where nodes are several, other transports are tried as well, with what they have on the host.
TEST_F(PlannedFaces, MoreIsTriedBetweenNodes) {
  const JobFile job = JobFile::read(generate_job("[8, 8, 8, 8]"));
  Plan near(job, 4, Location::device), far(job, 4, Location::device, 2), apart(job, 4, Location::device, 1);
  EXPECT_GT(far.peak(Location::device).bytes, near.peak(Location::device).bytes);
  EXPECT_GT(far.peak(Location::host).bytes, near.peak(Location::host).bytes);
  // Two messages of 4 MiB, which go one way where the other neighbour is on this node.
  EXPECT_GE(far.peak(Location::host).bytes, std::size_t{8} << 20);
  EXPECT_GE(apart.peak(Location::host).bytes, std::size_t{16} << 20);
}

}  // namespace
}  // namespace plaq::jobs::test
