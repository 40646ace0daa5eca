// Files that are read whole: regular ones of a size that can be, and no others.
#include "io/bytes/byte_source.hpp"

#include <sys/stat.h>

#include "tests/support/errors.hpp"
#include "tests/support/files.hpp"

namespace plaq::test {
namespace {

namespace fs = std::filesystem;

TEST(SmallFiles, AreReadWhole) {
  const TemporaryFolder folder;
  const std::string path = folder / "a";
  std::ofstream(path) << "text\n";
  EXPECT_EQ(text_of_file(path, 5), "text\n");
  const std::string empty = folder / "empty";
  std::ofstream(empty).flush();
  EXPECT_EQ(text_of_file(empty, 0), "");
}

TEST(SmallFiles, OthersAreRefusedAtOnce) {
  const TemporaryFolder folder;
  const auto refused = [](const std::string& path) {
    return message_of(ErrorKind::input_file, [&] { text_of_file(path, 4); });
  };
  const std::string path = folder / "a";
  std::ofstream(path) << "text\n";
  EXPECT_NE(refused(path).find("5 bytes, more than the 4"), std::string::npos);
  fs::resize_file(path, std::uintmax_t{1} << 38);
  EXPECT_NE(refused(path).find("more than"), std::string::npos);
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  fs::create_symlink("/dev/zero", folder / "link");
  for (const char* name : {"pipe", "link"})
    EXPECT_NE(refused(folder / name).find("it is not a regular file"), std::string::npos) << name;
  EXPECT_NE(refused(folder.path().string()).find("it is a directory"), std::string::npos);
  EXPECT_NE(refused(folder / "none").find("No such file"), std::string::npos);
}

TEST(SmallFiles, AreCompared) {
  const TemporaryFolder folder;
  const std::string one = folder / "one", other = folder / "other";
  std::string bytes((3 << 20) + 5, 'x');
  std::ofstream(one) << bytes;
  std::ofstream(other) << bytes;
  EXPECT_TRUE(same_bytes(one, other));
  bytes.back() = 'y';
  std::ofstream(other) << bytes;
  EXPECT_FALSE(same_bytes(one, other));
  bytes.pop_back();
  std::ofstream(other) << bytes;
  EXPECT_FALSE(same_bytes(one, other));
}

}  // namespace
}  // namespace plaq::test
