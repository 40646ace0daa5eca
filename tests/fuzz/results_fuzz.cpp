// Result files: a file that does not match its checksum trailer is refused before libhdf5 sees it. An
// input to which libFuzzer itself gave a valid trailer passes: libhdf5 may make anything of such bytes.
#include <zlib.h>

#include <algorithm>
#include <cstring>

#include "io/bytes/checksum_trailer.hpp"
#include "jobs/results/result_file.hpp"
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/result_files.hpp"

namespace {

using namespace plaq;

// The trailer by its description in io/bytes/checksum_trailer.hpp, on a little-endian machine.
bool has_valid_trailer(std::string_view file) {
  if (file.size() < 20) return false;
  const auto body = file.substr(0, file.size() - 20), trailer = file.substr(file.size() - 20);
  const std::uint64_t size = body.size();
  const auto crc = static_cast<std::uint32_t>(
      ::crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size())));
  return trailer.starts_with("plaqSEAL") && std::memcmp(trailer.data() + 8, &size, 8) == 0 &&
         std::memcmp(trailer.data() + 16, &crc, 4) == 0;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const auto good = fuzz::result_files();
  const auto text = fuzz::text_of(bytes, size);
  const bool is_good = std::find(good.begin(), good.end(), text) != good.end();
  if (!is_good && has_valid_trailer(text)) {
    check_trailer(ByteSource::memory("fuzz", std::as_bytes(std::span(text))));  // finds the same
    return 0;
  }
  const fuzz::MemoryFile file(text);
  bool accepted = false;
  fuzz::fuzz_input(bytes, size, [&](const ByteSource&) {
    accepted = !jobs::read_result_file(file.path()).objects.empty();
  });
  if (accepted != is_good) std::abort();
  return 0;
}

std::vector<std::string> plaq::fuzz::fuzz_seeds() { return result_files(); }
