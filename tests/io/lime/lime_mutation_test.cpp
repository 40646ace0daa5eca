// Random damage: inspect returns or throws an Error, and takes memory in proportion to the file only.

#include <new>

#include "io/gauge/lime_gauge.hpp"
#include "tests/io/lime/lime_files.hpp"
#include "tests/support/test.hpp"

namespace {
std::atomic<std::size_t> allocated = 0;
}

void* operator new(std::size_t bytes) {
  allocated += bytes;
  if (void* memory = std::malloc(bytes ? bytes : 1)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace plaq {
namespace {

TEST(LimeMutation, DamageIsSurvived) {
  reference::Generator generator(5);
  const auto gauge = reference::random_gauge({{2, 2, 2, 2}}, generator);
  std::mt19937_64 random(1);
  int refused = 0;
  const auto start = std::chrono::steady_clock::now();
  for (int round = 0; round < 4000; ++round) {
    const bool ildg = round % 2 == 0;
    std::string bytes = test::lime_example(ildg, 32, reference::link_bytes(gauge, 32), "2 2 2 2").bytes();
    const int changes = 1 + static_cast<int>(random() % 6);
    for (int i = 0; i < changes; ++i) {
      const std::size_t at = random() % bytes.size();
      switch (random() % 5) {
        case 0:
          bytes[at] = static_cast<char>(random());
          break;
        case 1:
          bytes[at] = static_cast<char>(bytes[at] ^ 1 << random() % 8);
          break;
        case 2:
          bytes.erase(at, random() % 64);
          break;
        case 3:
          bytes.insert(at, bytes.substr(random() % bytes.size(), random() % 600));
          break;
        default:
          bytes[at] = random() % 2 ? '\xff' : '<';
          break;
      }
    }
    // At the end of memory of its own, so that a sanitizer sees each byte too far.
    const std::vector<char> exact(bytes.begin(), bytes.end());
    const ByteSource source = ByteSource::memory("mutant", std::as_bytes(std::span(exact)));
    const std::size_t before = allocated;
    try {
      ildg_format().inspect(source);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input_file) << error.what();
      ++refused;
    }
    EXPECT_LT(allocated - before, 20 * bytes.size() + 400000);
  }
  EXPECT_GT(refused, 500);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::minutes(1));
}

// Sizes that files only claim are not believed.
TEST(LimeMutation, ClaimedSizesAllocateNothing) {
  auto file = test::lime_example(false, 64, "too short", "65536 65536 4 4");
  std::string bytes = file.bytes();
  const std::size_t before = allocated;
  EXPECT_THROW(ildg_format().inspect(test::source_of(bytes)), Error);
  EXPECT_LT(allocated - before, 400000u);
}

}  // namespace
}  // namespace plaq
