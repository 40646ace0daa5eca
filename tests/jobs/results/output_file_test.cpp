// Output files: what is written is read back through HDF5 itself, and failures leave nothing behind.
#include "jobs/results/output_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>

#include "io/propagator/hdf5_handle.hpp"
#include "jobs/results/result_file.hpp"
#include "tests/jobs/schema/job_file_helpers.hpp"

namespace plaq::jobs::test {
namespace {

namespace fs = std::filesystem;

class OutputFiles : public testing::Test {
 protected:
  void SetUp() override {
    directory_ = fs::path(testing::TempDir()) /
                 (std::string("plaq_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(directory_);
    fs::create_directories(directory_);
    path_ = (directory_ / "out.h5").string();
  }
  void TearDown() override { fs::remove_all(directory_); }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(directory_), fs::directory_iterator()));
  }
  std::string bytes() const {
    std::ifstream stream(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  void write_sample(const std::string& path) const {
    OutputFile file(path, false);
    file.dataset("/correlators/pion", std::vector<double>{1, 0.5, 0.25, 1.0 / 3}, {4},
                 {{"units", "lattice units"}, {"axes", std::vector<std::string>{"t"}}});
    file.attribute("/", "plaq_version", std::string("0.1.0"));
    file.commit();
  }
  fs::path directory_;
  std::string path_;
};

std::string read_text(hid_t object, const char* name) {
  const Hdf5Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  const Hdf5Handle type(H5Aget_type(attribute), H5Tclose);
  char* text = nullptr;
  EXPECT_GE(H5Aread(attribute, type, &text), 0);
  const std::string result = text ? text : "";
  H5free_memory(text);
  return result;
}

template <class T>
std::vector<T> read_numbers(hid_t object, const char* name, hid_t type) {
  const Hdf5Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  const Hdf5Handle space(H5Aget_space(attribute), H5Sclose);
  std::vector<T> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  if (!values.empty()) {
    EXPECT_GE(H5Aread(attribute, type, values.data()), 0);
  }
  return values;
}

TEST_F(OutputFiles, RoundTrip) {
  std::vector<double> values(24);
  std::iota(values.begin(), values.end(), 0.1);
  const std::string long_text(100000, 'x');
  {
    OutputFile file(path_, false);
    file.dataset("/correlators/deep/pion", values, {2, 3, 4}, {{"units", "lattice units"}, {"norm", 0.1}});
    file.dataset("/solves/iterations", std::vector<std::int64_t>{7, -8}, {2});
    file.group("/gauge", {{"file", "naïve.nersc"}});
    file.attribute("/", "job", long_text);
    file.attribute("/", "count", std::int64_t{42});
    file.attribute("/gauge", "extents", std::vector<std::int64_t>{4, 4, 4, 8});
    file.attribute("/gauge", "weights", std::vector<double>{0.25, 1e-300});
    file.attribute("/gauge", "none", std::vector<double>{});
    file.attribute("/correlators/deep/pion", "axes", std::vector<std::string>{"a", "b", "t"});
    file.commit();
  }
  EXPECT_EQ(files(), 1u);
  const Hdf5Handle file(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  ASSERT_GE(file, 0);
  const Hdf5Handle data(H5Dopen2(file, "/correlators/deep/pion", H5P_DEFAULT), H5Dclose);
  const Hdf5Handle space(H5Dget_space(data), H5Sclose);
  hsize_t extents[3] = {};
  ASSERT_EQ(H5Sget_simple_extent_ndims(space), 3);
  H5Sget_simple_extent_dims(space, extents, nullptr);
  EXPECT_EQ(extents[0], 2u);
  EXPECT_EQ(extents[2], 4u);
  std::vector<double> found(24);
  H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, found.data());
  EXPECT_EQ(found, values);
  EXPECT_EQ(read_text(data, "units"), "lattice units");
  EXPECT_EQ(read_numbers<double>(data, "norm", H5T_NATIVE_DOUBLE), std::vector<double>{0.1});
  EXPECT_EQ(read_text(file, "job"), long_text);
  EXPECT_EQ(read_numbers<std::int64_t>(file, "count", H5T_NATIVE_INT64), std::vector<std::int64_t>{42});
  const Hdf5Handle gauge(H5Gopen2(file, "/gauge", H5P_DEFAULT), H5Gclose);
  EXPECT_EQ(read_text(gauge, "file"), "naïve.nersc");
  EXPECT_EQ(read_numbers<std::int64_t>(gauge, "extents", H5T_NATIVE_INT64),
            (std::vector<std::int64_t>{4, 4, 4, 8}));
  EXPECT_EQ(read_numbers<double>(gauge, "weights", H5T_NATIVE_DOUBLE), (std::vector<double>{0.25, 1e-300}));
  EXPECT_TRUE(read_numbers<double>(gauge, "none", H5T_NATIVE_DOUBLE).empty());
  const Hdf5Handle iterations(H5Dopen2(file, "/solves/iterations", H5P_DEFAULT), H5Dclose);
  std::int64_t counts[2] = {};
  H5Dread(iterations, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, counts);
  EXPECT_EQ(counts[1], -8);
}

TEST_F(OutputFiles, APartIsReadBack) {
  {
    OutputFile file(path_, false);
    file.dataset("/correlators/pion", std::vector<double>{1, 2}, {2});
    file.dataset("/correlators/pion2", std::vector<double>{3}, {1});
    file.dataset("/solves/iterations", std::vector<std::int64_t>{7, -8}, {2});
    file.attribute("/", "plaq_version", "1");
    file.attribute("/", "job_type", "measure");
    file.commit();
  }
  const auto paths = [&](const std::string& part) {
    std::string text;
    for (const StoredObject& object : read_result_file(path_, StoredValues::read, part).objects)
      text += object.path + (object.values ? "=" : "") + ' ';
    return text;
  };
  EXPECT_EQ(paths("/"), "/ /correlators /correlators/pion= /correlators/pion2= /solves /solves/iterations= ");
  EXPECT_EQ(paths("/correlators/pion"), "/ /correlators /correlators/pion= ");
  EXPECT_EQ(paths("/solves"), "/ /solves /solves/iterations= ");
  EXPECT_EQ(paths("/none/rung"), "/ ");
}

TEST_F(OutputFiles, EqualContentsGiveEqualBytes) {
  write_sample(path_);
  const std::string first = bytes();
  fs::remove(path_);
  write_sample(path_);
  EXPECT_EQ(bytes(), first);
}

TEST_F(OutputFiles, OrderDoesNotMatter) {
  const auto written = [&](bool forwards) {
    OutputFile file(path_, true);
    const auto data = [&] {
      file.dataset("/b/data", std::vector<double>{1, 2}, {2}, {{"units", "1"}, {"axes", "t"}});
    };
    const auto group = [&] { file.group("/a", {{"x", 1.0}, {"w", 2.0}}); };
    forwards ? data() : group();
    forwards ? group() : data();
    file.attribute("/", forwards ? "p" : "q", std::int64_t{3});
    file.attribute("/", forwards ? "q" : "p", std::int64_t{3});
    file.commit();
    return bytes();
  };
  EXPECT_EQ(written(true), written(false));
}

TEST_F(OutputFiles, WithoutCommitNothingIsLeft) {
  {
    OutputFile file(path_, false);
    file.dataset("/a", std::vector<double>{1}, {1});
  }
  EXPECT_EQ(files(), 0u);
}

TEST_F(OutputFiles, ExistingFileIsKeptUnlessOverwriteIsSet) {
  std::ofstream(path_) << "old";
  expect_holds(message_of(ErrorKind::output_file, [&] { write_sample(path_); }), "out.h5: it exists");
  EXPECT_EQ(bytes(), "old");
  { OutputFile given_up(path_, true); }
  EXPECT_EQ(bytes(), "old");
  {
    OutputFile file(path_, true);
    file.attribute("/", "a", 1.0);
    file.commit();
  }
  EXPECT_NE(bytes(), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(OutputFiles, FileThatAppearsMeanwhileIsKept) {
  OutputFile file(path_, false);
  std::ofstream(path_) << "other";
  message_of(ErrorKind::output_file, [&] { file.commit(); });
  EXPECT_EQ(bytes(), "other");
  EXPECT_EQ(files(), 1u);
}

TEST_F(OutputFiles, PlacesThatCannotBeWritten) {
  const auto refused = [](const std::string& path) {
    return message_of(ErrorKind::output_file, [&] { check_output(path, true); });
  };
  expect_holds(refused((directory_ / "missing" / "out.h5").string()), "No such file or directory");
  expect_holds(refused(directory_.string()), "it is a directory");
  expect_holds(refused("/dev/null"), "not a regular file");
  expect_holds(refused("/proc/out.h5"), "/proc/out.h5");  // nobody can write here, not even root
  refused("");
  check_output(path_, false);
  EXPECT_EQ(files(), 0u);
}

TEST_F(OutputFiles, Hdf5ErrorsNameTheFileAndTheReason) {
  OutputFile file(path_, false);
  file.dataset("/a", std::vector<double>{1}, {1});
  testing::internal::CaptureStderr();
  const auto twice =
      message_of(ErrorKind::output_file, [&] { file.dataset("/a", std::vector<double>{1}, {1}); });
  const auto below = message_of(ErrorKind::output_file, [&] { file.attribute("/none", "b", 1.0); });
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  expect_holds(twice, "out.h5: /a is there already");
  expect_holds(below, "out.h5: attribute 'b': there is no /none");
  file.group("/a/below");  // below a dataset there is nothing
  testing::internal::CaptureStderr();
  const auto refused = message_of(ErrorKind::output_file, [&] { file.commit(); });
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  expect_holds(refused, "out.h5: making group /a/below: HDF5 says: ");
  message_of(ErrorKind::internal, [&] { file.dataset("/b", std::vector<double>{1}, {2}); });
}

TEST_F(OutputFiles, FullDiskLeavesTheOldFile) {
  std::ofstream(path_) << "old";
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  OutputFile file(path_, true);
  file.dataset("/a", std::vector<double>(10000, 1.0), {10000});
  rlimit small = before;
  small.rlim_cur = 4096;
  setrlimit(RLIMIT_FSIZE, &small);
  const auto message = message_of(ErrorKind::output_file, [&] { file.commit(); });
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  expect_holds(message, "writing: File too large");
  EXPECT_EQ(bytes(), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(OutputFiles, TextAtomically) {
  write_atomically(path_, "{}\n", false);
  EXPECT_EQ(bytes(), "{}\n");
  message_of(ErrorKind::output_file, [&] { write_atomically(path_, "new", false); });
  write_atomically(path_, "new", true);
  EXPECT_EQ(bytes(), "new");
  EXPECT_EQ(files(), 1u);
}

}  // namespace
}  // namespace plaq::jobs::test
