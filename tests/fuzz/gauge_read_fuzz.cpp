// Gauge files of any format, read whole: header, links, checksum, survey of SU(3).
#include <cmath>

#include "io/gauge/gauge_file.hpp"
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/gauge_seeds.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/one_rank.hpp"

namespace {

using namespace plaq;

// What was read must be what the survey promises.
void expect_su3_numbers(const Field& gauge) {
  const LatticeShape& shape = gauge.geometry().shape();
  for (int mu = 0; mu < 4; ++mu)
    for (int parity = 0; parity < 2; ++parity)
      for (int site = 0; site < shape.half_volume; ++site)
        for (int r = 0; r < 18; ++r)
          if (!(std::abs(get_real(gauge, mu, parity, site, r)) < 1.001)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const ProcessGrid& grid = fuzz::one_rank();
  const fuzz::MemoryFile file(fuzz::text_of(bytes, size));
  return fuzz::fuzz_input(bytes, size, [&](const ByteSource& source) {
    const GaugeFileInfo info = recognize_gauge_file(source).inspect(source);
    Field gauge(grid.geometry(fuzz::lattice_or(info.extents, {2, 2, 2, 2})),
                gauge_spec(Precision::double_precision, Location::host));
    for (const bool strip : {false, true}) {
      const auto report = read_gauge_file(file.path(), grid, gauge, {.strip_antiperiodic = strip});
      expect_su3_numbers(gauge);
      verify_gauge_file(report, report.info.plaquette.value_or(0), report.info.link_trace.value_or(0));
    }
  });
}

std::vector<std::string> plaq::fuzz::fuzz_seeds() { return gauge_seeds(); }
