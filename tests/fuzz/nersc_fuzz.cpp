#include "tests/fuzz/fuzz_target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  return plaq::fuzz::fuzz_format(bytes, size, plaq::nersc_format());
}

std::vector<std::string> plaq::fuzz::fuzz_seeds() {
  std::vector<std::string> seeds;
  for (const std::string number : {"IEEE32", "IEEE64", "IEEE32BIG", "IEEE64LITTLE"})
    for (const std::string type : {"4D_SU3_GAUGE", "4D_SU3_GAUGE_3x3"}) {
      const std::string header = "BEGIN_HEADER\nHDR_VERSION = 1.0\nDATATYPE = " + type +
                                 "\nDIMENSION_1 = 2\nDIMENSION_2 = 2\nDIMENSION_3 = 2\nDIMENSION_4 = 2\n"
                                 "LINK_TRACE = 0.1\nPLAQUETTE = 0.5\nCHECKSUM = 1a\nBOUNDARY_1 = PERIODIC\n"
                                 "ENSEMBLE_ID = a\nFLOATING_POINT = " +
                                 number + "\nEND_HEADER\n";
      const std::size_t reals = 16 * 4 * (type == "4D_SU3_GAUGE" ? 12 : 18);
      seeds.push_back(header + std::string(reals * (number.starts_with("IEEE32") ? 4 : 8), 'x'));
    }
  return seeds;
}
