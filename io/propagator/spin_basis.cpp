#include "io/propagator/spin_basis.hpp"

#include <array>
#include <complex>

namespace plaq {
namespace {

using Spin = std::size_t;
struct Entry {
  Spin spin;  // of FNAL
  int phase;  // i to this power
};
// W times sqrt(2): two entries in each row.
constexpr Entry rotation[4][2] = {
    {{3, 0}, {1, 3}},  // (0, 1, 0, -i), after the exchange of spins
    {{2, 2}, {0, 1}},
    {{3, 0}, {1, 1}},
    {{2, 2}, {0, 3}},
};

std::complex<double> times_i(std::complex<double> z, int power) {
  switch (power % 4) {
    case 1:
      return {-z.imag(), z.real()};
    case 2:
      return -z;
    case 3:
      return {z.imag(), -z.real()};
    default:
      return z;
  }
}

using Colors = std::size_t;
std::complex<double> number(const SitePropagator& site, Spin source, Colors c0, Spin sink, Colors c1) {
  const std::size_t at = 2 * (3 * (4 * (3 * source + c0) + sink) + c1);
  return {site[at], site[at + 1]};
}

// Calls visit(plaq's source and sink, FNAL's source and sink, phase, sign) for all products of entries.
template <class Visit>
void for_products(const Visit& visit) {
  for (Spin a = 0; a < 4; ++a)
    for (Spin b = 0; b < 4; ++b)
      for (const Entry& source : rotation[a])
        for (const Entry& sink : rotation[b])
          visit(a, b, source.spin, sink.spin, source.phase + 4 - sink.phase,
                changes_sign_of_milc(static_cast<int>(a), static_cast<int>(b)) ? -0.5 : 0.5);
}

template <class Rotate>
void for_colors(SitePropagator site, const Rotate& rotate) {
  for (Colors c0 = 0; c0 < 3; ++c0)
    for (Colors c1 = 0; c1 < 3; ++c1) {
      std::array<std::array<std::complex<double>, 4>, 4> found{};
      for_products([&](Spin a, Spin b, Spin i, Spin j, int phase, double factor) {
        rotate(found, a, b, i, j, phase, factor, c0, c1);
      });
      for (Spin source = 0; source < 4; ++source)
        for (Spin sink = 0; sink < 4; ++sink) {
          const std::size_t at = 2 * (3 * (4 * (3 * source + c0) + sink) + c1);
          site[at] = found[source][sink].real();
          site[at + 1] = found[source][sink].imag();
        }
    }
}

}  // namespace

void from_fnal(SitePropagator site) {
  for_colors(site, [&](auto& found, Spin a, Spin b, Spin i, Spin j, int phase, double factor, Colors c0,
                       Colors c1) { found[a][b] += factor * times_i(number(site, i, c0, j, c1), phase); });
}

void to_fnal(SitePropagator site) {
  for_colors(
      site, [&](auto& found, Spin a, Spin b, Spin i, Spin j, int phase, double factor, Colors c0, Colors c1) {
        found[i][j] += factor * times_i(number(site, a, c0, b, c1), 8 - phase);
      });
}

}  // namespace plaq
