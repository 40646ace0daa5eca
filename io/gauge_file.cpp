#include "io/gauge_file.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "comms/collective.hpp"
#include "comms/mpi_check.hpp"
#include "core/error.hpp"
#include "io/byte_order.hpp"

namespace plaq {
namespace {

using namespace std::string_view_literals;

struct Magic {
  std::string_view bytes, means;
};
constexpr std::array<Magic, 9> others = {{
    {"\x45\x67\x89\xab"sv, "an ILDG or SciDAC file in LIME"},
    {"\x00\x00\x4e\x87"sv, "a MILC v5 file, big-endian"},
    {"\x87\x4e\x00\x00"sv, "a MILC v5 file, little-endian"},
    {"\x89HDF\r\n\x1a\n"sv, "an HDF5 file"},
    {"\x1f\x8b"sv, "a file compressed by gzip"},
    {"\xfd"
     "7zXZ"sv,
     "a file compressed by xz"},
    {"\x28\xb5\x2f\xfd"sv, "a file compressed by zstd"},
    {"BZh"sv, "a file compressed by bzip2"},
    {"PK\x03\x04"sv, "a zip archive"},
}};

// openQCD has no magic number: four extents and the plaquette, then the links, little-endian, and nothing
// else.
bool looks_like_openqcd(const ByteSource& source) {
  std::array<std::byte, 24> head{};
  if (source.read(0, head) < head.size()) return false;
  double bytes = 4 * 18 * 8;
  for (std::size_t i = 0; i < 4; ++i) bytes *= load<std::uint32_t>(head.data() + 4 * i, ByteOrder::little);
  return bytes > 0 && bytes + 24 == static_cast<double>(source.size());
}

std::string guess(const ByteSource& source) {
  if (source.size() == 0) return "it is empty";
  const std::string head = source.text(0, 16);
  for (const auto& magic : others)
    if (head.starts_with(magic.bytes)) return fmt::format("it seems to be {}", magic.means);
  if (looks_like_openqcd(source)) return "it seems to be an openQCD file";
  std::string bytes;
  for (const char c : head) bytes += fmt::format(" {:02x}", static_cast<unsigned char>(c));
  return "it begins with the bytes" + bytes;
}

}  // namespace

GaugeFileFormat recognize_gauge_file(const ByteSource& source) {
  if (source.text(0, nersc_first_line.size()) == nersc_first_line) return GaugeFileFormat::nersc;
  throw Error(ErrorKind::input_file,
              fmt::format("{}: {}: expected a NERSC gauge file ({} ...), the format that this "
                          "version of plaq reads",
                          source.name(), guess(source), nersc_first_line));
}

GaugeFileInfo inspect_gauge_file(const std::string& path) {
  const ByteSource source = ByteSource::file(path);
  switch (recognize_gauge_file(source)) {
    case GaugeFileFormat::nersc:
      return read_nersc_info(source);
    default: break;
  }
  throw Error(ErrorKind::internal, "internal error: a gauge file format without a reader");
}

GaugeReadReport read_gauge_file(const std::string& path, const ProcessGrid& grid, Field& gauge) {
  int format = 0;
  all_or_none(grid.comm(), [&] {
    if (grid.rank() == 0) format = static_cast<int>(recognize_gauge_file(ByteSource::file(path)));
  });
  check_mpi(MPI_Bcast(&format, 1, MPI_INT, 0, grid.comm()), "MPI_Bcast");
  switch (static_cast<GaugeFileFormat>(format)) {
    case GaugeFileFormat::nersc:
      return read_nersc(path, grid, gauge);
    default: break;
  }
  throw Error(ErrorKind::internal, "internal error: a gauge file format without a reader");
}

void verify_gauge_file(const GaugeFileInfo& info, double plaquette, double link_trace) {
  switch (info.format) {
    case GaugeFileFormat::nersc:
      return verify_nersc(info, plaquette, link_trace);
    default: break;
  }
}

}  // namespace plaq
