#include "tests/fuzz/fuzz_target.hpp"
#include "tests/io/lime/lime_files.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  return plaq::fuzz::fuzz_format(bytes, size, plaq::ildg_format());
}

std::vector<std::string> plaq::fuzz::fuzz_seeds() {
  std::vector<std::string> seeds;
  for (const int precision : {32, 64})
    for (const bool ildg : {true, false})
      seeds.push_back(
          test::lime_example(ildg, precision, std::string(16 * 9 * precision, 'x'), "2 2 2 2").bytes());
  GaugeWriteRequest request;
  request.format = GaugeFileFormat::ildg;
  request.extents = {2, 2, 2, 2};
  request.plaquette = request.link_trace = 0.5;
  request.metadata.ildg_lfn = "lfn://plaq";
  request.metadata.entries = {{"KEY", "value"}, {"xlf-info", "plaquette = 0.5\n"}};
  const GaugeFileFrame frame = ildg_format().frame(request, {ChecksumKind::scidac, 1, 2});
  seeds.push_back(frame.head + std::string(16 * 576, 'x') + frame.tail);
  return seeds;
}
