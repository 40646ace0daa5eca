// Parts of files: words and numbers of 4 or 8 bytes in either order, and
// 3x3 matrices row by row, re and im.
#pragma once

#include <bit>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "tests/reference/matrix.hpp"

namespace plaq::reference {

inline std::string file_bytes(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw std::runtime_error("cannot open " + path);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

inline std::uint64_t word(const std::string& bytes, std::size_t at, int size, bool big_endian) {
  std::uint64_t value = 0;
  for (int i = 0; i < size; ++i)
    value = value << 8 | static_cast<unsigned char>(
                             bytes.at(at + static_cast<std::size_t>(big_endian ? i : size - 1 - i)));
  return value;
}
inline void append_word(std::string& bytes, std::uint64_t value, int size, bool big_endian) {
  for (int i = 0; i < size; ++i)
    bytes.push_back(static_cast<char>(value >> 8 * (big_endian ? size - 1 - i : i) & 0xff));
}
inline void append_number(std::string& bytes, double number, int size, bool big_endian) {
  append_word(bytes,
              size == 4 ? std::bit_cast<std::uint32_t>(static_cast<float>(number))
                        : std::bit_cast<std::uint64_t>(number),
              size, big_endian);
}
inline void append_matrix(std::string& bytes, const ColorMatrix& m, int size, bool big_endian, int rows = 3) {
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < 3; ++j)
      for (const double part : {m(i, j).real(), m(i, j).imag()}) append_number(bytes, part, size, big_endian);
}

// Number after number.
struct NumberReader {
  const std::string& bytes;
  std::size_t at;
  int size;
  bool big_endian;

  double next() {
    const std::uint64_t bits = word(bytes, at, size, big_endian);
    at += static_cast<std::size_t>(size);
    return size == 4 ? std::bit_cast<float>(static_cast<std::uint32_t>(bits)) : std::bit_cast<double>(bits);
  }
  Complex next_complex() {
    const double re = next();
    return {re, next()};
  }
  // If there are two rows, the third is (a x b)^*.
  ColorMatrix next_matrix(int rows = 3) {
    ColorMatrix m;
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < 3; ++j) m(i, j) = next_complex();
    if (rows == 2) complete_rows(m);
    return m;
  }
};

inline std::uint32_t rotated(std::uint32_t value, std::size_t by) {
  return std::rotl(value, static_cast<int>(by));
}

}  // namespace plaq::reference
