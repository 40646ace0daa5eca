// Printing that fails where its reader would miss something.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <string_view>
#include <utility>

namespace plaq::jobs {

// Runs `print`, which writes to standard output, and flushes. Throws Error(output_file) where not all of it
// could be written: a full disk, a closed pipe.
void print_whole(const std::function<void()>& print);

// Writes to standard output as a terminal may see it (core/system/printable.hpp): all that may
// hold text of files goes this way.
void print_safely(std::string_view text);
template <class First, class... Rest>
void print_safely(fmt::format_string<First, Rest...> format, First&& first, Rest&&... rest) {
  print_safely(
      std::string_view(fmt::format(format, std::forward<First>(first), std::forward<Rest>(rest)...)));
}

}  // namespace plaq::jobs
