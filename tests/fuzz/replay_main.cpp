// Runs a fuzz target without libFuzzer: over its seeds, every truncation of their first bytes, and
// mutations of them that are the same in every run.
//   TARGET [ROUNDS [PATH...]]  mutations of each seed, 2000 when left out; at most so
//     many truncations. 0: no seeds.
//                              Files, and all those in folders, are run before.
//   TARGET --write FOLDER      writes the seeds there instead, a corpus for libFuzzer
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
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

std::vector<std::filesystem::path> files_of(const std::filesystem::path& path) {
  if (!std::filesystem::is_directory(path)) return {path};
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(path)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
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
  const int rounds = words.empty() ? 2000 : std::atoi(words[0].c_str());
  std::size_t files = 0;
  for (std::size_t i = 1; i < words.size(); ++i)
    for (const auto& path : files_of(words[i])) {
      std::printf("%s\n", path.c_str());  // the last one printed is the one that ends the program
      std::fflush(stdout);
      run(plaq::ByteSource::file(path.string()).text(0, 1 << 24));
      ++files;
    }
  std::mt19937_64 random(20);
  const auto step = static_cast<std::size_t>(std::max(1, 2048 / std::max(1, rounds)));
  for (const auto& seed : seeds) {
    if (rounds == 0) break;
    run(seed);
    for (std::size_t size = 0; size < std::min<std::size_t>(seed.size(), 2048); size += step)
      run(seed.substr(0, size));
    for (int i = 0; i < rounds; ++i) run(mutated(seed, seeds[random() % seeds.size()], random));
  }
  std::printf("%zu seeds, %d mutations each, %zu files\n", seeds.size(), rounds, files);
  return 0;
}
