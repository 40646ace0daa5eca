// The check of transports in plaq selftest finds a message that comes damaged, and names it on every rank.
#include <gtest/gtest.h>

#include "comms/transport/transport_choice.hpp"
#include "jobs/selftest/selftest.hpp"
#include "tests/comms/transport/garbling.hpp"

namespace plaq::jobs::test {
namespace {

using plaq::test::Garbling;

NamedTransport garbling(const Trial& trial, const Garbling::Damage& damage) {
  return {"garbling", [&trial, damage] {
            return std::make_shared<Garbling>(make_host_transport(trial.world, trial.location()),
                                              trial.location(), damage);
          }};
}

TEST(SelftestOfTransports, PassesWhereNothingIsWrong) {
  const Trial trial("host");
  const CheckResult plain = check_transports(trial);
  EXPECT_TRUE(plain.passed) << plain.detail;
  EXPECT_NE(plain.detail.find("host"), std::string::npos);
  const CheckResult result =
      check_transports(trial, {garbling(trial, [](unsigned char*, std::size_t, std::size_t, int) {})});
  EXPECT_TRUE(result.passed);
  EXPECT_EQ(result.detail, "garbling");
}

TEST(SelftestOfTransports, NamesTheMessageThatIsDamaged) {
  const Trial trial("host");
  const int last = trial.world.size() - 1, rank = trial.world.rank();
  constexpr std::size_t message = 6;  // from t+
  // The sender, as every rank knows it.
  int sender = rank == last ? trial.world.neighbor(3, true) : 0;
  MPI_Bcast(&sender, 1, MPI_INT, last, trial.world.comm().mpi());
  for (const auto& [size, byte] : {std::pair<std::size_t, std::size_t>{8, 7}, {49152, 12345}}) {
    const CheckResult result = check_transports(
        trial, {{"host", [&] { return make_transport(trial.world, trial.location(), TransportKind::host); }},
                garbling(trial, [&](unsigned char* face, std::size_t bytes, std::size_t m, int) {
                  if (rank == last && m == message && bytes == size) face[byte] ^= 1;
                })});
    EXPECT_FALSE(result.passed);
    EXPECT_EQ(result.detail, "garbling: a message of " + std::to_string(size) + " bytes from rank " +
                                 std::to_string(sender) + " to rank " + std::to_string(last) +
                                 " (t+) arrives with 1 wrong bytes, the first one at " +
                                 std::to_string(byte));
  }
}

TEST(SelftestOfTransports, WhatCannotBeMadeIsNoFault) {
  const Trial trial("host");
  const CheckResult result = check_transports(
      trial, {{"nccl", [&] { return make_transport(trial.world, Location::host, TransportKind::nccl); }}});
  EXPECT_TRUE(result.passed);
  EXPECT_NE(result.detail.find("not nccl: it moves faces between GPUs"), std::string::npos) << result.detail;
}

}  // namespace
}  // namespace plaq::jobs::test
