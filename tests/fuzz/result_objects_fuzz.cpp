// HDF5 files with a checksum trailer of any structure (hdf5_orders.hpp), read as results: objects, numbers,
// and means as plaq info has them.
#include "io/bytes/checksum_trailer.hpp"
#include "jobs/files/result_values.hpp"
#include "jobs/results/result_file.hpp"
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/hdf5_orders.hpp"
#include "tests/fuzz/memory_file.hpp"

namespace {

using namespace plaq;

const fuzz::Hdf5Words& words() {
  static const fuzz::Hdf5Words all{
      {"a", "plaq_version", "job_type", "b", "correlators", "axes", "units", "\xff\n"}, {{3}, {3, 4}}};
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const Hdf5Silence silence;
  const auto orders = fuzz::text_of(bytes, std::min<std::size_t>(size, 1000));
  std::string with_trailer = fuzz::hdf5_file_of({orders, words()});
  const auto trailer = make_trailer(std::as_bytes(std::span(with_trailer)));
  with_trailer.append(reinterpret_cast<const char*>(trailer.data()), trailer.size());
  const fuzz::MemoryFile file(with_trailer);
  fuzz::fuzz_input(bytes, size, [&](const ByteSource&) { jobs::plain_means(file.path()); });
  return fuzz::fuzz_input(
      bytes, size, [&](const ByteSource&) { jobs::read_result_file(file.path(), jobs::StoredValues::read); });
}

std::vector<std::string> plaq::fuzz::fuzz_seeds() {
  // An order is its number, where (the number of an object), a name, and what it needs besides. All begin
  // with the attributes plaq_version and job_type of the root.
  const std::string root("\5\0\1\5\1\1\0\5\0\2\5\1\1\0", 14);
  std::vector<std::string> seeds = {root};
  for (const std::string& more : {
           std::string("\0\0\0\0\1\3\0\2\0", 9),                       // groups in groups
           std::string("\1\0\3\0\3\4\1\1\1\1\0\4\1\4\2\3\4\1", 18),    // datasets
           std::string("\0\0\0\2\1\3\1\2\1\4\1", 11),                  // a group in itself, twice
           std::string("\3\0\3\0", 4),                                 // a link to nowhere
           std::string("\5\0\5\7\20\1\1\41\5\0\6\0\2\3\1\1\1\0", 18),  // a text of fixed length, reals
           std::string("\4\0\3\10", 4),                                // a type with a name
       })
    seeds.push_back(root + more);
  return seeds;
}
