// Free memory of hosts that are made up: files of a system below a folder.
#include "core/system/memory.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace plaq {
namespace {

namespace fs = std::filesystem;

class FreeMemory : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "plaq-free-memory-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    root_ = name;
  }
  void TearDown() override { fs::remove_all(root_); }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text;
  }
  std::uint64_t found() const { return free_host_memory(root_); }

  fs::path root_;
};

TEST_F(FreeMemory, IsWhatTheSystemCallsAvailable) {
  EXPECT_EQ(found(), unknown_memory);
  write("proc/meminfo", "MemTotal:       24684096 kB\nMemFree:  5 kB\nMemAvailable:   1000 kB\n");
  EXPECT_EQ(found(), 1024000u);
}

TEST_F(FreeMemory, IsWhatControlGroupsLeave) {
  write("proc/meminfo", "MemAvailable:   1000000 kB\n");
  write("proc/self/cgroup", "0::/job/step\n");
  const std::string groups = "sys/fs/cgroup/";
  write(groups + "job/step/memory.max", "max\n");
  write(groups + "job/step/memory.current", "7\n");
  EXPECT_EQ(found(), 1024000000u);
  write(groups + "job/memory.max", "900\n");
  write(groups + "job/memory.current", "300\n");
  EXPECT_EQ(found(), 600u);
  write(groups + "job/memory.stat", "anon 1\ninactive_file 100\n");
  EXPECT_EQ(found(), 700u);
  write(groups + "memory.max", "500\n");
  write(groups + "memory.current", "600\n");
  EXPECT_EQ(found(), 0u);
}

TEST_F(FreeMemory, IsWhatControlGroupsOfTheFirstVersionLeave) {
  write("proc/meminfo", "MemAvailable:   1000000 kB\n");
  write("proc/self/cgroup", "5:cpu:/\n4:devices,memory:/job\n");
  const std::string group = "sys/fs/cgroup/memory/job/";
  write(group + "memory.limit_in_bytes", "9223372036854771712\n");
  write(group + "memory.usage_in_bytes", "300\n");
  EXPECT_EQ(found(), 1024000000u);
  write(group + "memory.limit_in_bytes", "1000\n");
  write(group + "memory.stat", "total_inactive_file 50\n");
  EXPECT_EQ(found(), 750u);
}

TEST_F(FreeMemory, OfThisHostIsKnown) {
  const std::uint64_t bytes = free_memory(Location::host);
  EXPECT_GT(bytes, 1u << 20);
  EXPECT_LT(bytes, unknown_memory);
}

}  // namespace
}  // namespace plaq
