// Gauge transformations.
#include "io/transformation/transformation_file.hpp"
#include "tests/fuzz/fuzz_target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  return plaq::fuzz::fuzz_input(bytes, size, plaq::inspect_scidac_transformation);
}

std::vector<std::string> plaq::fuzz::fuzz_seeds() {
  std::vector<std::string> seeds;
  for (const Precision precision : {Precision::single_precision, Precision::double_precision}) {
    const auto frame = frame_scidac_transformation(
        {2, 2, 2, 2}, precision, {{"GAUGE_FIXED", "Landau"}, {"NOTE", "a"}}, {ChecksumKind::scidac, 1, 2});
    seeds.push_back(frame.head + std::string(16 * 18 * bytes_of(precision), 'x') + frame.tail);
  }
  return seeds;
}
