#include "tests/reference/milc_propagator.hpp"

#include "tests/reference/bytes.hpp"
#include "tests/reference/gamma.hpp"

namespace plaq::reference {
namespace {

template <class Site>
void append_site(std::string& bytes, const Site& site, bool big) {
  if constexpr (std::is_same_v<Site, Complex>) {
    for (const double part : {site.real(), site.imag()}) append_number(bytes, part, 4, big);
  } else {
    for (const auto& part : site) append_site(bytes, part, big);
  }
}
template <class Site>
void read_site(NumberReader& reader, Site& site) {
  if constexpr (std::is_same_v<Site, Complex>) {
    site = reader.next_complex();
  } else {
    for (auto& part : site) read_site(reader, part);
  }
}

void append_words(std::string& bytes, const std::vector<std::int64_t>& words, bool big) {
  for (const std::int64_t one : words) append_word(bytes, static_cast<std::uint32_t>(one), 4, big);
}

std::pair<std::uint32_t, std::uint32_t> sums_of(const std::string& bytes, std::size_t begin, std::size_t end,
                                                bool big) {
  std::uint32_t sum29 = 0, sum31 = 0;
  for (std::size_t i = 0; begin + 4 * i < end; ++i) {
    const auto value = static_cast<std::uint32_t>(word(bytes, begin + 4 * i, 4, big));
    sum29 ^= rotated(value, i % 29);
    sum31 ^= rotated(value, i % 31);
  }
  return {sum29, sum31};
}

template <class Column>
void append_column(std::string& bytes, const Column& column, const std::vector<std::int64_t>& names,
                   bool big) {
  std::string data;
  for (const auto& site : column) append_site(data, site, big);
  const auto [sum29, sum31] = sums_of(data, 0, data.size(), big);
  append_words(bytes, names, big);
  append_words(bytes, {sum29, sum31}, big);
  bytes += data;
}

std::string milc_head(int magic, const Lattice& lattice, std::string stamp, bool big) {
  const auto [nx, ny, nz, nt] = lattice.extents;
  std::string bytes;
  append_words(bytes, {magic, nx, ny, nz, nt}, big);
  stamp.resize(64, '\0');
  bytes += stamp;
  append_words(bytes, {0}, big);
  return bytes;
}
std::string fnal_head(int numbers, const Lattice& lattice, bool big) {
  const auto [nx, ny, nz, nt] = lattice.extents;
  std::string bytes;
  append_words(bytes, {0x71626434, 0, 4, numbers, nx, ny, nz, nt, 0}, big);
  return bytes;
}

struct Words {
  const std::string& bytes;
  bool big;
  int operator()(std::size_t at) const { return static_cast<int>(word(bytes, at, 4, big)); }
};

template <class Column>
void read_column(const Words& words, std::size_t& at, Column& column, const std::vector<int>& names) {
  for (const int name : names) {
    if (words(at) != name) throw std::runtime_error("MILC: another column");
    at += 4;
  }
  const std::size_t begin = at + 8, end = begin + column.size() * sizeof(column[0]) / 2;
  const auto [sum29, sum31] = sums_of(words.bytes, begin, end, words.big);
  if (static_cast<std::uint32_t>(words(at)) != sum29 || static_cast<std::uint32_t>(words(at + 4)) != sum31)
    throw std::runtime_error("MILC: sums of a column");
  NumberReader reader{words.bytes, begin, 4, words.big};
  for (auto& site : column) read_site(reader, site);
  at = end;
}

SpinMatrix product(const SpinMatrix& a, const SpinMatrix& b) {
  SpinMatrix c;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 4; ++k) c(i, j) += a(i, k) * b(k, j);
  return c;
}
SpinMatrix adjoint_of(const SpinMatrix& a) {
  SpinMatrix b;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) b(i, j) = std::conj(a(j, i));
  return b;
}

SpinMatrix dirac_gamma(int mu) {
  const Complex i(0, 1);
  const Complex sigma[3][2][2] = {{{0, 1}, {1, 0}}, {{0, -i}, {i, 0}}, {{1, 0}, {0, -1.0}}};
  SpinMatrix g;
  for (int a = 0; a < 2; ++a) {
    if (mu == 3) g(a, a) = 1.0, g(a + 2, a + 2) = -1.0;
    for (int b = 0; mu < 3 && b < 2; ++b) g(a, b + 2) = g(a + 2, b) = sigma[mu][a][b];
  }
  return g;
}

// R with gamma_mu R = R dirac_gamma_mu for all mu: by Schur's lemma the sum over all products of gamma
// matrices G of G X G_dirac^dagger, whatever X is; up to a phase, which leaves R S R^dagger as it is.
SpinMatrix between_bases() {
  SpinMatrix sum, some;
  some(0, 0) = 1.0, some(0, 1) = 0.3, some(1, 3) = 0.7;
  for (int which = 0; which < 16; ++which) {
    SpinMatrix ours = SpinMatrix::unit(), theirs = SpinMatrix::unit();
    for (int mu = 0; mu < 4; ++mu)
      if (which >> mu & 1) ours = product(ours, gamma(mu)), theirs = product(theirs, dirac_gamma(mu));
    sum = sum + product(ours, product(some, adjoint_of(theirs)));
  }
  double norm = 0;
  for (int j = 0; j < 4; ++j) norm += std::norm(sum(0, j));
  return Complex(1 / std::sqrt(norm)) * sum;
}

// R S R^dagger, S[sink][source].
PropagatorColumns rotated_by(const SpinMatrix& r, const PropagatorColumns& columns) {
  PropagatorColumns found(12, SpinorField(columns[0].size()));
  for (std::size_t site = 0; site < columns[0].size(); ++site)
    for (int sink = 0; sink < 4; ++sink)
      for (int source = 0; source < 4; ++source)
        for (int a = 0; a < 4; ++a)
          for (int b = 0; b < 4; ++b)
            for (std::size_t c0 = 0; c0 < 3; ++c0)
              for (std::size_t c1 = 0; c1 < 3; ++c1)
                found[3 * std::size_t(source) + c0][site][std::size_t(sink)][c1] +=
                    r(sink, a) * columns[3 * std::size_t(b) + c0][site][std::size_t(a)][c1] *
                    std::conj(r(source, b));
  return found;
}

}  // namespace

std::string milc_bytes(const ColorColumns& columns, const Lattice& lattice, const std::string& stamp,
                       bool big_endian) {
  std::string bytes = milc_head(23209, lattice, stamp, big_endian);
  for (std::size_t color = 0; color < 3; ++color)
    append_column(bytes, columns[color], {static_cast<std::int64_t>(color)}, big_endian);
  return bytes;
}

std::string milc_bytes(const PropagatorColumns& columns, const Lattice& lattice, const std::string& stamp,
                       bool big_endian, const std::vector<int>& spins) {
  std::string bytes = milc_head(12781, lattice, stamp, big_endian);
  append_words(bytes, {4, spins[0], spins[1], spins[2], spins[3]}, big_endian);
  for (const int spin : spins)
    for (int color = 0; color < 3; ++color)
      append_column(bytes, columns[static_cast<std::size_t>(3 * spin + color)], {spin, color}, big_endian);
  return bytes;
}

std::string fnal_bytes(const ColorColumns& columns, const Lattice& lattice, bool big_endian) {
  std::string bytes = fnal_head(18, lattice, big_endian);
  for (std::size_t site = 0; site < columns[0].size(); ++site)
    for (const auto& column : columns) append_site(bytes, column[site], big_endian);
  return bytes;
}

std::string fnal_bytes(const PropagatorColumns& columns, const Lattice& lattice, bool big_endian,
                       bool by_columns) {
  std::string bytes = fnal_head(by_columns ? 24 : 288, lattice, big_endian);
  if (by_columns) {
    for (const auto& column : columns)
      for (const auto& site : column) append_site(bytes, site, big_endian);
    return bytes;
  }
  for (std::size_t site = 0; site < columns[0].size(); ++site)
    for (const auto& column : columns) append_site(bytes, column[site], big_endian);
  return bytes;
}

MilcPropagator read_milc_propagator(const std::string& bytes) {
  const bool big = word(bytes, 0, 4, true) < 65536;
  const Words words{bytes, big};
  const Lattice lattice{{words(4), words(8), words(12), words(16)}};
  MilcPropagator found;
  found.time_stamp = bytes.substr(20, 64).c_str();
  if (words(84) != 0) throw std::runtime_error("MILC: order");
  std::size_t at = 88;
  if (words(0) == 23209) {
    found.colors.assign(3, ColorField(static_cast<std::size_t>(lattice.volume())));
    for (int color = 0; color < 3; ++color)
      read_column(words, at, found.colors[static_cast<std::size_t>(color)], {color});
  } else if (words(0) == 12781 && words(88) == 4) {
    found.spinors.assign(12, zero_spinor(lattice));
    at = 108;
    for (std::size_t i = 0; i < 4; ++i)
      for (int color = 0; color < 3; ++color) {
        const int spin = words(92 + 4 * i);
        read_column(words, at, found.spinors.at(static_cast<std::size_t>(3 * spin + color)), {spin, color});
      }
  } else {
    throw std::runtime_error("MILC: magic number or spins");
  }
  if (at != bytes.size()) throw std::runtime_error("MILC: size");
  return found;
}

MilcPropagator read_fnal_propagator(const std::string& bytes) {
  const bool big = word(bytes, 0, 4, true) == 0x71626434;
  const Words words{bytes, big};
  if (words(0) != 0x71626434 || words(8) != 4 || words(32) != 0) throw std::runtime_error("FNAL: header");
  const Lattice lattice{{words(16), words(20), words(24), words(28)}};
  MilcPropagator found;
  NumberReader reader{bytes, 36, 4, big};
  const auto sites = static_cast<std::size_t>(lattice.volume());
  if (words(12) == 18) {
    found.colors.assign(3, ColorField(sites));
    for (std::size_t site = 0; site < sites; ++site)
      for (auto& column : found.colors) read_site(reader, column[site]);
  } else if (words(12) == 288) {
    found.spinors.assign(12, zero_spinor(lattice));
    for (std::size_t site = 0; site < sites; ++site)
      for (auto& column : found.spinors) read_site(reader, column[site]);
  } else if (words(12) == 24) {
    found.spinors.assign(12, zero_spinor(lattice));
    for (auto& column : found.spinors)
      for (auto& site : column) read_site(reader, site);
  } else {
    throw std::runtime_error("FNAL: numbers of a site");
  }
  if (reader.at != bytes.size()) throw std::runtime_error("FNAL: size");
  return found;
}

PropagatorColumns with_other_gammas(const PropagatorColumns& columns) {
  return rotated_by(gamma5(), columns);
}
PropagatorColumns from_dirac_basis(const PropagatorColumns& columns) {
  return rotated_by(between_bases(), columns);
}
PropagatorColumns to_dirac_basis(const PropagatorColumns& columns) {
  return rotated_by(adjoint_of(between_bases()), columns);
}

}  // namespace plaq::reference
