#include "jobs/common/print_whole.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

#include "core/system/error.hpp"
#include "core/system/printable.hpp"

namespace plaq::jobs {
namespace {

[[noreturn]] void fail(const std::string& why) {
  throw Error(ErrorKind::output_file, fmt::format("cannot write to standard output: {}", why));
}

}  // namespace

void print_whole(const std::function<void()>& print) {
  errno = 0;
  try {
    print();
  } catch (const std::system_error& error) {  // of fmt::print
    if (std::ferror(stdout) == 0) throw;
    fail(error.code().message());
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    fail(errno != 0 ? std::strerror(errno) : "not all of it was taken");
}

void print_safely(std::string_view text) {
  const std::string shown = printable(text);
  std::fwrite(shown.data(), 1, shown.size(), stdout);
}

}  // namespace plaq::jobs
