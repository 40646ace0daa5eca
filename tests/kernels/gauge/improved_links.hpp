// The links of asqtad and HISQ fermions under gauge transformations and in weak fields.
#pragma once

#include "kernels/gauge/asqtad_links.hpp"
#include "tests/kernels/gauge/gauge_support.hpp"
#include "tests/reference/staggered.hpp"

namespace plaq::test {

// Response of F_mu + c_naik W_mu, which `make` makes of links of a weak gluon A_mu with momentum pi in the
// directions of `set` (bits, without mu). At tree level a quark couples with its full charge, 1, to gluons
// without momentum, and with 0 to the others, which change its taste: the coefficients are chosen so.
template <class Make>
double response_to_gluon(const ProcessGrid& self, int mu, int set, const Make& make) {
  const Extents extents{4, 4, 4, 4};
  constexpr double epsilon = 1e-4;
  auto gauge = reference::unit_gauge({extents});
  for (int x = 0; x < gauge.lattice.volume(); ++x) {
    int sum = 0;
    for (int nu = 0; nu < 4; ++nu)
      if (((set >> nu) & 1) != 0) sum += gauge.lattice.coordinates(x)[nu];
    auto& link = gauge.link[x][mu];
    link(0, 0) = std::polar(1.0, sum % 2 == 0 ? epsilon : -epsilon);
    link(1, 1) = std::conj(link(0, 0));
  }
  const AsqtadLinks links =
      make(to_plaq(gauge, self.geometry(extents), Precision::double_precision, Location::host));
  const auto fat = to_reference(links.fat), three = to_reference(links.three);
  return (fat.link[0][mu](0, 0) + links.coefficients.naik * three.link[0][mu](0, 0)).imag() / epsilon;
}

}  // namespace plaq::test
