// Gauge files of openQCD and DDalphaAMG, which have the same header.
#include "io/bytes/byte_order.hpp"
#include "tests/fuzz/fuzz_target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  plaq::fuzz::fuzz_format(bytes, size, plaq::openqcd_format());
  return plaq::fuzz::fuzz_format(bytes, size, plaq::ddalphaamg_format());
}

std::vector<std::string> plaq::fuzz::fuzz_seeds() {
  std::vector<std::string> seeds;
  for (const ByteOrder order : {ByteOrder::little, ByteOrder::big}) {
    std::string file(24 + 16 * 576, 'x');
    auto* bytes = reinterpret_cast<std::byte*>(file.data());
    for (int mu = 0; mu < 4; ++mu) store(bytes + 4 * mu, order, std::uint32_t{2});
    store(bytes + 16, order, 1.5);
    seeds.push_back(file);
  }
  return seeds;
}
