#include "tests/reference/openqcd.hpp"

#include <bit>
#include <cstdint>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace plaq::reference {
namespace {

std::uint64_t word(const std::string& bytes, std::size_t at, int size) {
  std::uint64_t value = 0;
  for (int i = size - 1; i >= 0; --i)
    value = value << 8 | static_cast<unsigned char>(bytes[at + std::size_t(i)]);
  return value;
}

void append(std::string& bytes, std::uint64_t value, int size) {
  for (int i = 0; i < size; ++i) bytes += static_cast<char>(value >> 8 * i & 0xff);
}

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
  std::ifstream stream(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  if (bytes.size() < 24) throw std::runtime_error("openQCD: no header in " + path);
  Lattice lattice;
  lattice.extents = {static_cast<int>(word(bytes, 4, 4)), static_cast<int>(word(bytes, 8, 4)),
                     static_cast<int>(word(bytes, 12, 4)), static_cast<int>(word(bytes, 0, 4))};
  if (bytes.size() != 24 + std::size_t(lattice.volume()) * 4 * 144)
    throw std::runtime_error("openQCD: size of " + path);
  OpenqcdFile file{std::bit_cast<double>(word(bytes, 16, 8)), GaugeField(lattice)};
  std::size_t at = 24;
  const auto next = [&] {
    at += 8;
    return std::bit_cast<double>(word(bytes, at - 8, 8));
  };
  for_links(lattice, [&](int site, int mu) {
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < 3; ++column) {
        const double re = next();
        file.gauge.link[std::size_t(site)][std::size_t(mu)](row, column) = {re, next()};
      }
  });
  return file;
}

std::string openqcd_bytes(const GaugeField& gauge) {
  const auto [nx, ny, nz, nt] = gauge.lattice.extents;
  std::string bytes;
  for (const int extent : {nt, nx, ny, nz}) append(bytes, static_cast<std::uint64_t>(extent), 4);
  append(bytes, std::bit_cast<std::uint64_t>(3 * average_plaquette(gauge).all), 8);
  for_links(gauge.lattice, [&](int site, int mu) {
    const ColorMatrix& link = gauge.link[std::size_t(site)][std::size_t(mu)];
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < 3; ++column)
        for (const double real : {link(row, column).real(), link(row, column).imag()})
          append(bytes, std::bit_cast<std::uint64_t>(real), 8);
  });
  return bytes;
}

}  // namespace plaq::reference
