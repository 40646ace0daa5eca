#include "jobs/common/file_identity.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

namespace plaq::jobs {

namespace fs = std::filesystem;

std::string FileIdentities::operator()(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) return fmt::format("{}:{}", status.st_dev, status.st_ino);
  std::error_code ignored;
  const auto slash = path.rfind('/');
  const std::string directory = slash == path.npos ? "." : path.substr(0, slash + 1);
  const auto [at, is_new] = directories_.try_emplace(directory);
  if (is_new) at->second = fs::weakly_canonical(fs::absolute(directory, ignored), ignored) / "";
  return at->second.string() + (slash == path.npos ? path : path.substr(slash + 1));
}

}  // namespace plaq::jobs
