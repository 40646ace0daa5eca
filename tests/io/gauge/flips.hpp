// Flipped bits in files: what readers make of them, part by part, as a table that the tests print and
// docs/file-formats.md has.
#pragma once

#include <cstdio>

#include "tests/io/gauge/gauge_files.hpp"

namespace plaq::test {

// In the order of how loud it is.
enum class Seen { nothing, warning, refusal };

// A part of a file, and what each flip of a bit in it must at least lead to.
struct Part {
  std::string name;
  Seen least;
};

class FlipTable {
 public:
  void add(const Part& part, Seen seen, std::size_t byte, int bit) {
    Count& count = counts_[part.name];
    ++count.flips;
    ++count.seen[static_cast<std::size_t>(seen)];
    count.least = part.least;
    EXPECT_GE(seen, part.least) << part.name << ": byte " << byte << ", bit " << bit;
  }
  void print(const std::string& file) const {
    static constexpr const char* promise[] = {"unprotected", "warned of", "refused"};
    for (const auto& [name, count] : counts_)
      std::printf("%-26s %-42s %4d flips: %4d refused, %3d warned of; promised: %s\n", file.c_str(),
                  name.c_str(), count.flips, count.seen[2], count.seen[1],
                  promise[static_cast<std::size_t>(count.least)]);
    EXPECT_GT(counts_.size(), 1u);
  }

 private:
  struct Count {
    int flips = 0, seen[3] = {};
    Seen least = Seen::nothing;
  };
  std::map<std::string, Count> counts_;
};

// Calls try_flip(bytes with the flip, byte, bit) `flips` times: anywhere, and every tenth time outside of
// the range of numbers that begins at `begin`, which they would leave no flip otherwise.
inline void for_flips(const std::string& sound, int flips, std::size_t begin, std::size_t count,
                      const std::function<void(const std::string&, std::size_t, int)>& try_flip) {
  std::mt19937_64 random(2024);
  for (int i = 0; i < flips; ++i) {
    std::size_t at = static_cast<std::size_t>(random() % sound.size());
    if (i % 10 == 0 && count < sound.size()) {
      at = static_cast<std::size_t>(random() % (sound.size() - count));
      if (at >= begin) at += count;
    }
    const int bit = static_cast<int>(random() % 8);
    try_flip(with_flipped_bit(sound, at, bit), at, bit);
  }
}

// Thousands of files take long on a disk.
inline std::filesystem::path fast_directory() {
  const std::filesystem::path memory = "/dev/shm";
  return std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path();
}

// In LIME files of plaq: what is around the numbers at [begin, begin + count).
inline Part lime_part(const std::string& bytes, std::size_t begin, std::size_t count, std::size_t at,
                      int bit) {
  if (at >= begin && at < begin + count) return {"numbers", Seen::refusal};
  const std::string key = "header_crc = ";
  const std::size_t digits = bytes.rfind(key) + key.size();
  const bool letter = bytes[at] >= 'a' && bytes[at] <= 'f';
  if (at >= digits && at < digits + 8) {  // a letter may become a capital
    const bool capital = letter && bit == 5;
    return {capital ? "header_crc: capitals" : "header_crc", capital ? Seen::nothing : Seen::warning};
  }
  for (const std::string sum : {"<suma>", "<sumb>"}) {
    const std::size_t first = bytes.rfind(sum) + sum.size();
    if (at >= first && at < first + 8 && !(letter && bit == 5)) return {"checksum", Seen::refusal};
  }
  return {"texts and headers of records", Seen::warning};
}

}  // namespace plaq::test
