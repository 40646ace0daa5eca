// Modes of the Laplacian: headers, and the text in them alone, which a sum protects. A text that is accepted
// comes back as the same. Numbers are read as those of multigrid setups are (multigrid_read).
#include "io/gauge/link_sum.hpp"
#include "io/laplacian_modes/laplacian_mode_scidac.hpp"
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/memory_file.hpp"

namespace {

using namespace plaq;

LaplacianModeFileInfo sound_info(Precision stored) {
  LaplacianModeFileInfo file;
  file.extents = {2, 2, 2, 2};
  file.modes = 2;
  file.precision = stored;
  file.info.plaq_version = "1.2.3";
  file.info.operator_entries = {{"type", "laplacian"}, {"boundary", "1 1 1"}};
  file.info.links = {ChecksumKind::scidac, 1, 2};
  file.info.values = {0.25, 0.5, 0.125, 0.75};
  file.info.bounds = {0, 1e-9, 1e-10, 0};
  file.info.entries = {{"NOTE", "a < b"}};
  return file;
}

std::string sound_file(Precision stored) {
  const LaplacianModeFileInfo info = sound_info(stored);
  const std::string numbers(bytes_of_vectors("seed", shape_of(info)), '\0');
  LinkSum sum(ChecksumKind::scidac, ByteOrder::big, shape_of(info).site_bytes());
  sum.add(0, std::as_bytes(std::span(numbers)));
  const auto frame = frame_scidac_laplacian_modes(info, sum.of_this_rank());
  return frame.head + numbers + frame.tail;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  fuzz::fuzz_input(bytes, size, inspect_scidac_laplacian_modes);
  return fuzz::fuzz_input(bytes, size, [&](const ByteSource&) {
    const std::string once = to_text(laplacian_mode_info_from_text(fuzz::text_of(bytes, size), "fuzz"));
    if (to_text(laplacian_mode_info_from_text(once, "again")) != once) std::abort();
  });
}

std::vector<std::string> plaq::fuzz::fuzz_seeds() {
  std::vector<std::string> seeds;
  for (const auto stored : {Precision::half_precision, Precision::single_precision}) {
    seeds.push_back(to_text(sound_info(stored)));
    seeds.push_back(sound_file(stored));
  }
  return seeds;
}
