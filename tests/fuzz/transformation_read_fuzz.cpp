// Gauge transformations, read whole: header, matrices, checksum, survey of SU(3).
#include <cmath>

#include "io/transformation/transformation_file.hpp"
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/one_rank.hpp"
#include "tests/io/lime/lime_files.hpp"

namespace {

using namespace plaq;

FieldSpec spec_of_g() {
  FieldSpec spec = gauge_spec(Precision::double_precision, Location::host);
  spec.subfields = 1;
  return spec;
}

// What was read must be what the survey promises.
void expect_su3_numbers(const Field& g) {
  const int half_volume = g.geometry().shape().half_volume;
  for (int parity = 0; parity < 2; ++parity)
    for (int site = 0; site < half_volume; ++site)
      for (int r = 0; r < 18; ++r)
        if (!(std::abs(get_real(g, 0, parity, site, r)) < 1.001)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const ProcessGrid& grid = fuzz::one_rank();
  const fuzz::MemoryFile file(fuzz::text_of(bytes, size));
  return fuzz::fuzz_input(bytes, size, [&](const ByteSource& source) {
    const TransformationFileInfo info = inspect_scidac_transformation(source);
    Field g(grid.geometry(fuzz::lattice_or(info.extents, {2, 2, 2, 2})), spec_of_g());
    read_transformation(file.path(), grid, g);
    expect_su3_numbers(g);
  });
}

std::vector<std::string> plaq::fuzz::fuzz_seeds() {
  reference::Generator generator(4);
  const reference::Lattice lattice{{2, 2, 2, 2}};
  const auto g = reference::random_transformation(lattice, generator);
  std::vector<std::string> seeds;
  for (const int bits : {32, 64}) {
    const std::string data = reference::matrix_bytes(g, bits);
    const auto sums = reference::scidac_sums(data, static_cast<std::size_t>(9 * bits / 4));
    for (const std::vector<HeaderEntry>& entries :
         {std::vector<HeaderEntry>{{"GAUGE_FIXED", "Landau"}}, std::vector<HeaderEntry>{}}) {
      const auto frame = frame_scidac_transformation(
          lattice.extents, bits == 32 ? Precision::single_precision : Precision::double_precision, entries,
          {ChecksumKind::scidac, sums.a, sums.b});
      seeds.push_back(frame.head + data + frame.tail);
    }
    // Without a checksum, so that damage reaches the matrices.
    auto file = test::lime_example(false, bits, data, "2 2 2 2");
    file.replace("scidac-private-record-xml", "<datacount>4", "<datacount>1");
    file.remove("scidac-checksum");
    seeds.push_back(file.bytes());
  }
  return seeds;
}
