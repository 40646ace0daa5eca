#include "jobs/common/terminal_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <system_error>

#include "core/system/error.hpp"
#include "core/system/log.hpp"

namespace plaq::jobs {

std::string wrapped(std::string_view text, std::string_view before, std::size_t width) {
  std::string result;
  std::istringstream lines{std::string(text)};
  for (std::string source; std::getline(lines, source);) {
    std::string line(before);
    std::istringstream words(source);
    for (std::string word; words >> word;) {
      const bool first = line.size() == before.size();
      if (!first && line.size() + 1 + word.size() > width) {
        result += line + '\n';
        line = std::string(before) + word;
      } else {
        line += (first ? "" : " ") + word;
      }
    }
    result += line + '\n';
  }
  return result;
}

std::string plural_of(const std::string& word) {
  if (word.ends_with('y')) return word.substr(0, word.size() - 1) + "ies";
  return word + (word.ends_with('s') ? "es" : "s");
}

std::string counted(std::int64_t n, const std::string& what) {
  return std::to_string(n) + ' ' + (n == 1 ? what : plural_of(what));
}

std::string bytes_text(double bytes) {
  static constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit < 5; ++unit) bytes /= 1024;
  if (unit == 0) return fmt::format("{:.0f} B", bytes);
  const int digits = bytes < 10 ? 2 : bytes < 100 ? 1 : 0;
  return fmt::format("{:.{}f} {}", bytes, digits, units[unit]);
}

namespace {

int power_of_ten(double number) { return static_cast<int>(std::floor(std::log10(number))); }

std::string fixed(double value, double error) {
  int digits = 1 - power_of_ten(error);
  if (std::round(error * std::pow(10.0, digits)) == 100) --digits;  // 0.0996 is 0.10
  digits = std::min(digits, 12);
  const int places = std::max(digits, 0);
  if (digits <= 0 || error >= 1) return fmt::format("{:.{}f}({:.{}f})", value, places, error, places);
  return fmt::format("{:.{}f}({:.0f})", value, places, std::round(error * std::pow(10.0, digits)));
}

}  // namespace

std::string with_error(double value, double error) {
  if (!std::isfinite(value)) return "nan";
  if (!std::isfinite(error) || error <= 0) return fmt::format("{:.8g}{}", value, error == 0 ? "(0)" : "(?)");
  const int power = power_of_ten(std::max(std::abs(value), error));
  if (power >= -4 && power < 6) return fixed(value, error);
  const double unit = std::pow(10.0, power);
  return fmt::format("{}e{:+03d}", fixed(value / unit, error / unit), power);
}

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
