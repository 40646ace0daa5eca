#include "io/bytes/names_now.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

namespace plaq {

namespace fs = std::filesystem;

void ask_for_names_again(const std::string& directory) {
  const char* name = directory.empty() ? "." : directory.c_str();
  const int descriptor = ::open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor >= 0) ::close(descriptor);
}

bool exists_now(const std::string& path) {
  ask_for_names_again(fs::path(path).parent_path().string());
  std::error_code ignored;
  return fs::exists(path, ignored);
}

}  // namespace plaq
