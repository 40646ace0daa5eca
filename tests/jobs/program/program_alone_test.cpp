// Programs without a launcher, as users start them: none of them starts MPI, so that none meets another one.
#include <thread>

#include "tests/jobs/program/program.hpp"

namespace plaq {
namespace {

namespace fs = std::filesystem;

// Open MPI does not start with these.
constexpr const char* no_mpi = "OMPI_MCA_pml=none_such OMPI_MCA_btl=none_such ";

constexpr const char* tiny_campaign = R"([ensemble]
files = "field.{trajectory}.nersc"
[task.measure]
job = "measure.toml"
)";

class WithoutLauncher : public testing::Test {
 protected:
  void SetUp() override {
    box_.write("generate.toml", test::generate_job);
    box_.write("measure.toml", test::measure_job);
    box_.write("propagator.toml", test::propagator_job);
    ASSERT_EQ(box_.plaq("run generate.toml").code, 0);
    fs::create_directory(box_ / "tmp");
  }
  // As on a machine that nobody has prepared, where MPI cannot start; what it would leave goes to `tmp`.
  int run(const std::string& arguments, const std::string& out = "out",
          const std::string& environment = "") const {
    const std::string command = "cd '" + (box_ / "").string() + "' && env TMPDIR=$PWD/tmp " + no_mpi +
                                environment + " timeout 120 '" + PLAQ_PROGRAM + "' " + arguments + " > " +
                                out + " 2>&1";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::vector<std::string> left() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(box_ / "tmp"))
      names.push_back(entry.path().filename().string());
    return names;
  }
  test::Sandbox box_;
};

// The trap is one: with a launcher MPI starts, and fails.
TEST_F(WithoutLauncher, MpiWouldFail) {
  if (std::string(PLAQ_MPIRUN).find("--oversubscribe") == std::string::npos)
    GTEST_SKIP() << "the variables are Open MPI's";
  EXPECT_NE(run("info field.000002.nersc", "out", "PLAQ_START_MPI=1"), 0) << test::contents(box_ / "out");
  EXPECT_NE(run("plan measure.toml", "out", "PLAQ_START_MPI=1"), 0) << test::contents(box_ / "out");
}

TEST_F(WithoutLauncher, NoCommandStartsMpi) {
  box_.write("campaign.toml", tiny_campaign);
  for (const char* arguments :
       {"schema generate", "explain 3", "info field.000002.nersc",
        "convert --format ildg field.000002.nersc field.ildg", "info field.ildg --json", "plan measure.toml",
        "plan generate.toml --ranks 4", "plan generate.toml --cost", "model", "run measure.toml",
        "info measured.h5", "run propagator.toml --set 'comms.force_partition=[\"z\",\"t\"]'",
        "bench wilson_hop --lattice 4x4x4x4 --repeats 1 --precision single --links 12 --rhs 1 --location "
        "host",
        "selftest --location host", "campaign run .", "campaign status .", "campaign check .",
        "campaign audit ."}) {
    SCOPED_TRACE(arguments);
    EXPECT_EQ(run(arguments), 0) << test::contents(box_ / "out");
  }
  EXPECT_EQ(run("info missing.nersc"), 4) << test::contents(box_ / "out");
  EXPECT_EQ(run("run measure.toml --set lattice.extents=[4,4]"), 3) << test::contents(box_ / "out");
  EXPECT_EQ(left(), std::vector<std::string>());
}

// What a process exchanges with itself passes through host memory, as between ranks, and results have the same bytes.
TEST_F(WithoutLauncher, FacesTravelWithinTheProcess) {
  const std::string job = "run propagator.toml --set output.overwrite=true ";
  EXPECT_EQ(run(job), 0) << test::contents(box_ / "out");
  const std::string plain = test::contents(box_ / "pion.h5");
  EXPECT_NE(plain, "");
  for (const char* transport : {"auto", "host"})
    for (const char* checksums : {"true", "false"}) {
      EXPECT_EQ(run(job + "--set 'comms.force_partition=[\"x\",\"t\"]' --set comms.transport=" + transport +
                    " --set comms.halo_checksums=" + checksums),
                0)
          << test::contents(box_ / "out");
      EXPECT_TRUE(test::contents(box_ / "pion.h5") == plain) << "other bytes by " << transport;
    }
  const test::Outcome two = box_.plaq(job, 2);
  EXPECT_EQ(two.code, 0) << two.err;
  EXPECT_TRUE(test::contents(box_ / "pion.h5") == plain) << "other bytes on two ranks";
  EXPECT_EQ(run(job + "--set comms.transport=device_mpi"), 7);
  EXPECT_NE(test::contents(box_ / "out").find("cannot be used"), std::string::npos)
      << test::contents(box_ / "out");
}

TEST_F(WithoutLauncher, FiftyAtOnce) {
  std::vector<int> codes(50, -1);
  std::vector<std::thread> users;
  for (std::size_t i = 0; i < codes.size(); ++i)
    users.emplace_back([&, i] {
      const std::string number = std::to_string(i), out = "out" + number;
      codes[i] = i % 5 == 0   ? run("schema", out)
                 : i % 5 == 1 ? run("plan measure.toml", out)
                 : i % 5 == 2 ? run("run measure.toml --set output.file=measured" + number + ".h5", out)
                 : i % 5 == 3 ? run("convert --format ildg field.000002.nersc field" + number + ".ildg", out)
                              : run("info field.000002.nersc", out);
    });
  for (auto& user : users) user.join();
  for (std::size_t i = 0; i < codes.size(); ++i)
    EXPECT_EQ(codes[i], 0) << test::contents(box_ / ("out" + std::to_string(i)));
  EXPECT_EQ(left(), std::vector<std::string>());
}

}  // namespace
}  // namespace plaq
