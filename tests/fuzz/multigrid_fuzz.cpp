// Multigrid setups: headers, and the text in them alone, which a sum protects. A text that is accepted comes
// back as the same.
#include "io/multigrid/multigrid_scidac.hpp"
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/multigrid_seeds.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace plaq;
  fuzz::fuzz_input(bytes, size, inspect_scidac_multigrid);
  return fuzz::fuzz_input(bytes, size, [&](const ByteSource&) {
    const std::string once = to_text(multigrid_info_from_text(fuzz::text_of(bytes, size), "fuzz"));
    if (to_text(multigrid_info_from_text(once, "again")) != once) std::abort();
  });
}

std::vector<std::string> plaq::fuzz::fuzz_seeds() {
  std::vector<std::string> seeds;
  for (const auto stored : {Precision::half_precision, Precision::single_precision}) {
    seeds.push_back(to_text(multigrid_info(stored)));
    seeds.push_back(multigrid_file(stored, "numbers"));
  }
  return seeds;
}
