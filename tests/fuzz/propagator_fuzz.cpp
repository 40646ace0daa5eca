// SciDAC propagators. (HDF5 is read by its library.)
#include "io/propagator_formats.hpp"
#include "tests/fuzz/fuzz_target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  return plaq::fuzz::fuzz_input(bytes, size, plaq::inspect_scidac_propagator);
}

std::vector<std::string> plaq::fuzz::fuzz_seeds() {
  std::vector<std::string> seeds;
  for (const PropagatorKind quarks : {PropagatorKind::spinors, PropagatorKind::staggered})
    for (const Precision precision : {Precision::single_precision, Precision::double_precision}) {
      const auto frame = frame_scidac_propagator({{2, 2, 2, 2}, quarks, precision, "a text", {}},
                                                 {ChecksumKind::scidac, 1, 2});
      const auto bytes = static_cast<std::size_t>(16 * record_bytes(quarks, precision));
      seeds.push_back(frame.head + std::string(bytes, 'x') + frame.tail);
    }
  return seeds;
}
