// Links of plaq's fields and of the reference's, one by one.
#pragma once

#include "tests/support/convert.hpp"

namespace plaq::test {

// Calls visit(mu, parity, index, lexicographic global site) for every link of this rank.
inline void for_each_link(const Field& gauge, const std::function<void(int, int, int, int)>& visit) {
  for (int mu = 0; mu < 4; ++mu)
    for_stored_sites(gauge.geometry(),
                     [&](int parity, int index, int site) { visit(mu, parity, index, site); });
}

inline double component(const reference::ColorMatrix& u, int real) {
  const auto& z = u(real / 6, real / 2 % 3);
  return real % 2 == 0 ? z.real() : z.imag();
}

// Largest difference of any component of this rank's links.
inline double difference(const Field& gauge, const reference::GaugeField& links) {
  double largest = 0;
  for_each_link(gauge, [&](int mu, int parity, int index, int site) {
    for (int r = 0; r < 18; ++r)
      largest = std::max(
          largest, std::abs(get_real(gauge, mu, parity, index, r) - component(links.link[site][mu], r)));
  });
  return largest;
}

// The whole field, put together from all ranks. Collective.
inline reference::GaugeField gathered_links(const Field& gauge) {
  reference::GaugeField links({gauge.geometry().global()});
  std::vector<double> reals(links.link.size() * 72);
  for_each_link(gauge, [&](int mu, int parity, int index, int site) {
    for (int r = 0; r < 18; ++r) reals[72 * site + 18 * mu + r] = get_real(gauge, mu, parity, index, r);
  });
  MPI_Allreduce(MPI_IN_PLACE, reals.data(), static_cast<int>(reals.size()), MPI_DOUBLE, MPI_SUM,
                MPI_COMM_WORLD);
  for (std::size_t i = 0; i < reals.size(); i += 2)
    links.link[i / 72][i / 18 % 4](static_cast<int>(i % 18 / 6), static_cast<int>(i % 6 / 2)) = {
        reals[i], reals[i + 1]};
  return links;
}

inline reference::GaugeField random_links(const Extents& global, std::uint64_t seed) {
  reference::Generator generator(seed);
  return reference::random_gauge({global}, generator);
}

}  // namespace plaq::test
