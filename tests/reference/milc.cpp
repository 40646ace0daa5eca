#include "tests/reference/milc.hpp"

#include <bit>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace plaq::reference {
namespace {

std::uint32_t word(const std::string& bytes, std::size_t at, bool big_endian) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value = value << 8 | static_cast<unsigned char>(bytes[at + (big_endian ? i : 3 - i)]);
  return value;
}

void append(std::string& bytes, std::uint32_t value, bool big_endian) {
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> 8 * (big_endian ? 3 - i : i) & 0xff);
}

std::uint32_t rotated(std::uint32_t value, std::size_t by) {
  return by == 0 ? value : value << by | value >> (32 - by);
}

void sum_up(const std::string& bytes, std::size_t begin, bool big_endian, std::uint32_t& sum29,
            std::uint32_t& sum31) {
  for (std::size_t i = 0; begin + 4 * i < bytes.size(); ++i) {
    const std::uint32_t value = word(bytes, begin + 4 * i, big_endian);
    sum29 ^= rotated(value, i % 29);
    sum31 ^= rotated(value, i % 31);
  }
}

}  // namespace

MilcFile read_milc(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  if (bytes.size() < 96) throw std::runtime_error("MILC: no header in " + path);
  const bool big_endian = word(bytes, 0, true) == 20103;
  if (!big_endian && word(bytes, 0, false) != 20103) throw std::runtime_error("MILC: no magic in " + path);
  if (word(bytes, 84, big_endian) != 0) throw std::runtime_error("MILC: order of sites in " + path);
  Lattice lattice;
  for (int mu = 0; mu < 4; ++mu)
    lattice.extents[mu] = static_cast<int>(word(bytes, 4 + 4 * std::size_t(mu), big_endian));
  if (bytes.size() != 96 + std::size_t(lattice.volume()) * 4 * 72)
    throw std::runtime_error("MILC: size of " + path);

  MilcFile file{big_endian, bytes.substr(20, 64).c_str(), word(bytes, 88, big_endian),
                word(bytes, 92, big_endian), GaugeField(lattice)};
  std::size_t at = 96;
  const auto next = [&] {
    at += 4;
    return static_cast<double>(std::bit_cast<float>(word(bytes, at - 4, big_endian)));
  };
  for (auto& site : file.gauge.link)
    for (auto& link : site)
      for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column) {
          const double re = next();
          link(row, column) = {re, next()};
        }
  sum_up(bytes, 96, big_endian, file.sum29, file.sum31);
  return file;
}

std::string milc_bytes(const GaugeField& gauge, const std::string& time_stamp, bool big_endian) {
  std::string data;
  for (const auto& site : gauge.link)
    for (const auto& link : site)
      for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column)
          for (const double real : {link(row, column).real(), link(row, column).imag()})
            append(data, std::bit_cast<std::uint32_t>(static_cast<float>(real)), big_endian);
  std::uint32_t sum29 = 0, sum31 = 0;
  sum_up(data, 0, big_endian, sum29, sum31);
  std::string bytes, stamp = time_stamp;
  stamp.resize(64, '\0');
  append(bytes, 20103, big_endian);
  for (const int extent : gauge.lattice.extents)
    append(bytes, static_cast<std::uint32_t>(extent), big_endian);
  bytes += stamp;
  for (const std::uint32_t value : {0u, sum29, sum31}) append(bytes, value, big_endian);
  return bytes + data;
}

}  // namespace plaq::reference
