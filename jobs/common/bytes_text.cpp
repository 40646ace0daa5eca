#include "jobs/common/bytes_text.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace plaq::jobs {

std::string bytes_text(double bytes) {
  static constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit < 5; ++unit) bytes /= 1024;
  if (unit == 0) return fmt::format("{:.0f} B", bytes);
  const int digits = bytes < 10 ? 2 : bytes < 100 ? 1 : 0;
  return fmt::format("{:.{}f} {}", bytes, digits, units[unit]);
}

}  // namespace plaq::jobs
