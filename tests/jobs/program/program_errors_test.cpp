// Mistakes of users: one message whatever the number of ranks, the exit code of its kind, nothing left
// behind.
#include <hdf5.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <set>

#include "tests/jobs/program/program.hpp"

namespace plaq {
namespace {

using test::contents;
using test::expect_failure;

constexpr int on_three_ranks = 3;

class ProgramErrors : public testing::Test {
 protected:
  void SetUp() override {
    box_.write("generate.toml", test::generate_job);
    box_.write("measure.toml", test::measure_job);
  }
  void generate() const { ASSERT_EQ(box_.plaq("run generate.toml").code, 0); }
  test::Sandbox box_;
};

TEST_F(ProgramErrors, JobFile) {
  box_.write("bad.toml", std::string(test::generate_job) + "thread = 2\n");
  for (const int ranks : {1, on_three_ranks})
    expect_failure(box_.plaq("run bad.toml", ranks), 3, {"bad.toml", "'thread'", "'threads'"});
  expect_failure(box_.plaq("run none.toml", on_three_ranks), 4, {"none.toml", "No such file"});
  expect_failure(box_.plaq("run generate.toml --set update.sed=3", on_three_ranks), 3, {"'sed'", "'seed'"});
  expect_failure(box_.plaq("run generate.toml --set update.heatbath=1000 --set update.configurations=1000000 "
                           "--set update.separation=9"),
                 3, {"[update]", "2147483647"});
  // 4x4x4x8 cannot be cut in 3 parts of even extent.
  expect_failure(box_.plaq("run generate.toml", on_three_ranks), 3, {"3", "4x4x4x8"});
}

TEST_F(ProgramErrors, StrictBinding) {
  for (const int ranks : {1, 2}) {  // more threads than there are cores
    expect_failure(box_.plaq("run generate.toml --strict-binding --set run.threads=4096", ranks), 2,
                   {"strict binding", "nothing is done", "more ranks times threads than cores",
                    std::to_string(4096 * ranks) + " thread(s)"});
    expect_failure(box_.plaq("run generate.toml --set run.strict_binding=true --set run.threads=4096", ranks),
                   2, {"strict binding"});
  }
  for (const auto& entry : std::filesystem::directory_iterator(box_ / ""))
    EXPECT_EQ(entry.path().filename().string().find("field"), std::string::npos) << entry.path();
  const auto outcome = box_.plaq("run generate.toml", 2);  // warns at most
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("who runs where"), std::string::npos) << outcome.err;
}

TEST_F(ProgramErrors, MissingInput) {
  expect_failure(box_.plaq("run measure.toml", 2), 4, {"field.*.nersc", "no file matches"});
  expect_failure(box_.plaq("run measure.toml --set gauge.files=none.nersc", 2), 4,
                 {"none.nersc", "No such file"});
  expect_failure(box_.plaq("info none.nersc", 2), 4, {"none.nersc", "No such file"});
  expect_failure(box_.plaq("info .", 2), 4, {"."});
  generate();
  expect_failure(box_.plaq("run measure.toml --set 'gauge.files=[\"field.*\", \"none.nersc\"]'"), 4,
                 {"field.history.h5"});
  expect_failure(box_.plaq("run measure.toml --set 'gauge.files=[\"field.*.nersc\", \"none.nersc\"]'"), 4,
                 {"none.nersc"});
  expect_failure(box_.plaq("run measure.toml --set lattice.extents=[4,4,4,4]", 2), 3, {"4x4x4x4", "4x4x4x8"});
  EXPECT_FALSE(std::filesystem::exists(box_ / "measured.h5"));
}

// The size limit of files that batch systems set, for programs that are started while this exists.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    EXPECT_EQ(::getrlimit(RLIMIT_FSIZE, &before_), 0);
    const rlimit lower{bytes, before_.rlim_max};
    EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &lower), 0);
  }
  ~FileSizeLimit() { ::setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

TEST_F(ProgramErrors, FilesLargerThanIsAllowed) {
  generate();
  const auto names = [&] {
    std::set<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(box_ / ""))
      found.insert(entry.path().filename());
    return found;
  };
  const std::set<std::string> before = names();
  const FileSizeLimit limit(100 << 10);
  expect_failure(box_.plaq("convert field.000002.nersc out.ildg --format ildg"), 5,
                 {"out.ildg", "File too large"});
  EXPECT_EQ(names(), before);
  expect_failure(box_.plaq("run generate.toml --set output.prefix=other"), 5, {"other", "File too large"});
  for (const std::string& name : names()) EXPECT_EQ(name.find(".part"), std::string::npos) << name;
}

TEST_F(ProgramErrors, InfoOfWhatIsNoField) {
  box_.write("garbage", "not a gauge field at all");
  box_.write("empty", "");
  expect_failure(box_.plaq("info garbage", 2), 4, {"garbage", "NERSC"});
  expect_failure(box_.plaq("info empty --json", 2), 4, {"empty"});
  box_.write("damaged.h5", "\x89HDF\r\n\x1a\n and no more");
  expect_failure(box_.plaq("info damaged.h5", 2), 4, {"damaged.h5", "HDF5"});
  H5Fclose(H5Fcreate((box_ / "foreign.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  expect_failure(box_.plaq("info foreign.h5", 2), 4, {"foreign.h5", "plaq did not write it", "seal"});
}

TEST_F(ProgramErrors, DamagedFields) {
  generate();
  const std::string good = contents(box_ / "field.000002.nersc");
  box_.write("short.nersc", good.substr(0, good.size() - 100));
  expect_failure(box_.plaq("info short.nersc", 2), 4, {"short.nersc", "truncated by 100 bytes"});

  std::string bad = good;
  bad[bad.size() - 1000] = static_cast<char>(bad[bad.size() - 1000] ^ 1);
  box_.write("flipped.nersc", bad);
  auto outcome = box_.plaq("info flipped.nersc", 2);
  expect_failure(outcome, 4, {"flipped.nersc", "checksum"});
  EXPECT_NE(outcome.out.find("NOT VERIFIED"), std::string::npos) << outcome.out;
  expect_failure(box_.plaq("run measure.toml --set gauge.files=flipped.nersc", 2), 4,
                 {"flipped.nersc", "checksum"});
  EXPECT_FALSE(std::filesystem::exists(box_ / "measured.h5"));

  bad = good;
  const auto at = bad.find("PLAQUETTE = 0.") + 14;
  bad[at] = bad[at] == '1' ? '2' : '1';
  box_.write("lies.nersc", bad);
  outcome = box_.plaq("info lies.nersc --json", 2);
  expect_failure(outcome, 4, {"lies.nersc", "plaquette"});
  EXPECT_NE(outcome.out.find("\"verified\": false"), std::string::npos) << outcome.out;
}

TEST_F(ProgramErrors, OutputIsCheckedBeforeTheWork) {
  const std::string begun = "process grid";  // what is said once work begins
  box_.write("field.000004.nersc", "precious");
  auto outcome = box_.plaq("run generate.toml", 2);
  expect_failure(outcome, 5, {"field.000004.nersc", "exists", "overwrite"});
  EXPECT_EQ(outcome.err.find(begun), std::string::npos) << outcome.err;
  EXPECT_EQ(contents(box_ / "field.000004.nersc"), "precious");
  EXPECT_FALSE(std::filesystem::exists(box_ / "field.000002.nersc"));
  EXPECT_EQ(box_.plaq("run generate.toml --set output.overwrite=true").code, 0);

  box_.write("measured.h5", "precious");
  outcome = box_.plaq("run measure.toml", 2);
  expect_failure(outcome, 5, {"measured.h5", "exists", "overwrite"});
  EXPECT_EQ(outcome.err.find(begun), std::string::npos) << outcome.err;
  EXPECT_EQ(contents(box_ / "measured.h5"), "precious");
  for (const char* journal : {"field.journal", "measured.h5.journal"})
    EXPECT_FALSE(std::filesystem::exists(box_ / journal)) << journal;
}

TEST_F(ProgramErrors, DirectoriesThatTakeNoFile) {
  expect_failure(box_.plaq("run generate.toml --set output.prefix=nowhere/field", 2), 5,
                 {"nowhere/field.history.h5"});
  // The superuser may write everywhere but there.
  std::string directory = "/proc";
  if (::geteuid() != 0) {
    directory = (box_ / "locked").string();
    std::filesystem::create_directory(directory);
    ::chmod(directory.c_str(), 0555);
  }
  expect_failure(box_.plaq("run generate.toml --set output.prefix=" + directory + "/field", 2), 5,
                 {directory + "/field.history.h5"});
}

}  // namespace
}  // namespace plaq
