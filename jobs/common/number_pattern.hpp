// Numbers in file names: "run{replica}/field.{trajectory}.nersc".
#pragma once

#include <cstdint>
#include <optional>
#include <regex>
#include <string>
#include <string_view>

namespace plaq::jobs {

// Which configuration of which Markov chain a gauge field is.
struct ChainNumbers {
  std::optional<std::int64_t> trajectory, replica;
  bool operator==(const ChainNumbers&) const = default;
};

// {trajectory}, once, and {replica}, at most once, stand for digits, up to 18 of them; * and ? for any characters but a slash. All
// else stands for itself. A pattern with n slashes is that of the last n + 1 parts of a path.
class NumberPattern {
 public:
  // Throws std::invalid_argument, which says what is wrong.
  explicit NumberPattern(std::string_view text);
  bool has_replica() const { return replica_ != 0; }
  // None where the path is not such a name.
  std::optional<ChainNumbers> numbers_in(const std::string& path) const;

 private:
  std::regex regex_;
  std::size_t trajectory_ = 0, replica_ = 0;  // which group of the expression; 0: none
};

}  // namespace plaq::jobs
