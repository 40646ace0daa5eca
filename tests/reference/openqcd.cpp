#include "tests/reference/openqcd.hpp"

#include <functional>

#include "tests/reference/bytes.hpp"

namespace plaq::reference {
namespace {

// Calls visit(site, mu) for the links in the order of the file.
void for_links(const Lattice& lattice, const std::function<void(int, int)>& visit) {
  const auto [nx, ny, nz, nt] = lattice.extents;
  for (int x0 = 0; x0 < nt; ++x0)
    for (int x1 = 0; x1 < nx; ++x1)
      for (int x2 = 0; x2 < ny; ++x2)
        for (int x3 = 0; x3 < nz; ++x3) {
          if ((x0 + x1 + x2 + x3) % 2 == 0) continue;
          const int site = lattice.index({x1, x2, x3, x0});
          for (const int mu : {3, 0, 1, 2}) {
            visit(site, mu);
            visit(lattice.backward(site, mu), mu);
          }
        }
}

}  // namespace

OpenqcdFile read_openqcd(const std::string& path) {
  const std::string bytes = file_bytes(path);
  if (bytes.size() < 24) throw std::runtime_error("openQCD: no header in " + path);
  const auto extent = [&](std::size_t at) { return static_cast<int>(word(bytes, at, 4, false)); };
  const Lattice lattice{{extent(4), extent(8), extent(12), extent(0)}};
  if (bytes.size() != 24 + std::size_t(lattice.volume()) * 4 * 144)
    throw std::runtime_error("openQCD: size of " + path);
  NumberReader reader{bytes, 16, 8, false};
  OpenqcdFile file{reader.next(), GaugeField(lattice)};
  for_links(lattice, [&](int site, int mu) {
    file.gauge.link[std::size_t(site)][std::size_t(mu)] = reader.next_matrix();
  });
  return file;
}

std::string openqcd_bytes(const GaugeField& gauge) {
  const auto [nx, ny, nz, nt] = gauge.lattice.extents;
  std::string bytes;
  for (const int extent : {nt, nx, ny, nz}) append_word(bytes, static_cast<std::uint64_t>(extent), 4, false);
  append_number(bytes, 3 * average_plaquette(gauge).all, 8, false);
  for_links(gauge.lattice, [&](int site, int mu) {
    append_matrix(bytes, gauge.link[std::size_t(site)][std::size_t(mu)], 8, false);
  });
  return bytes;
}

}  // namespace plaq::reference
