#include "tests/reference/propagator.hpp"

#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace plaq::reference {
namespace {

template <class Word, class Number>
void append(std::string& bytes, double value) {
  const auto number = static_cast<Number>(value);
  Word word;
  std::memcpy(&word, &number, sizeof word);
  for (std::size_t i = 0; i < sizeof word; ++i)
    bytes.push_back(static_cast<char>(word >> 8 * (sizeof word - 1 - i) & 0xff));
}

template <class Word, class Number>
double take(const std::string& bytes, std::size_t& at) {
  Word word = 0;
  for (std::size_t i = 0; i < sizeof word; ++i)
    word = static_cast<Word>(word << 8 | static_cast<unsigned char>(bytes.at(at++)));
  Number number;
  std::memcpy(&number, &word, sizeof word);
  return number;
}

}  // namespace

std::string qdp_bytes(const PropagatorColumns& columns, int precision) {
  std::string bytes;
  const auto put = [&](double value) {
    if (precision == 32)
      append<std::uint32_t, float>(bytes, value);
    else
      append<std::uint64_t, double>(bytes, value);
  };
  for (std::size_t site = 0; site < columns.at(0).size(); ++site)
    for (int sink = 0; sink < 4; ++sink)
      for (int source = 0; source < 4; ++source)
        for (int row = 0; row < 3; ++row)
          for (int column = 0; column < 3; ++column) {
            const Complex z = columns[3 * source + column][site][sink][row];
            put(z.real());
            put(z.imag());
          }
  return bytes;
}

PropagatorColumns qdp_propagator(const std::string& bytes, const Lattice& lattice, int precision) {
  PropagatorColumns columns(12, zero_spinor(lattice));
  if (bytes.size() != static_cast<std::size_t>(lattice.volume()) * 36 * precision)
    throw std::runtime_error("QDP++: a propagator of " + std::to_string(bytes.size()) + " bytes");
  std::size_t at = 0;
  const auto next = [&] {
    return precision == 32 ? take<std::uint32_t, float>(bytes, at) : take<std::uint64_t, double>(bytes, at);
  };
  for (std::size_t site = 0; site < columns[0].size(); ++site)
    for (int sink = 0; sink < 4; ++sink)
      for (int source = 0; source < 4; ++source)
        for (int row = 0; row < 3; ++row)
          for (int column = 0; column < 3; ++column) {
            const double re = next();
            columns[3 * source + column][site][sink][row] = {re, next()};
          }
  return columns;
}

}  // namespace plaq::reference
