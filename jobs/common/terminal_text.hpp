// Text for terminals: lines, numbers, and printing that fails where its reader would miss something.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace plaq::jobs {

// `text` in lines of at most `width` characters, broken at spaces, each behind `before`; a line break of the
// text stays one. Ends with a line break. A word that is too long gets a line of its own.
std::string wrapped(std::string_view text, std::string_view before = {}, std::size_t width = 80);

// Plural of a word: "sources", "masses", "copies".
std::string plural_of(const std::string& word);
std::string counted(std::int64_t n, const std::string& what);  // "1 mass", "2 masses"

std::string bytes_text(double bytes);  // "12 B", "1.50 GiB"

// Two digits of the error, in units of the last digit of the value, or with a point of its own where it is 1
// or more: 12.3(1.4). Without an error (not finite, or not above 0) eight digits of the value and (0) or (?).
std::string with_error(double value, double error);

// Runs `print`, which writes to standard output, and flushes. Throws Error(output_file) where not all of it
// could be written: a full disk, a closed pipe.
void print_whole(const std::function<void()>& print);

// Writes to standard output as a terminal may see it (core/system/log.hpp): all that may hold text of files
// goes this way.
void print_safely(std::string_view text);
template <class First, class... Rest>
void print_safely(fmt::format_string<First, Rest...> format, First&& first, Rest&&... rest) {
  print_safely(
      std::string_view(fmt::format(format, std::forward<First>(first), std::forward<Rest>(rest)...)));
}

}  // namespace plaq::jobs
