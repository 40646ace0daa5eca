// Files of tests: a folder that goes away, files as bytes, the same on all ranks.
#pragma once

#include <unistd.h>

#include "comms/communicator/collective.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/test.hpp"
#include "tests/support/world.hpp"

namespace plaq::test {

inline std::string read_bytes(const std::filesystem::path& path) {
  if (!std::filesystem::is_regular_file(path)) return {};
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// Folder of one process.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::filesystem::path& parent = std::filesystem::temp_directory_path()) {
    std::string name = (parent / "plaq-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw Error(ErrorKind::internal, "cannot make " + name);
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

inline std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

// One directory for all ranks; made and removed by rank 0.
class SharedDirectory {
 public:
  explicit SharedDirectory(const std::filesystem::path& parent = std::filesystem::temp_directory_path()) {
    if (world_rank() == 0) folder_.emplace(parent);
    path_ = broadcast(MPI_COMM_WORLD, folder_ ? folder_->path().string() : "");
  }
  ~SharedDirectory() { MPI_Barrier(MPI_COMM_WORLD); }  // nobody needs it any more
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::vector<std::string> names() const { return names_in(path_); }

 private:
  std::optional<TemporaryFolder> folder_;
  std::filesystem::path path_;
};

// Collective: rank 0 acts, when all have done what comes before it, and before any goes on.
inline void on_first_rank(const Action& action) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (world_rank() == 0) action();
  MPI_Barrier(MPI_COMM_WORLD);
}
inline void write_bytes(const std::string& path, const std::string& bytes) {
  on_first_rank([&] { std::ofstream(path, std::ios::binary) << bytes; });
}
// Result of look() on all ranks.
template <class Look>
auto together(const Look& look) {
  MPI_Barrier(MPI_COMM_WORLD);
  auto seen = look();
  MPI_Barrier(MPI_COMM_WORLD);
  return seen;
}
inline std::string read_together(const std::string& path) {
  return together([&] { return read_bytes(path); });
}

// Collective: this very error on every rank, before any goes on.
inline void expect_error_everywhere(const Action& action, ErrorKind kind, const Parts& parts) {
  const auto error = error_of(action);
  expect_error(error, kind, parts);
  const std::string message = error ? error->what() : "";
  EXPECT_EQ(message, broadcast(MPI_COMM_WORLD, message));
  MPI_Barrier(MPI_COMM_WORLD);
}

inline std::string with_flipped_bit(std::string bytes, std::size_t at, int bit) {
  bytes.at(at) = static_cast<char>(bytes[at] ^ (1 << bit));
  return bytes;
}

}  // namespace plaq::test
