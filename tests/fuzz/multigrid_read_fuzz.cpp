// Multigrid setups, read whole: the input as a file, and as the numbers of a sound one.
#include <cmath>

#include "io/multigrid/multigrid_file.hpp"
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/multigrid_seeds.hpp"
#include "tests/fuzz/one_rank.hpp"

namespace {

using namespace plaq;

void expect_finite(const Field& vectors) {
  const int sites = vectors.geometry().shape().half_volume;
  for (int v = 0; v < vectors.subfields(); ++v)
    for (int site = 0; site < sites; ++site)
      for (int r = 0; r < vectors.reals_per_site(); ++r)
        if (!std::isfinite(get_real(vectors, v, 0, site, r))) std::abort();
}

void read_whole(const std::string& path) {
  const ProcessGrid& grid = fuzz::one_rank();
  const MultigridFileInfo info = read_multigrid_info(path, grid);
  for (const auto memory : {Precision::single_precision, Precision::double_precision}) {
    Field vectors(grid.geometry(fuzz::lattice_or(info.extents, {2, 2, 2, 2})),
                  near_null_vectors_spec(info.vectors, memory, info.Ls));
    read_near_null_vectors(path, grid, vectors);
    expect_finite(vectors);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  fuzz::one_rank();
  const std::string input(fuzz::text_of(bytes, size));
  for (const std::string& file : {input, fuzz::multigrid_file(Precision::half_precision, input),
                                  fuzz::multigrid_file(Precision::single_precision, input)})
    fuzz::fuzz_input(bytes, size, [&](const ByteSource&) { read_whole(fuzz::MemoryFile(file).path()); });
  return 0;
}

std::vector<std::string> plaq::fuzz::fuzz_seeds() {
  std::string numbers;
  for (int i = 0; i < 8 * 3 * 24; ++i) numbers += {'\x3f', static_cast<char>(i), '\0', '\0'};
  return {multigrid_file(Precision::half_precision, numbers),
          multigrid_file(Precision::single_precision, numbers), numbers};
}
