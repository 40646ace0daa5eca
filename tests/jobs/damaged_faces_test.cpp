// A job whose faces are checked ends when one comes damaged, before anything made of it is kept.
#include <filesystem>

#include "jobs/generate/generate_chain.hpp"
#include "jobs/results/resume.hpp"
#include "tests/comms/garbling.hpp"
#include "tests/jobs/planned.hpp"

namespace plaq::jobs::test {
namespace {

using plaq::test::Garbling;
namespace fs = std::filesystem;

class DamagedFaces : public Planned {
 protected:
  static std::string contents(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  const std::vector<std::string> checked_ = {
      "comms.halo_checksums=true", R"(comms.force_partition=["x", "y", "z", "t"])", "output.overwrite=false"};
};

TEST_F(DamagedFaces, EndAChainThatGoesOnLater) {
  const std::string file = generate_job("[4, 4, 8, 8]");
  ASSERT_EQ(run_job({file, {"output.prefix=" + at("plain")}}), 0);
  const JobFile job = JobFile::read(file, checked_);
  {
    const ChainPlan plan(job);
    EarlierRun earlier;
    const JobFiles files{
        plan.history_name(), plan.journal_name(), {}, [](const std::vector<StoredObject>&) { return true; }};
    ASSERT_FALSE(is_complete_job(earlier, job, files));
    JobContext context = start_job(job, {4, 4, 8, 8});
    ASSERT_NE(context.checked, nullptr);
    // In the second sweep, on all ranks alike: of one rank alone, the program's end would be the others'.
    const auto garbling = std::make_shared<Garbling>(
        make_host_transport(*context.grid, Location::host), Location::host,
        [](unsigned char* face, std::size_t bytes, std::size_t message, int number) {
          if (message == 1 && number == 10) face[bytes - 5] ^= 1;
        });
    context.checked = std::make_shared<CheckedTransport>(*context.grid, Location::host, garbling);
    context.transport = context.checked;
    Chain chain(context, plan, earlier.journal.get());
    const std::string message = message_of(ErrorKind::comms, [&] { chain.run(); });
    expect_holds(message, "the face from x- (rank " + std::to_string(context.grid->neighbor(0, false)) +
                              ") came to rank " + std::to_string(rank_) + " damaged in exchange 11 ");
    expect_holds(message, "found in heatbath, shell_exchange");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_TRUE(fs::exists(at("field.000001.nersc")));
  EXPECT_FALSE(fs::exists(at("field.000002.nersc")));
  EXPECT_FALSE(fs::exists(at("field.history.h5")));
  MPI_Barrier(MPI_COMM_WORLD);
  ASSERT_EQ(run_job({file, checked_}), 0);
  for (const char* end : {".000001.nersc", ".000002.nersc"})
    EXPECT_TRUE(contents(at("field") + end) == contents(at("plain") + end)) << end;
}

// Faces that come right change no bit, and what is held for them is planned.
TEST_F(DamagedFaces, ChecksChangeNoBit) {
  const std::string file = generate_job("[4, 4, 8, 8]");
  ASSERT_EQ(run_job({file, {}}), 0);
  const std::string propagator = propagator_job(), steps = "quark_smearing.steps=2",
                    sigma = "quark_smearing.sigma=1";
  ASSERT_EQ(run_job({propagator, {steps, sigma}}), 0);
  MPI_Barrier(MPI_COMM_WORLD);
  const std::string plain = contents(at("pion.h5"));
  EXPECT_FALSE(plain.empty());
  MPI_Barrier(MPI_COMM_WORLD);
  ASSERT_EQ(run_job({propagator, {steps, sigma, checked_[0], checked_[1]}}), 0);
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_TRUE(contents(at("pion.h5")) == plain);
  for (const auto& overrides : {std::vector<std::string>{checked_[0]}, {checked_[0], checked_[1]}}) {
    expect_as_planned({file, overrides});
    expect_as_planned({propagator, overrides});
  }
}

}  // namespace
}  // namespace plaq::jobs::test
