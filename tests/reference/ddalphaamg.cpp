#include "tests/reference/ddalphaamg.hpp"

#include "tests/reference/bytes.hpp"

namespace plaq::reference {

DdalphaamgFile read_ddalphaamg(const std::string& path) {
  const std::string bytes = file_bytes(path);
  if (bytes.size() < 24) throw std::runtime_error("DDalphaAMG: no header in " + path);
  const bool big = word(bytes, 0, 4, false) >= 65536;
  const auto extent = [&](std::size_t at) { return static_cast<int>(word(bytes, at, 4, big)); };
  const Lattice lattice{{extent(12), extent(8), extent(4), extent(0)}};
  if (bytes.size() != 24 + std::size_t(lattice.volume()) * 4 * 144)
    throw std::runtime_error("DDalphaAMG: size of " + path);
  NumberReader reader{bytes, 16, 8, big};
  DdalphaamgFile file{reader.next(), GaugeField(lattice)};
  for (auto& site : file.gauge.link)
    for (const std::size_t mu : {3u, 2u, 1u, 0u}) site[mu] = reader.next_matrix();
  return file;
}

std::string ddalphaamg_bytes(const GaugeField& gauge, bool big_endian) {
  const auto [nx, ny, nz, nt] = gauge.lattice.extents;
  std::string bytes;
  for (const int extent : {nt, nz, ny, nx})
    append_word(bytes, static_cast<std::uint64_t>(extent), 4, big_endian);
  append_number(bytes, 3 * average_plaquette(gauge).all, 8, big_endian);
  for (const auto& site : gauge.link)
    for (const std::size_t mu : {3u, 2u, 1u, 0u}) append_matrix(bytes, site[mu], 8, big_endian);
  return bytes;
}

}  // namespace plaq::reference
