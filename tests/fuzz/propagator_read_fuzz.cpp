// SciDAC propagators, and those of MILC and FNAL, read whole: header, numbers,
// checksum. (HDF5 is read by its library.)
#include <cmath>

#include "io/gauge/link_sum.hpp"
#include "io/lime/lime.hpp"
#include "io/propagator/propagator_file.hpp"
#include "io/propagator/propagator_formats.hpp"
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/one_rank.hpp"
#include "tests/fuzz/propagator_seeds.hpp"

namespace {

using namespace plaq;

void expect_finite(const Field& propagator) {
  const int half_volume = propagator.geometry().shape().half_volume;
  for (int subfield = 0; subfield < propagator.subfields(); ++subfield)
    for (int parity = 0; parity < 2; ++parity)
      for (int site = 0; site < half_volume; ++site)
        for (int r = 0; r < propagator.reals_per_site(); ++r)
          if (!std::isfinite(get_real(propagator, subfield, parity, site, r))) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const ProcessGrid& grid = fuzz::one_rank();
  const fuzz::MemoryFile file(fuzz::text_of(bytes, size));
  return fuzz::fuzz_input(bytes, size, [&](const ByteSource& source) {
    if (!is_lime(source) && !is_binary_propagator(source)) return;
    const PropagatorFileInfo info = inspect_propagator(file.path());
    Field propagator(grid.geometry(fuzz::lattice_or(info.extents, {2, 2, 2, 2})),
                     propagator_spec(info.quarks, Precision::double_precision, info.count));
    read_propagator(file.path(), grid, propagator);
    expect_finite(propagator);
  });
}

std::vector<std::string> plaq::fuzz::fuzz_seeds() {
  std::vector<std::string> seeds;
  for (const PropagatorKind quarks : {PropagatorKind::spinors, PropagatorKind::staggered})
    for (const Precision precision : {Precision::single_precision, Precision::double_precision}) {
      std::string data;
      for (int i = 0; i < 16 * propagator_reals(quarks); ++i) {
        std::byte number[8];
        precision == Precision::double_precision
            ? store(number, ByteOrder::big, 0.01 * i)
            : store(number, ByteOrder::big, 0.01f * static_cast<float>(i));
        data.append(reinterpret_cast<const char*>(number), static_cast<std::size_t>(bytes_of(precision)));
      }
      LinkSum sum(ChecksumKind::scidac, ByteOrder::big, record_bytes(quarks, precision));
      sum.add(0, std::as_bytes(std::span(data)));
      for (const std::string text : {"a text", ""}) {
        const auto frame =
            frame_scidac_propagator({{2, 2, 2, 2}, quarks, precision, text, {}}, sum.of_this_rank());
        seeds.push_back(frame.head + data + frame.tail);
      }
    }
  for (const auto& seed : fuzz::binary_propagator_seeds()) seeds.push_back(seed);
  return seeds;
}
