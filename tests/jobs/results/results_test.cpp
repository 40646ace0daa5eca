// Results: bytes and back, stacking, files with a checksum trailer.
#include "jobs/results/results.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "jobs/results/output_file.hpp"
#include "jobs/results/result_file.hpp"
#include "tests/jobs/schema/job_file_helpers.hpp"

namespace plaq::jobs::test {
namespace {

namespace fs = std::filesystem;

Results sample(double shift) {
  Results results;
  results.group("/", {{"plaq_version", "0"}, {"job_type", "measure"}});
  results.group("/action", {{"kappa", 0.12}, {"boundary", std::vector<std::int64_t>{1, 1, 1, -1}}});
  results.numbered_group("/gauge", {{"file", fmt::format("f{}", shift)}, {"plaquette", 0.5 + shift}});
  results.dataset("/observables/plaquette", {}, std::vector{0.5 + shift}, {{"units", "1"}});
  results.dataset("/correlators/pion", {2, 3}, std::vector{1., 2., 3., 4., 5., shift},
                  {{"axes", std::vector<std::string>{"source", "t"}}, {"none", std::vector<double>{}}});
  results.dataset("/solves/iterations", {2}, std::vector<std::int64_t>{-7, std::int64_t{1} << 60},
                  {{"axes", "column"}, {"weights", std::vector<double>{0.1, -0.0}}});
  return results;
}

TEST(Results, BytesAndBack) {
  const Results results = sample(0.25);
  const std::string bytes = to_bytes(results);
  EXPECT_EQ(results_from_bytes(bytes), results);
  EXPECT_EQ(results_from_bytes(to_bytes(Results{})), Results{});
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_FALSE(results_from_bytes(std::string_view(bytes).substr(0, length))) << length;
  EXPECT_FALSE(results_from_bytes(bytes + "x"));
  for (std::size_t at = 0; at < bytes.size(); ++at) {  // no length is believed: this must only end
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x80);
    results_from_bytes(damaged);
  }
}

TEST(Results, BytesAreThoseOfTheLayout) {
  Results results;
  results.dataset("/a", {1}, std::vector<std::int64_t>{258});
  const std::string expected(
      "\1\0\0\0"                                  // layout
      "\0\0\0\0\0\0\0\0"                          // no group
      "\1\0\0\0\0\0\0\0"                          // one dataset:
      "\2\0\0\0\0\0\0\0/a"                        // path
      "\1\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0"          // extents
      "\1\0\0\0\1\0\0\0\0\0\0\0\2\1\0\0\0\0\0\0"  // integers
      "\0\0\0\0\0\0\0\0",                         // no attribute
      4 + 8 + 8 + 10 + 16 + 20 + 8);
  EXPECT_EQ(to_bytes(results), expected);
}

TEST(Results, Stack) {
  const Results all = stack({sample(0), sample(1), sample(2)}, "configuration");
  ASSERT_EQ(all.groups.size(), 5u);
  EXPECT_EQ(all.groups[1], sample(0).groups[1]);
  EXPECT_EQ(all.groups[4].path, "/gauge/000002");
  EXPECT_EQ(all.groups[4].attributes, sample(2).groups[2].attributes);
  const Dataset& plaquette = all.datasets[0];
  EXPECT_EQ(plaquette.extents, std::vector<std::size_t>{3});
  EXPECT_EQ(plaquette.values, Dataset::Values(std::vector{0.5, 1.5, 2.5}));
  EXPECT_EQ(*find_attribute(plaquette.attributes, "axes"), Attribute("configuration"));
  const Dataset& pion = all.datasets[1];
  EXPECT_EQ(pion.extents, (std::vector<std::size_t>{3, 2, 3}));
  EXPECT_EQ(std::get<std::vector<double>>(pion.values)[11], 1);
  EXPECT_EQ(*find_attribute(pion.attributes, "axes"),
            Attribute(std::vector<std::string>{"configuration", "source", "t"}));
  EXPECT_EQ(all.datasets[2].extents, (std::vector<std::size_t>{3, 2}));
  EXPECT_EQ(stack({}, "configuration"), Results{});
}

TEST(Results, StackNeedsTheSameParts) {
  const auto refused = [](auto&& change) {
    Results other = sample(1);
    change(other);
    return message_of(ErrorKind::internal, [&] { stack({sample(0), other}, "configuration"); });
  };
  expect_holds(refused([](Results& r) { r.datasets[0].attributes[0].second = std::string("2"); }),
               "/observables/plaquette");
  expect_holds(refused([](Results& r) { r.datasets[1].extents = {3, 2}; }), "/correlators/pion");
  expect_holds(refused([](Results& r) { r.groups[1].attributes[0].second = 0.13; }), "group /action");
  expect_holds(refused([](Results& r) { r.datasets.pop_back(); }), "the number of their parts");
}

class ResultFiles : public testing::Test {
 protected:
  void SetUp() override {
    directory_ = fs::path(testing::TempDir()) / ("plaq_result_files_" + std::to_string(::getpid()));
    fs::remove_all(directory_);
    fs::create_directories(directory_);
    path_ = (directory_ / "out.h5").string();
  }
  void TearDown() override { fs::remove_all(directory_); }
  std::string write() const {
    OutputFile out(path_, true);
    out.write(stack({sample(0), sample(1)}, "configuration"));
    out.commit();
    std::ifstream stream(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  void put(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }
  fs::path directory_;
  std::string path_;
};

TEST_F(ResultFiles, AreReadBack) {
  const std::string bytes = write();
  const StoredResults found = read_result_file(path_);
  EXPECT_EQ(found.trailer.bytes + trailer_bytes, bytes.size());
  std::vector<std::string> paths;
  for (const auto& object : found.objects) paths.push_back(object.path);
  EXPECT_EQ(paths, (std::vector<std::string>{"/", "/action", "/correlators", "/correlators/pion", "/gauge",
                                             "/gauge/000000", "/gauge/000001", "/observables",
                                             "/observables/plaquette", "/solves", "/solves/iterations"}));
  EXPECT_EQ(found.objects[3].extents, (std::vector<std::size_t>{2, 2, 3}));
  EXPECT_EQ(*find_attribute(found.objects[6].attributes, "plaquette"), Attribute(1.5));
}

TEST_F(ResultFiles, EveryFlippedBitIsNoticed) {
  const std::string good = write();
  std::mt19937 generator(5);
  std::uniform_int_distribution<std::size_t> any(0, 8 * good.size() - 1);
  std::vector<std::size_t> bits(1000);
  for (auto& bit : bits) bit = any(generator);
  for (std::size_t bit = 8 * (good.size() - trailer_bytes); bit < 8 * good.size(); ++bit) bits.push_back(bit);
  for (const std::size_t bit : bits) {
    std::string bad = good;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << bit % 8));
    put(bad);
    const auto message = message_of(ErrorKind::input_file, [&] { read_result_file(path_); });
    ASSERT_FALSE(message.empty()) << bit;
    expect_holds(message, "out.h5");
  }
}

TEST_F(ResultFiles, CutOffOrLonger) {
  const std::string good = write();
  for (const std::size_t length : {std::size_t{0}, std::size_t{8}, good.size() / 2, good.size() - 1}) {
    put(good.substr(0, length));
    message_of(ErrorKind::input_file, [&] { read_result_file(path_); });
  }
  put(good + good.substr(good.size() - trailer_bytes));
  expect_holds(message_of(ErrorKind::input_file, [&] { read_result_file(path_); }),
               "its checksum trailer is for");
}

TEST_F(ResultFiles, NumbersNeedNoExtents) {
  {
    OutputFile out(path_, true);
    out.write(sample(0.5));
    out.commit();
  }
  const auto objects = read_result_file(path_).objects;
  const auto at = std::find_if(objects.begin(), objects.end(),
                               [](const auto& object) { return object.path == "/observables/plaquette"; });
  ASSERT_NE(at, objects.end());
  EXPECT_TRUE(at->dataset);
  EXPECT_TRUE(at->extents.empty());
}

}  // namespace
}  // namespace plaq::jobs::test
