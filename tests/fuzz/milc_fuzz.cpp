#include "io/bytes/byte_order.hpp"
#include "tests/fuzz/fuzz_target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  return plaq::fuzz::fuzz_format(bytes, size, plaq::milc_format());
}

std::vector<std::string> plaq::fuzz::fuzz_seeds() {
  std::vector<std::string> seeds;
  for (const ByteOrder order : {ByteOrder::little, ByteOrder::big}) {
    std::string file(96 + 16 * 288, 'x');
    auto* bytes = reinterpret_cast<std::byte*>(file.data());
    store(bytes, order, std::uint32_t{20103});
    for (int mu = 0; mu < 4; ++mu) store(bytes + 4 + 4 * mu, order, std::uint32_t{2});
    const std::string stamp = "Mon Jan  2 12:00:00 2023 UTC";
    file.replace(20, 64, stamp + std::string(64 - stamp.size(), '\0'));
    for (const std::size_t at : {84, 88, 92}) store(bytes + at, order, std::uint32_t{0});
    seeds.push_back(file);
  }
  return seeds;
}
