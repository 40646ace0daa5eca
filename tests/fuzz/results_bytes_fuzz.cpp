// Results as bytes, as journals have them: what is taken must come back as the same bytes.
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/result_seeds.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto text = plaq::fuzz::text_of(bytes, size);
  const auto results = plaq::jobs::results_from_bytes(text);
  if (results && plaq::jobs::to_bytes(*results) != text) std::abort();
  return 0;
}

std::vector<std::string> plaq::fuzz::fuzz_seeds() {
  std::vector<std::string> seeds;
  for (const auto& results : result_seeds()) seeds.push_back(jobs::to_bytes(results));
  return seeds;
}
