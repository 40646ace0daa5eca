// Runs a fuzz target without libFuzzer: over its seeds, every truncation of their first bytes, and
// mutations of them that are the same in every run.
//   TARGET [ROUNDS]          mutations of each seed, 2000 when left out; at most so many truncations
//   TARGET --write FOLDER    writes the seeds there instead, a corpus for libFuzzer
//   TARGET FILE...           runs these inputs
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "tests/fuzz/fuzz_target.hpp"

namespace {

// In memory of exactly its size, so that a sanitizer sees every byte too far.
void run(const std::string& input) {
  const std::vector<std::uint8_t> exact(input.begin(), input.end());
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

std::string mutated(std::string input, const std::string& other, std::mt19937_64& random) {
  const int changes = 1 + static_cast<int>(random() % 4);
  for (int i = 0; i < changes && !input.empty(); ++i) {
    const std::size_t at = random() % input.size();
    switch (random() % 6) {
      case 0:
        input[at] = static_cast<char>(random());
        break;
      case 1:
        input[at] = static_cast<char>(input[at] ^ 1 << random() % 8);
        break;
      case 2:
        input.erase(at, random() % 200);
        break;
      case 3:
        input.insert(at, other.substr(random() % (other.size() + 1), random() % 200));
        break;
      case 4:
        input.insert(at, random() % 50, static_cast<char>(random()));
        break;
      default:
        input.resize(at);
        break;
    }
  }
  return input;
}

}  // namespace

int main(int count, char** arguments) {
  const auto seeds = plaq::fuzz::fuzz_seeds();
  const std::vector<std::string> words(arguments + 1, arguments + count);
  if (words.size() == 2 && words[0] == "--write") {
    std::filesystem::create_directories(words[1]);
    for (std::size_t i = 0; i < seeds.size(); ++i)
      std::ofstream(words[1] + "/seed" + std::to_string(i), std::ios::binary) << seeds[i];
    return 0;
  }
  const bool files = !words.empty() && std::filesystem::exists(words[0]);
  if (files) {
    for (const auto& path : words) {
      std::ifstream stream(path, std::ios::binary);
      run(std::string(std::istreambuf_iterator<char>(stream), {}));
    }
    return 0;
  }
  const int rounds = words.empty() ? 2000 : std::atoi(words[0].c_str());
  std::mt19937_64 random(20);
  const auto step = static_cast<std::size_t>(std::max(1, 2048 / std::max(1, rounds)));
  for (const auto& seed : seeds) {
    run(seed);
    for (std::size_t size = 0; size < std::min<std::size_t>(seed.size(), 2048); size += step)
      run(seed.substr(0, size));
    for (int i = 0; i < rounds; ++i) run(mutated(seed, seeds[random() % seeds.size()], random));
  }
  std::printf("%zu seeds, %d mutations each\n", seeds.size(), rounds);
  return 0;
}
