// Tuning files: never an exception; what is accepted comes back as the same text. The same behind a good
// first line, so that entries are reached.
#include "io/tuning/tuning_text.hpp"
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/memory_file.hpp"

namespace {

void parse(const std::string& text) {
  const auto found = plaq::parse_tuning("fuzz", text);
  if ((found.state == plaq::TuningText::State::good) != found.problem.empty()) std::abort();
  if (!found.problem.empty() && !found.entries.empty()) std::abort();
  const std::string written = plaq::tuning_text(plaq::merge_tuning(found.entries, found.entries));
  const auto again = plaq::parse_tuning("again", written);
  if (!again.problem.empty() || again.entries != found.entries) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text(plaq::fuzz::text_of(bytes, size));
  parse(text);
  parse(plaq::tuning_text({}) + text);
  return 0;
}

std::vector<std::string> plaq::fuzz::fuzz_seeds() {
  std::vector<TuneEntry> entries;
  for (int i = 0; i < 3; ++i)
    entries.push_back({"hop " + std::to_string(i),
                       "single",
                       {8, 4, 4, 16},
                       0b1010u >> i,
                       1 + 11 * i,
                       "NVIDIA H200",
                       "CUDA driver 12.4, runtime 12.2",
                       "0.1.0 0123abcd",
                       {64 * i, i},
                       12.25 / (i + 1),
                       15.0 * i,
                       "2026-01-31T23:59:59Z"});
  const std::string all = tuning_text(entries);
  return {all, all.substr(all.find('\n') + 1), tuning_text({}), tuning_text(std::span(entries).first(1))};
}
