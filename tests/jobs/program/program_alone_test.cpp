// Many programs at once without a launcher, as users start them: none meets another one.
#include <unistd.h>

#include <thread>

#include "tests/jobs/program/program.hpp"

namespace plaq {
namespace {

namespace fs = std::filesystem;

class WithoutLauncher : public testing::Test {
 protected:
  void SetUp() override {
    box_.write("generate.toml", test::generate_job);
    ASSERT_EQ(box_.plaq("run generate.toml --set update.configurations=1").code, 0);
    fs::create_directory(box_ / "tmp");
  }
  // As on a machine that nobody has prepared; what MPI leaves goes to `tmp`.
  int run(const std::string& arguments, const std::string& out) const {
    const std::string command = "cd '" + (box_ / "").string() +
                                "' && env -u OMPI_MCA_ess_singleton_isolated TMPDIR=$PWD/tmp timeout 120 '" +
                                PLAQ_PROGRAM + "' " + arguments + " > " + out + " 2>&1";
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

TEST_F(WithoutLauncher, FiftyAtOnce) {
  std::vector<int> codes(50, -1);
  std::vector<std::thread> users;
  for (std::size_t i = 0; i < codes.size(); ++i)
    users.emplace_back([&, i] {
      codes[i] = i % 5 == 0 ? run("schema", "out" + std::to_string(i))
                            : run("info field.000002.nersc", "out" + std::to_string(i));
    });
  for (auto& user : users) user.join();
  for (std::size_t i = 0; i < codes.size(); ++i)
    EXPECT_EQ(codes[i], 0) << test::contents(box_ / ("out" + std::to_string(i)));
  EXPECT_EQ(left(), std::vector<std::string>());
}

// What MPI would share is out of reach: the directory of a user's session cannot be made.
TEST_F(WithoutLauncher, NothingIsShared) {
  char host[256] = {};
  ASSERT_EQ(::gethostname(host, sizeof host - 1), 0);
  const std::string name = std::string(host), uid = std::to_string(::getuid());
  for (const std::string& node : {name, name.substr(0, name.find('.'))})
    box_.write("tmp/ompi." + node + "." + uid, "no directory");
  const auto before = left();
  EXPECT_EQ(run("info field.000002.nersc", "out"), 0) << test::contents(box_ / "out");
  EXPECT_EQ(run("info missing.nersc", "out"), 4) << test::contents(box_ / "out");
  EXPECT_EQ(left(), before);
}

}  // namespace
}  // namespace plaq
