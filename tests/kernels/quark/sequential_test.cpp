// Sequential sources through the sink: each is the derivative of a two-point function by a propagator, and
// the scalar current summed over the lattice is minus the derivative by the mass (Feynman,
// Hellmann). Charges in the free theory.
#include <gtest/gtest.h>

#include <cmath>

#include "core/system/error.hpp"
#include "kernels/quark/baryons.hpp"
#include "kernels/quark/sequential.hpp"
#include "tests/kernels/quark/correlators.hpp"
#include "tests/reference/components.hpp"
#include "tests/reference/correlators.hpp"
#include "tests/reference/gamma.hpp"
#include "tests/support/world.hpp"

namespace plaq {
namespace {

using reference::Complex;
using reference::Propagator;
using reference::SpinMatrix;
using test::propagator_field;
constexpr auto precision = Precision::double_precision;

SpinMatrix matrix_of(const SpinProjector& p) {
  SpinMatrix m;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) m(i, j) = p[i][j];
  return m;
}

enum class Which { pion, up, down };
constexpr Which all_of_them[] = {Which::pion, Which::up, Which::down};

// Pion and proton need no boundary where the source is on the first slice.
Field source_of(Which which, const Field& up, const Field& down, const SpinProjector& projector, int slice,
                const Queue& queue) {
  Field out(up.geometry_ptr(), up.spec());
  if (which == Which::pion)
    pion_sequential_source(out, up, slice, queue);
  else
    nucleon_sequential_source(out, up, down, which == Which::up ? NucleonQuark::up : NucleonQuark::down,
                              projector, slice, queue);
  queue.synchronize();
  return out;
}

// Derivatives by another propagator in the place of one of the quarks: linear, or by the difference of
// squares.
TEST(Sequential, SourcesAreDerivatives) {
  const Extents extents{2, 2, 4, 4};
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const reference::Lattice lattice{extents};
  reference::Generator generator(71);
  const auto up = reference::random_propagator(lattice, generator),
             down = reference::random_propagator(lattice, generator),
             other = reference::random_propagator(lattice, generator);
  Propagator sum = up, difference = up;
  for (std::size_t i = 0; i < 12; ++i) {
    reference::components::add(sum[i], 1.0, other[i]);
    reference::components::add(difference[i], -1.0, other[i]);
  }
  const Extents source{1, 0, 3, 0};
  constexpr int slice = 2;
  for (const SpinProjector& projector : {unpolarized_projector(), polarized_projector()}) {
    const SpinMatrix p = matrix_of(projector);
    const auto expected = test::from_first_rank([&] {
      const auto proton = [&](const Propagator& u, const Propagator& d) {
        return reference::proton(lattice, u, d, p, {0, 0, 0}, source, -1)[slice];
      };
      const SpinMatrix g5 = reference::gamma5();
      return std::vector<Complex>{reference::meson(lattice, other, up, g5, g5, {0, 0, 0}, source)[slice],
                                  0.5 * (proton(sum, down) - proton(difference, down)), proton(up, other)};
    });
    for (std::size_t k = 0; k < 3; ++k) {
      const auto derivative = [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
        const Queue queue(location);
        const Field b = source_of(all_of_them[k], propagator_field(up, g, location),
                                  propagator_field(down, g, location), projector, slice, queue);
        // tr[b^dagger gamma5 E] = tr[Sigma E]
        MesonContraction contraction(grid, g, {local_currents()[0]}, {{0, 0, 0}}, queue);
        const auto found = contraction(propagator_field(other, g, location), b, source)[0][0];
        for (std::size_t t = 0; t < 4; ++t) {
          const Complex there = t == slice ? expected[k] : 0.0;
          EXPECT_LT(std::abs(found[t] - there), 1e-12 * std::abs(expected[k])) << k << " t " << t;
        }
        return found;
      };
      test::for_all_geometries(extents, test::same_as_alone(extents, derivative));
    }
  }
}

reference::WilsonParameters wilson_of(double mass) {
  reference::WilsonParameters parameters;
  parameters.mass = mass;
  return parameters;
}

// psi of M psi = source, by the reference.
Propagator solved(const reference::WilsonParameters& parameters, const reference::GaugeField& gauge,
                  const Field& source) {
  Propagator psi;
  const auto columns = test::to_reference<reference::SpinorField>(source);
  for (std::size_t i = 0; i < 12; ++i) psi[i] = reference::solve(parameters, gauge, columns[i], 1e-14).x;
  return psi;
}

// sum over the lattice of C3 of the scalar current = - dC2/dm, on a random field.
TEST(Sequential, ScalarCurrentsAreDerivativesByTheMass) {
  if (test::world_size() > 1) GTEST_SKIP() << "is of one rank";
  const Extents extents{2, 2, 2, 4};
  const reference::Lattice lattice{extents};
  reference::Generator generator(72);
  const auto gauge = reference::random_gauge(lattice, generator);
  const double mass = 0.9, step = 1e-3;
  constexpr int slice = 2;
  const Extents source{0, 0, 0, 0};
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const GeometryPtr g = self.geometry(extents);
  const Queue queue(Location::host);
  const auto quark = [&](double m) {
    return propagator_field(reference::propagator(wilson_of(m), gauge, 0, 1e-14), g, Location::host);
  };
  MesonContraction pion(self, g, {meson_channel("pion")}, {{0, 0, 0}}, queue);
  ProtonContraction proton(self, g, {{0, 0, 0}}, queue);
  const auto two_point = [&](double m) {
    const Field s = quark(m);
    return std::array{pion(s, source)[0][0][slice], proton(s, source, -1)[0][0][slice]};
  };
  // Central differences of fourth order.
  const auto p1 = two_point(mass + step), m1 = two_point(mass - step), p2 = two_point(mass + 2 * step),
             m2 = two_point(mass - 2 * step);
  const auto slope = [&](std::size_t i) { return (8.0 * (p1[i] - m1[i]) - (p2[i] - m2[i])) / (12 * step); };
  const Field s = quark(mass);
  MesonContraction contraction(self, g, {local_currents()[0]}, {{0, 0, 0}}, queue);
  const auto summed = [&](Which which) {
    const Field b = source_of(which, s, s, unpolarized_projector(), slice, queue);
    const Field psi = propagator_field(solved(wilson_of(mass), gauge, b), g, Location::host);
    Complex sum = 0.0;
    const Correlators c = contraction(s, psi, source);
    for (const auto& of_t : c[0][0]) sum += of_t;
    return sum;
  };
  const Complex of_pion = summed(Which::pion), of_proton = summed(Which::up) + summed(Which::down);
  EXPECT_LT(std::abs(slope(0) + 2 * of_pion.real()), 1e-8 * std::abs(slope(0)));
  EXPECT_LT(std::abs(slope(1) + of_proton), 1e-8 * std::abs(slope(1)));
}

// Quarks on unit links, at rest: between source and sink the charge of the local vector current is the number
// of quarks over Z_V = 1 + m on every slice, and the quarks' spins are those of SU(6): 4/3 of u, -1/3 of d.
TEST(Sequential, FreeChargesArePlateaus) {
  if (test::world_size() > 1) GTEST_SKIP() << "is of one rank";
  const Extents extents{2, 2, 2, 32};
  const reference::Lattice lattice{extents};
  const auto gauge = reference::unit_gauge(lattice);
  const auto parameters = wilson_of(1);
  constexpr int slice = 8;
  const Extents source{0, 0, 0, 0};
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const GeometryPtr g = self.geometry(extents);
  const Queue queue(Location::host);
  const Field s = propagator_field(reference::propagator(parameters, gauge, 0), g, Location::host);
  MesonContraction pion(self, g, {meson_channel("pion")}, {{0, 0, 0}}, queue);
  ProtonContraction proton(self, g, {{0, 0, 0}}, queue);
  const double of_pion = pion(s, source)[0][0][slice].real(),
               of_proton = proton(s, source, -1)[0][0][slice].real();
  const auto currents = local_currents();
  const auto index_of = [&](const std::string& name) {
    return static_cast<std::size_t>(
        std::find_if(currents.begin(), currents.end(), [&](const auto& c) { return c.name == name; }) -
        currents.begin());
  };
  MesonContraction contraction(self, g, currents, {{0, 0, 0}}, queue);
  const auto three_point = [&](Which which, const SpinProjector& projector, const std::string& name) {
    const Field psi = propagator_field(
        solved(parameters, gauge, source_of(which, s, s, projector, slice, queue)), g, Location::host);
    return contraction(s, psi, source)[index_of(name)][0];
  };
  const SpinProjector flat = unpolarized_projector(), up_z = polarized_projector();
  const auto charge_pion = three_point(Which::pion, flat, "vector_t"),
             charge_up = three_point(Which::up, flat, "vector_t"),
             charge_down = three_point(Which::down, flat, "vector_t"),
             axial_up = three_point(Which::up, up_z, "axial_z"),
             axial_down = three_point(Which::down, up_z, "axial_z"),
             tensor_up = three_point(Which::up, up_z, "tensor_xy");
  const double charge = 1 / (1 + parameters.mass), bound = 1e-3 * charge;  // 1 / Z_V of free quarks at rest
  for (std::size_t t = 1; t < slice; ++t) {
    SCOPED_TRACE(t);
    EXPECT_NEAR(charge_pion[t].real() / of_pion, charge, bound);
    EXPECT_NEAR(charge_up[t].real() / of_proton, 2 * charge, bound);
    EXPECT_NEAR(charge_down[t].real() / of_proton, charge, bound);
    EXPECT_NEAR(axial_up[t].imag() / of_proton, 4 * charge / 3, bound);
    EXPECT_NEAR(axial_down[t].imag() / of_proton, -charge / 3, bound);
    EXPECT_NEAR(tensor_up[t].real() / of_proton, -4 * charge / 3, bound);
    // Equal on each slice, up to what comes around the lattice.
    EXPECT_NEAR(charge_up[t].real(), charge_up[1].real(), 1e-9 * of_proton);
  }
}

TEST(Sequential, RefusesWhatIsNoSink) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto g = self.geometry({2, 2, 2, 2});
  const Queue queue(Location::host);
  const auto field = [&](int columns) {
    return Field(g, spinor_spec(Subset::full, columns, precision, Location::host));
  };
  Field out = field(12), few = field(11);
  EXPECT_NO_THROW(pion_sequential_source(out, field(12), 1, queue));
  EXPECT_THROW(pion_sequential_source(out, field(12), 2, queue), Error);
  EXPECT_THROW(pion_sequential_source(few, field(11), 1, queue), Error);
}

}  // namespace
}  // namespace plaq
