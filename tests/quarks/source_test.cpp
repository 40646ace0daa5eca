// Sources as objects: the numbers of their kernels, at their positions, and what does not fit a lattice.
#include "quarks/source/source.hpp"

#include <gtest/gtest.h>

#include "core/system/error.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/grids.hpp"

namespace plaq::source_test {
namespace {

constexpr Extents extents{4, 4, 2, 8}, at{1, 2, 1, 5};
constexpr Momentum n{1, 0, -1};

struct Case {
  SourcePtr source;
  std::string type;
  void (*kernel)(Field&, int first_column);
};

std::vector<Case> cases() {
  return {
      {point_source(at), "point", [](Field& b, int first) { point_source(b, at, first); }},
      {wall_source(at), "wall",
       [](Field& b, int first) {
         wall_source(b, 5, {0, 0, 0}, first);
       }},
      {momentum_wall_source(at, n), "momentum", [](Field& b, int first) { wall_source(b, 5, n, first); }},
      {corner_wall_source(at), "corner_wall", [](Field& b, int first) { corner_wall_source(b, at, first); }},
      {even_wall_source(at), "even_wall", [](Field& b, int first) { even_wall_source(b, at, 0, first); }},
      {even_minus_odd_wall_source(at), "even_minus_odd_wall",
       [](Field& b, int first) { even_wall_source(b, at, -1, first); }},
      {grid_source(at, {2, 4, 1}), "grid",
       [](Field& b, int first) {
         grid_source(b, at, {2, 4, 1}, first);
       }},
      {noise_source(at, Noise::normal, {7, 3}, {4, 2, 1}), "normal",
       [](Field& b, int first) {
         grid_noise_source(b, Noise::normal, 7, 3, at, {4, 2, 1}, first);
       }},
      {spin_noise_source(at, Noise::z2, {7, 3}, {1, 2, 2}), "z2",
       [](Field& b, int first) {
         spin_noise_source(b, Noise::z2, 7, 3, at, {1, 2, 2}, first);
       }},
      {noise_source(at, Noise::z3, {7, 3}), "z3",
       [](Field& b, int first) { noise_source(b, Noise::z3, 7, 3, 5, first); }},
      {gaussian_source(at, 1.5, 2), "gaussian",
       [](Field& b, int first) { gaussian_source(b, at, 1.5, 2, first); }},
      {box_source(at, {2, 3, 1}), "box",
       [](Field& b, int first) {
         box_source(b, at, {2, 3, 1}, 1, first);
       }},
      {noise_source(at, Noise::z2, {7, 3}), "z2",
       [](Field& b, int first) { noise_source(b, Noise::z2, 7, 3, 5, first); }},
      {noise_source(at, Noise::z4, {7, 3}), "z4",
       [](Field& b, int first) { noise_source(b, Noise::z4, 7, 3, 5, first); }},
      {volume_momentum_source({1, -1, 0, 3}, {0, 0, 0, 1}), "volume_momentum",
       [](Field& b, int first) {
         momentum_source(b, {1, -1, 0, 3}, first, {0, 0, 0, 1});
       }},
      {noise_source(Noise::u1, {7, 3}), "u1",
       [](Field& b, int first) { noise_source(b, Noise::u1, 7, 3, std::nullopt, first); }},
  };
}

std::vector<double> numbers_of(const Field& b) {
  std::vector<double> numbers;
  for (int subfield = 0; subfield < b.subfields(); ++subfield)
    for (int parity = 0; parity < 2; ++parity)
      for (int site = 0; site < b.geometry().general_shape().parity_sites(parity); ++site)
        for (int real = 0; real < b.reals_per_site(); ++real)
          numbers.push_back(get_real(b, subfield, parity, site, real));
  return numbers;
}

Field columns_on(const GeometryPtr& g, int spins, int columns) {
  return {g, {Subset::full, spins, 3, columns, Precision::double_precision, Location::host}};
}

TEST(Source, HasTheNumbersOfItsKernel) {
  test::for_all_geometries(extents, [&](const ProcessGrid&, const GeometryPtr& g, Location location) {
    if (location != Location::host) return;
    for (const Case& one : cases())
      for (const int spins : {4, 1}) {
        Field by_source = columns_on(g, spins, 2), by_kernel = columns_on(g, spins, 2);
        one.source->fill(by_source, 1);
        one.kernel(by_kernel, 1);
        EXPECT_EQ(numbers_of(by_source), numbers_of(by_kernel)) << one.type;
      }
  });
}

TEST(Source, SaysWhatItIs) {
  for (const Case& one : cases()) {
    EXPECT_EQ(one.source->type(), one.type);
    EXPECT_FALSE(one.source->summed().empty());
    const bool noise = noise_named(one.type).has_value();
    EXPECT_EQ(one.source->is_noise(), noise) << one.type;
    EXPECT_EQ(one.source->position(), one.type == "u1" || one.type == "volume_momentum" ? Extents{} : at)
        << one.type;
    EXPECT_EQ(one.source->type_with_spin(), one.type.ends_with("_wall") ? "wall" : one.type);
    if (!noise) continue;
    EXPECT_EQ(one.source->noise()->seed, 7);
    EXPECT_EQ(one.source->noise()->number, 3u);
  }
}

TEST(Source, FromAFieldHasItsColumns) {
  test::for_all_geometries(extents, [&](const ProcessGrid&, const GeometryPtr& g, Location location) {
    Field columns = columns_on(g, 4, 12);
    random_source(columns, Noise::u1, 5);
    const SourcePtr source = file_source(at, columns);
    EXPECT_EQ(source->type(), "file");
    const std::vector<double> all = numbers_of(columns);
    for (const auto& [first, count] : {std::pair{0, 12}, {3, 2}, {11, 1}}) {
      FieldSpec spec = columns.spec();
      spec.subfields = count;
      Field host(g, spec);
      spec.location = location;
      Field b(g, spec);
      source->fill(b, first);
      copy(host, b);
      const std::size_t each = all.size() / 12;
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(each) * first;
      EXPECT_EQ(numbers_of(host),
                std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(each) * count));
    }
  });
}

TEST(Source, FromAFileThatWasNotReadIsRefused) {
  test::for_all_geometries(extents, [&](const ProcessGrid&, const GeometryPtr& g, Location) {
    Field b = columns_on(g, 4, 1);
    test::expect_error(ErrorKind::internal, "was not read", [&] { file_source(at, {})->fill(b); });
  });
}

TEST(Source, FindsWhatDoesNotFitALattice) {
  for (const Case& one : cases()) {
    EXPECT_FALSE(one.source->fault(extents)) << one.type;
    EXPECT_NO_THROW(one.source->expect_on(extents)) << one.type;
  }
  const auto fault = [](const SourcePtr& source, const char* parameter, const char* what) {
    const auto found = source->fault(extents);
    ASSERT_TRUE(found) << what;
    EXPECT_EQ(found->parameter, parameter);
    EXPECT_EQ(found->what, what);
    EXPECT_THROW(source->expect_on(extents), Error);
  };
  fault(point_source({0, 4, 0, 0}), "position", "y = 4 is outside the lattice, must be 0 to 3");
  fault(wall_source({0, 0, 0, -1}), "position", "t = -1 is outside the lattice, must be 0 to 7");
  fault(box_source({4, 0, 0, 0}, {1, 1, 1}), "position", "x = 4 is outside the lattice, must be 0 to 3");
  fault(box_source(at, {4, 4, 3}), "size", "3 of the box in z is more than the lattice 4x4x2x8");
  fault(volume_momentum_source({0, 0, 0, 4}, {0, 0, 0, 1}), "momentum",
        "n_t = 4 is outside the Brillouin zone of the lattice 4x4x2x8, must be -4 to 3");
  fault(volume_momentum_source({0, 0, 0, 0}, {0, 0, 0, 2}), "half", "found 2, must be 0 or 1");
  fault(grid_source(at, {2, 3, 1}), "spacing", "3 in y does not divide the extent of the lattice 4x4x2x8");
  fault(noise_source(at, Noise::z2, {1, 0}, {1, 1, 0}), "spacing",
        "0 in z does not divide the extent of the lattice 4x4x2x8");
  fault(momentum_wall_source(at, {0, 3, 0}), "momentum",
        "n_y = 3 is the momentum n_y = -1 on the lattice 4x4x2x8: |n_y| is at most 2");
}

}  // namespace
}  // namespace plaq::source_test
