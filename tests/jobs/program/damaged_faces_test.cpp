// A job whose faces are checked ends when one comes damaged, before anything made of it is kept.
#include <filesystem>

#include "comms/transport/transport_checked.hpp"
#include "jobs/chain/chain.hpp"
#include "jobs/generate/generate_schema.hpp"
#include "jobs/results/resume.hpp"
#include "jobs/study/study.hpp"
#include "tests/comms/transport/garbling.hpp"
#include "tests/jobs/plan/planned.hpp"

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
  // A study that fails by the face of message 1 in exchange 2 of its kind, and keeps nothing of it; without
  // damage it is done.
  template <class Study>
  void expect_named(const std::string& file, const JobFile::Overrides& more, const std::string& output,
                    Study&& study) const {
    JobFile::Overrides overrides = checked_;
    overrides.insert(overrides.end(), more.begin(), more.end());
    const JobFile job = JobFile::read(file, overrides);
    const std::string message = message_of(ErrorKind::comms, [&] {
      study(job, [](const ProcessGrid& grid, Location location, TransportKind kind) {
        TransportChoice choice = choose_transport(grid, location, kind);
        choice.transport = std::make_shared<Garbling>(
            choice.transport, location,
            [](unsigned char* face, std::size_t bytes, std::size_t message_number, int number) {
              if (message_number == 1 && number == 1) face[bytes / 2] ^= 16;
            });
        return choice;
      });
    });
    expect_holds(message, "the face from x- (rank ");
    expect_holds(message, " damaged in exchange 2 ");
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_FALSE(fs::exists(at(output)));
    EXPECT_FALSE(fs::exists(at(output + ".journal")));
    MPI_Barrier(MPI_COMM_WORLD);
    ASSERT_EQ(study(job, choose_transport), 0);
    EXPECT_TRUE(fs::exists(at(output)));
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank_ == 0) fs::remove(at(output));
    MPI_Barrier(MPI_COMM_WORLD);
  }
  const std::vector<std::string> checked_ = {
      "comms.halo_checksums=true", R"(comms.force_partition=["x", "y", "z", "t"])", "output.overwrite=false"};
};

TEST_F(DamagedFaces, EndAChainThatGoesOnLater) {
  const std::string file = generate_job("[4, 4, 8, 8]");
  ASSERT_EQ(run_job({file, {"output.prefix=" + at("plain")}}), 0);
  const JobFile job = JobFile::read(file, checked_);
  {
    const ChainPlan plan(job, generate_chain(job));
    EarlierRun earlier;
    const JobFiles files{
        plan.history_name(), plan.journal_name(), {}, [](const std::vector<StoredObject>&) { return true; }};
    ASSERT_FALSE(is_complete_job(earlier, job, files));
    JobContext context = start_job(job, {4, 4, 8, 8});
    ASSERT_NE(dynamic_cast<const CheckedTransport*>(context.transport.get()), nullptr);
    // In the second sweep, on all ranks alike: of one rank alone, the program's end would be the others'.
    const auto garbling = std::make_shared<Garbling>(
        make_host_transport(*context.grid, Location::host), Location::host,
        [](unsigned char* face, std::size_t bytes, std::size_t message, int number) {
          if (message == 1 && number == 10) face[bytes - 5] ^= 1;
        });
    context.transport = std::make_shared<CheckedTransport>(*context.grid, Location::host, garbling);
    Chain chain(context, plan, earlier.journal.get());
    const std::string message = message_of(ErrorKind::comms, [&] { chain.run(); });
    expect_holds(message, "the face from x- (rank " + std::to_string(context.grid->neighbor(0, false)) +
                              ") came to rank " + std::to_string(rank_) + " damaged in exchange 11 ");
    expect_holds(message, "found in heatbath, extended_halo");
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

// Tasks of fewer ranks are measured by these alone; their error is that of all.
TEST_F(DamagedFaces, EndStudies) {
  const std::string file = write(
      "study.toml",
      "job = \"study\"\n[study]\nlattices = [\"4x4x8x8\"]\nranks = [1, 2, 4]\ntargets = [\"hop\", \"schur\", "
      "\"cg\"]\nstorages = [\"single 12\"]\niterations = 2\nsamples = 1\nmemory_limit = "
      "false\n[action]\nmass = "
      "0.5\n[output]\nfile = \"" +
          at("study.h5") + "\"\n[run]\nlocation = \"host\"\nthreads = 1\n");
  const auto study = [&](const JobFile& job, const TransportChooser& choose) {
    const int code = run_study(job, choose);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank_ == 0) fs::remove(at("study.h5.journal"));  // of tasks that take more ranks
    MPI_Barrier(MPI_COMM_WORLD);
    return code;
  };
  const std::string all = "study.ranks=[" + std::to_string(ranks_) + "]", here = "study.ranks=[]";
  for (const JobFile::Overrides& part :
       {JobFile::Overrides{},
        {all},
        {"study.targets=[\"cg\"]"},
        {all, "study.transports=[\"host\"]"},
        {here, "study.targets=[\"schur\"]", "study.right_hand_sides=[2]"},
        {here, "study.targets=[\"accuracy\"]", "study.storages=[\"half 12\"]"},
        {here, "study.targets=[]", "study.solvers=[\"cg, double 18\"]"}})
    expect_named(file, part, "study.h5", study);
}

}  // namespace
}  // namespace plaq::jobs::test
