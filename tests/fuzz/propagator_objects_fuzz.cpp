// HDF5 files of any structure (hdf5_orders.hpp), read as propagators of plaq and of
// other programs, headers and numbers.
#include <cmath>

#include "io/propagator/propagator_file.hpp"
#include "io/propagator/propagator_formats.hpp"
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/hdf5_orders.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/one_rank.hpp"

namespace {

using namespace plaq;

const fuzz::Hdf5Words& words() {
  static const fuzz::Hdf5Words all{
      {"propagator", "a", "axes", "job", "checksum", "spin_basis", "staggered_phases", "DeGrand-Rossi"},
      {{2, 2, 2, 2, 4, 3, 4, 3, 2}, {2, 2, 2, 2, 3, 3, 2}, {2}, {2, 2, 2, 1, 3, 3, 2}}};
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const Hdf5Silence silence;
  const ProcessGrid& grid = fuzz::one_rank();
  const auto orders = fuzz::text_of(bytes, std::min<std::size_t>(size, 1000));
  const fuzz::MemoryFile file(fuzz::hdf5_file_of({orders, words()}));
  return fuzz::fuzz_input(bytes, size, [&](const ByteSource&) {
    const PropagatorFileInfo info = inspect_hdf5_propagator(file.path());
    Field propagator(grid.geometry(fuzz::lattice_or(info.extents, {2, 2, 2, 2})),
                     propagator_spec(info.quarks, Precision::double_precision, info.count));
    read_propagator(file.path(), grid, propagator);
  });
}

// An order is its number, where (the number of an object), a name, and what it needs besides.
std::vector<std::string> plaq::fuzz::fuzz_seeds() {
  std::vector<std::string> seeds;
  for (const char type : {0, 4})          // reals of 8 and of 4 bytes
    for (const char shape : {0, 1, 3}) {  // spinors, staggered quarks, another lattice
      const std::string data{1, 0, 0, type, 6, shape, 1};
      seeds.push_back(data);
      seeds.push_back(data + std::string("\5\1\5\5\1\1\7\5\1\4\1\6\2\1\1", 15));  // basis, checksum
      seeds.push_back(data + std::string("\5\1\3\7\20\1\1\141", 8));              // a text of fixed length
    }
  return seeds;
}
