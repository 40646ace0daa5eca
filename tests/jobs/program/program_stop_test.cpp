// A signal in the middle of a long solve.
#include "tests/jobs/program/launched.hpp"

namespace plaq {
namespace {

using test::Launched;
namespace fs = std::filesystem;

constexpr const char* job = R"(job = "propagator"
[gauge]
files = ["field.000000.nersc"]
[action]
type = "domain_wall"
mass = 1e-4
n_s = 64
m0 = 1.8
[solver]
method = "cg"
columns = 1
tolerance = 1e-13
max_iterations = 1000000
[output]
file = "pion.h5"
[run]
location = "host"
threads = 1
)";

TEST(StopsOfAProgram, InTheMiddleOfASource) {
  const test::Sandbox box;
  box.write("generate.toml", test::generate_job);
  box.write("propagator.toml", job);
  ASSERT_EQ(box.plaq("run generate.toml --set lattice.extents=[8,8,8,8] --set update.thermalization=0 "
                     "--set update.configurations=1")
                .code,
            0);
  Launched run(box, "run propagator.toml", 1);
  while (run.err().find("process grid") == std::string::npos && !run.ends_within(0))
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  std::this_thread::sleep_for(std::chrono::seconds(3));
  const double asked = run.age();
  run.signal(SIGTERM);
  ASSERT_TRUE(run.ends_within(asked + 60)) << run.err();
  EXPECT_EQ(run.code(), 9) << run.err();
  EXPECT_NE(run.err().find("stopped by SIGTERM: this source would have taken about"), std::string::npos)
      << run.err();
}

}  // namespace
}  // namespace plaq
