// Links as 18, 12 and 8 reals in every precision: what comes back to a kernel, in which gauge, and which
// links are refused. The model solves for the link that the stored reals stand for, in double.
#include "kernels/gauge/link_storage.hpp"
#include "core/field/field_views.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/launch/dispatch.hpp"
#include "kernels/dirac/wilson/wilson.hpp"
#include "tests/reference/flow.hpp"
#include "tests/support/convert.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/grids.hpp"

namespace plaq::link_storage_test {
namespace {

using reference::ColorMatrix;
using reference::Complex;
using reference::GaugeField;

constexpr auto half = Precision::half_precision, single = Precision::single_precision,
               wide = Precision::double_precision;

// F_jk = exp(2 pi i j k / 3) / sqrt(3), over the cube root of its determinant nearest to 1.
ColorMatrix slow_rotation() {
  ColorMatrix f;
  for (int j = 0; j < 3; ++j)
    for (int k = 0; k < 3; ++k) f(j, k) = std::polar(1 / std::sqrt(3.0), 2 * std::numbers::pi * j * k / 3);
  return 1.0 / std::pow(reference::determinant(f), 1.0 / 3) * f;
}

// The links in the gauge R on `parity`, 1 elsewhere.
GaugeField rotated(const GaugeField& gauge, int parity) {
  if (parity < 0) return gauge;
  reference::GaugeTransformation g;
  for (int x = 0; x < gauge.lattice.volume(); ++x)
    g.push_back(gauge.lattice.parity(x) == parity ? slow_rotation() : ColorMatrix::unit());
  return reference::transformed(gauge, g);
}

// The link of SU(3) with these reals: row a by its norm, c_1 by the norm of the first column, then b_2 and
// b_3 from (a, b) = 0 and c_1 = conj(a_2 b_3 - a_3 b_2), c from conj(a x b).
ColorMatrix link_of(const std::vector<double>& r) {
  ColorMatrix u;
  const auto z = [&](int k) { return Complex(r[2 * k], r[2 * k + 1]); };
  if (r.size() == 8) {
    const auto phase = [&](std::size_t k) { return std::polar(1.0, 4 * std::atan(r[k])); };
    const Complex a2 = z(0), a3 = z(1), b1 = z(2);
    const double n2 = std::norm(a2) + std::norm(a3);
    u(0, 0) = std::sqrt(std::max(0.0, 1 - n2)) * phase(6);
    u(0, 1) = a2, u(0, 2) = a3, u(1, 0) = b1;
    const Complex c1 = std::sqrt(std::max(0.0, n2 - std::norm(b1))) * phase(7);
    // conj(a2) b2 + conj(a3) b3 = -b1 conj(a1), -a3 b2 + a2 b3 = conj(c1): Cramer, determinant n2.
    const Complex right = -b1 * std::conj(u(0, 0));
    u(1, 1) = (right * a2 - std::conj(a3) * std::conj(c1)) / n2;
    u(1, 2) = (std::conj(a2) * std::conj(c1) + a3 * right) / n2;
  } else {
    for (int k = 0; k < (r.size() == 12 ? 6 : 9); ++k) u(k / 3, k % 3) = z(k);
    if (r.size() == 18) return u;
  }
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    u(2, k) = std::conj(u(0, i) * u(1, j) - u(0, j) * u(1, i));
  }
  return u;
}

double component_difference(const ColorMatrix& a, const ColorMatrix& b) {
  double most = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const Complex d = a(i, j) - b(i, j);
      for (const double part : {std::abs(d.real()), std::abs(d.imag())}) most = part <= most ? most : part;
    }
  return most;
}

// What kernels load from host fields, in their computing precision.
template <class S, int Reals>
void loaded(const Field& stored, int mu, int parity, std::vector<ColorMatrix>& links) {
  using T = Compute<S>;
  constexpr int W = Arch<Host, T>::width;
  const auto view = gauge_view<Host, S, Reals>(stored);
  for (int s = 0; s < stored.layout().sites; s += W) {
    const auto u = view.load(mu, parity, LaneSite<W>{s, 0});
    for (int l = 0; l < W && s + l < stored.layout().sites; ++l)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          links[s + l](i, j) = {static_cast<double>(u.e[i][j].re[l]), static_cast<double>(u.e[i][j].im[l])};
  }
}
void load_links(const Field& stored, int mu, int parity, std::vector<ColorMatrix>& links) {
  with_storage(stored.precision(), [&](auto s) {
    using S = typename decltype(s)::type;
    const int reals = stored.spec().reals();
    reals == 8    ? loaded<S, 8>(stored, mu, parity, links)
    : reals == 12 ? loaded<S, 12>(stored, mu, parity, links)
                  : loaded<S, 18>(stored, mu, parity, links);
  });
}

struct Errors {
  double most = 0, median = 0, model = 0;  // of the kernel's links, and of the model's
};
Errors errors_of(const Field& stored, const GaugeField& wanted) {
  const Field host = test::on_host(stored);
  const Geometry& g = host.geometry();
  Errors e;
  std::vector<double> all;
  for (int mu = 0; mu < 4; ++mu) {
    std::vector<ColorMatrix> links[2];
    for (const int parity : {0, 1}) {
      links[parity].resize(host.layout().sites);
      load_links(host, mu, parity, links[parity]);
    }
    test::for_stored_sites(g, [&](int parity, int s, int site) {
      const auto& u = wanted.link[site][mu];
      all.push_back(component_difference(links[parity][s], u));
      std::vector<double> reals;
      for (int r = 0; r < host.reals_per_site(); ++r) reals.push_back(get_real(host, mu, parity, s, r));
      const double model = component_difference(link_of(reals), u);
      e.model = model <= e.model ? e.model : model;
    });
  }
  for (const double off : all) e.most = off <= e.most ? e.most : off;
  std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end());
  e.median = all[all.size() / 2];
  return e;
}

struct Kind {
  std::string name;
  double strength;  // of weak_gauge; 0: unit links, -1: random, -2: smooth
  bool random() const { return strength == -1; }
};
GaugeField links_of(const Kind& kind, const reference::Lattice& lattice) {
  reference::Generator generator(31);
  if (kind.strength == -1) return reference::random_gauge(lattice, generator);
  // Landau gauge is fixed: constant flux is smooth except where it goes around the lattice.
  if (kind.strength == -2) {
    auto gauge = reference::constant_flux(lattice, 1, 1);
    const auto weak = reference::weak_gauge(lattice, generator, 0.1);
    for (std::size_t x = 0; x < gauge.link.size(); ++x)
      for (std::size_t mu = 0; mu < 4; ++mu) gauge.link[x][mu] = weak.link[x][mu] * gauge.link[x][mu];
    return gauge;
  }
  if (kind.strength == 0) return reference::unit_gauge(lattice);
  return reference::weak_gauge(lattice, generator, kind.strength);
}
const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {{"unit", 0},    {"1e-8", 1e-8}, {"1e-6", 1e-6}, {"1e-4", 1e-4},
                                        {"1e-2", 1e-2}, {"1e-1", 1e-1}, {"smooth", -2}, {"random", -1}};
  return all;
}

// Largest deviation of links near 1 (up to 0.1) and of random ones, and the largest median of any kind.
struct Bounds {
  Precision precision;
  int reals;
  double near_one, random, median;
};
constexpr Bounds bounds[] = {
    {wide, 18, 0, 0, 0},
    {wide, 12, 5e-16, 5e-16, 1.2e-16},
    {wide, 8, 2e-15, 2e-13, 1e-15},
    {single, 18, 2.99e-8, 2.99e-8, 2.7e-8},
    {single, 12, 1.6e-7, 1.6e-7, 4.5e-8},
    {single, 8, 4e-7, 3e-5, 1.5e-7},
    {half, 18, 1.53e-5, 1.53e-5, 1.5e-5},
    {half, 12, 4.2e-5, 4.2e-5, 1.8e-5},
    {half, 8, 1.3e-4, 5e-3, 3.6e-5},
};

class LinkStorages : public testing::TestWithParam<Extents> {};

TEST_P(LinkStorages, ComeBackToKernels) {
  for (const Kind& kind : kinds()) {
    const GaugeField gauge = links_of(kind, {GetParam()});
    const GaugeField turned[3] = {rotated(gauge, 0), rotated(gauge, 1), gauge};
    int trial = 0;
    test::for_all_geometries(
        GetParam(), [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
          const Queue queue(location);
          const Field links = test::to_plaq(gauge, g, wide, Location::host);
          ++trial;
          for (const Bounds& bound : bounds) {
            SCOPED_TRACE(kind.name + " " + std::string(name_of(bound.precision)) + " " +
                         std::to_string(bound.reals));
            const int parity = bound.reals == 8 ? trial % 2 : -1;
            const ColorRotation rotation = parity < 0 ? ColorRotation{} : fourier_rotation(parity);
            const Field stored = store_links(links, {bound.precision, bound.reals}, rotation, queue);
            EXPECT_EQ(stored.spec(), gauge_spec(bound.precision, location, bound.reals));
            const Errors e = errors_of(stored, turned[parity < 0 ? 2 : parity]);
            const double most = kind.random() ? bound.random : bound.near_one;
            EXPECT_LE(e.most, most);
            EXPECT_LE(e.model, most);
            EXPECT_LE(e.median, bound.median);
            const double said = link_storage_error(stored, links, rotation, queue);
            EXPECT_NEAR(said, e.model, (bound.precision == wide ? 2e-14 : 0) + 1e-3 * e.model);
            // No better than the storage can be: the bounds above are near what there is.
            if (kind.random() && bound.precision != wide && grid.size() == 1) {
              EXPECT_GT(e.median, bound.median / 2);
            }
          }
        });
  }
}

INSTANTIATE_TEST_SUITE_P(Extents, LinkStorages,
                         testing::Values(Extents{4, 4, 4, 8}, Extents{2, 2, 2, 2}, Extents{6, 2, 10, 4}),
                         [](const auto& info) { return to_string(info.param); });

// A unitary matrix whose first row is (exp(i phi), 0, 0).
ColorMatrix without_first_row(reference::Generator& generator) {
  const double phi = 0.7;
  const Complex a = reference::normal(generator), b = reference::normal(generator);
  const double norm = std::sqrt(std::norm(a) + std::norm(b));
  ColorMatrix v;
  v(0, 0) = std::polar(1.0, phi);
  v(1, 1) = a / norm, v(1, 2) = b / norm;
  v(2, 1) = -std::conj(v(1, 2)) * std::polar(1.0, -phi), v(2, 2) = std::conj(v(1, 1)) * std::polar(1.0, -phi);
  return v;
}

using Remedy = LinkStorageError::Remedy;

struct Bad {
  const char* name;
  ColorMatrix link;
  std::vector<LinkStorage> refused, accepted;
  const char* says;
  Remedy remedy;
};

template <class Make>
Remedy remedy_of(const Make& make, const LinkStorage& storage) {
  try {
    make(storage);
  } catch (const LinkStorageError& error) {
    return error.remedy();
  }
  throw std::logic_error("it was stored");
}

// One such link anywhere is one and the same error on every rank.
TEST(LinkStorage, RefusesWhatItCannotStore) {
  const Extents extents{4, 4, 4, 8};
  const reference::Lattice lattice{extents};
  reference::Generator generator(32);
  auto gauge = reference::random_gauge(lattice, generator);
  const int x = 301, mu = 2, parity = lattice.parity(x);
  const std::vector<LinkStorage> compressed{{wide, 12},  {wide, 8},  {single, 12},
                                            {single, 8}, {half, 12}, {half, 8}};
  const std::vector<LinkStorage> whole{{wide, 18}, {single, 18}};
  const ColorMatrix one = reference::random_su3(generator);
  // On `parity` R times the link is stored.
  const ColorMatrix singular = reference::dagger(slow_rotation()) * without_first_row(generator);
  auto nan = one, infinite = one, long_row = one;
  nan(1, 2) = {0.1, NAN};
  infinite(2, 0) = INFINITY;
  for (int j = 0; j < 3; ++j) long_row(0, j) *= 1.01;
  const auto half_18 = LinkStorage{half, 18};
  auto with_half = compressed;
  with_half.push_back(half_18);
  const Bad cases[] = {
      {"antiperiodic sign",
       Complex(-1) * one,
       compressed,
       {whole[0], whole[1], half_18},
       "not SU(3)",
       Remedy::reconstruction},
      {"scaled by 1.01", Complex(1.01) * one, compressed, whole, "not SU(3)", Remedy::reconstruction},
      {"one row too long", long_row, compressed, whole, "not SU(3)", Remedy::reconstruction},
      {"determinant exp(0.1 i)",
       std::polar(1.0, 0.1 / 3) * one,
       compressed,
       {half_18},
       "not SU(3)",
       Remedy::reconstruction},
      {"zero", ColorMatrix{}, compressed, {half_18}, "not SU(3)", Remedy::reconstruction},
      {"nan", nan, with_half, whole, "n", Remedy::none},
      {"infinite", infinite, with_half, whole, "n", Remedy::none},
      {"component of 1.001",
       Complex(1.001) * ColorMatrix::unit(),
       {half_18},
       whole,
       "beyond [-1, 1]",
       Remedy::precision},
      {"singular in eight reals",
       singular,
       {{wide, 8}, {single, 8}, {half, 8}},
       {{wide, 12}, {single, 12}, {half, 12}, half_18},
       "singular",
       Remedy::reconstruction},
      {"nearly singular in eight reals",
       reference::random_su3_near_unit(generator, 1e-6) * singular,
       {{half, 8}},
       {{wide, 8}, {half, 12}},
       "singular",
       Remedy::reconstruction},
  };
  for (const Bad& bad : cases) {
    gauge.link[x][mu] = bad.link;
    test::for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
      SCOPED_TRACE(bad.name);
      const Queue queue(location);
      const Field links = test::to_plaq(gauge, g, wide, Location::host);
      const auto make = [&](const LinkStorage& storage) {
        WilsonHopping(grid, links, {}, storage, queue, make_host_transport(grid, location), parity);
      };
      for (const LinkStorage& storage : bad.refused) {
        const std::string text = test::error_of(ErrorKind::input_file, [&] { make(storage); });
        EXPECT_NE(text, "no error") << storage.reconstruction;
        EXPECT_NE(text.find(bad.says), std::string::npos) << storage.reconstruction << " reals: " << text;
        EXPECT_EQ(remedy_of(make, storage), bad.remedy) << storage.reconstruction << " reals: " << text;
        std::uint64_t both[2] = {std::hash<std::string>{}(text), 0};
        both[1] = ~both[0];
        MPI_Allreduce(MPI_IN_PLACE, both, 2, MPI_UINT64_T, MPI_MIN, grid.comm().mpi());
        EXPECT_EQ(both[0], ~both[1]) << "another text on another rank";
      }
      for (const LinkStorage& storage : bad.accepted)
        EXPECT_NO_THROW(make(storage)) << storage.reconstruction << " reals " << name_of(storage.precision);
    });
  }
}

TEST(LinkStorage, RotatesColor) {
  const Extents extents{6, 2, 10, 4};
  const reference::Lattice lattice{extents};
  reference::Generator generator(33);
  const std::vector<char> flags{1, 0, 1};
  const auto in = reference::random_spinors(lattice, 3, generator),
             before = reference::random_spinors(lattice, 3, generator);
  for (const int parity : {0, 1})
    for (const bool dagger : {false, true}) {
      auto expected = before, in_place = in;
      for (std::size_t k = 0; k < flags.size(); ++k) {
        if (!flags[k]) continue;
        const ColorMatrix r = dagger ? reference::dagger(slow_rotation()) : slow_rotation();
        for (int x = 0; x < lattice.volume(); ++x) {
          if (lattice.parity(x) != parity) continue;
          for (std::size_t spin = 0; spin < 4; ++spin) {
            expected[k][x][spin] = r * in[k][x][spin];
            in_place[k][x][spin] = expected[k][x][spin];
          }
        }
      }
      test::for_all_geometries(extents, [&](const ProcessGrid&, const GeometryPtr& g, Location location) {
        const Queue queue(location);
        for (const auto& [precision, tolerance] : {std::pair{wide, 3e-15}, {single, 2e-6}, {half, 5e-4}}) {
          Field x = test::to_plaq(in, g, Subset::full, precision, location);
          Field y = test::to_plaq(before, g, Subset::full, precision, location);
          rotate_color(y, x, parity, fourier_rotation(parity), dagger, ActiveSet(flags), queue);
          rotate_color(x, x, parity, fourier_rotation(parity), dagger, ActiveSet(flags), queue);
          queue.synchronize();
          EXPECT_LT(test::max_difference(y, expected), tolerance);
          EXPECT_LT(test::max_difference(x, in_place), tolerance);
          // Right-hand side 1 and the other parity keep their bits.
          const Field untouched = test::on_host(test::to_plaq(before, g, Subset::full, precision, location));
          const Field now = test::on_host(y);
          test::for_stored_sites(*g, [&](int p, int s, int) {
            for (int k = 0; k < 3; ++k)
              for (int r = 0; r < 24; ++r)
                if (k == 1 || p != parity) {
                  ASSERT_EQ(get_real(now, k, p, s, r), get_real(untouched, k, p, s, r));
                }
          });
        }
      });
    }
}

// It is in SU(3), and not the rotation by another cube root: links of 1 become R, whose first row has N^2 =
// 2/3.
TEST(LinkStorage, RotationIsTheFourierMatrix) {
  const ColorMatrix r = slow_rotation();
  EXPECT_LT(std::abs(reference::determinant(r) - 1.0), 1e-15);
  for (const int parity : {0, 1}) {
    const ColorRotation ours = fourier_rotation(parity);
    EXPECT_EQ(ours.parity, parity);
    ColorMatrix u;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) u(i, j) = {ours.r.e[i][j].re, ours.r.e[i][j].im};
    EXPECT_LT(reference::max_difference(u, r), 1e-15);
    EXPECT_NEAR(std::norm(u(0, 1)) + std::norm(u(0, 2)), 2.0 / 3, 1e-15);
  }
}

}  // namespace
}  // namespace plaq::link_storage_test
