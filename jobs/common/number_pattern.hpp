// Numbers in file names: "run{replica}/field.{trajectory}.nersc".
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plaq::jobs {

// Trajectory and replica of a gauge field in its Markov chains.
struct ChainNumbers {
  std::optional<std::int64_t> trajectory, replica;
  auto operator<=>(const ChainNumbers&) const = default;
};

// {trajectory}, once, and {replica}, at most once, stand for all neighbouring digits, at most 18; * and ?
// stand for any characters but a slash. Everything else stands for itself, and only a digit that the pattern
// spells may touch a number. A pattern with n slashes describes the last n + 1 parts of a path.
class NumberPattern {
 public:
  // Throws std::invalid_argument, which says what is wrong.
  explicit NumberPattern(std::string_view text);
  bool has_replica() const { return has_replica_; }
  // Returns none where the path does not match. Throws std::invalid_argument, which says what is wrong, for a
  // path that matches with several numbers, such as a.1.2.b for "*.{trajectory}.*".
  std::optional<ChainNumbers> numbers_in(const std::string& path) const;

 private:
  enum class Kind { letter, any_letter, any_text, trajectory, replica };
  struct Part {
    Kind kind = Kind::letter;
    char letter = 0;  // for Kind::letter
    bool is_number() const { return kind == Kind::trajectory || kind == Kind::replica; }
  };
  void add(Part part);
  bool spells_digit(std::size_t part) const;

  std::string text_;
  std::vector<Part> parts_;
  std::size_t slashes_ = 0;
  bool has_trajectory_ = false, has_replica_ = false;
};

// File names in the order that users mean: numbers in them count as numbers, so field.9 comes before
// field.10. A strict order of all texts. Runs of digits are compared by value, whatever their length; all
// else, and numbers that are equal but for zeros in front, character by character.
bool naturally_before(std::string_view a, std::string_view b);

}  // namespace plaq::jobs
