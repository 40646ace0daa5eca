#include "io/bytes/byte_order.hpp"
#include "tests/fuzz/fuzz_target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  return plaq::fuzz::fuzz_format(bytes, size, plaq::openqcd_format());
}

std::vector<std::string> plaq::fuzz::fuzz_seeds() {
  std::string file(24 + 16 * 576, 'x');
  auto* bytes = reinterpret_cast<std::byte*>(file.data());
  for (int mu = 0; mu < 4; ++mu) store(bytes + 4 * mu, ByteOrder::little, std::uint32_t{2});
  store(bytes + 16, ByteOrder::little, 1.5);
  return {file};
}
