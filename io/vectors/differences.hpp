// Differences between the description of a file and the data at hand, in one line for users.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace plaq {

// "mass -0.4 in the file, -0.41 here; ..."; empty: nothing. Texts are the reader's to make of numbers.
class Differences {
 public:
  void add(std::string_view name, const std::string& in_file, const std::string& here) {
    if (in_file == here) return;
    if (!text_.empty()) text_ += "; ";
    text_ += fmt::format("{} {} in the file, {} here", name, in_file, here);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace plaq
