#include "tests/reference/propagator.hpp"

#include "tests/reference/bytes.hpp"

namespace plaq::reference {
namespace {

// Calls visit(number) for those of a site in the order of the file.
template <class Columns, class Visit>
void for_numbers(Columns& columns, std::size_t site, const Visit& visit) {
  for (int sink = 0; sink < 4; ++sink)
    for (int source = 0; source < 4; ++source)
      for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column) visit(columns[3 * source + column][site][sink][row]);
}

}  // namespace

std::string qdp_bytes(const PropagatorColumns& columns, int precision) {
  std::string bytes;
  for (std::size_t site = 0; site < columns.at(0).size(); ++site)
    for_numbers(columns, site, [&](const Complex& z) {
      for (const double part : {z.real(), z.imag()}) append_number(bytes, part, precision / 8, true);
    });
  return bytes;
}

PropagatorColumns qdp_propagator(const std::string& bytes, const Lattice& lattice, int precision) {
  PropagatorColumns columns(12, zero_spinor(lattice));
  if (bytes.size() != static_cast<std::size_t>(lattice.volume()) * 36 * precision)
    throw std::runtime_error("QDP++: a propagator of " + std::to_string(bytes.size()) + " bytes");
  NumberReader reader{bytes, 0, precision / 8, true};
  for (std::size_t site = 0; site < columns[0].size(); ++site)
    for_numbers(columns, site, [&](Complex& z) { z = reader.next_complex(); });
  return columns;
}

}  // namespace plaq::reference
