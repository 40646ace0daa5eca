// For the tests of files of multigrid setups.
#pragma once

#include "io/multigrid/multigrid_file.hpp"
#include "io/vectors/operator_entries.hpp"
#include "tests/io/entries.hpp"
#include "tests/io/gauge/gauge_files.hpp"
#include "tests/io/lime/lime_files.hpp"
#include "tests/io/numbers.hpp"

namespace plaq::test {

using Spinors = std::vector<reference::SpinorField>;

inline Spinors random_vectors(const Extents& extents, int count = 5, unsigned seed = 5) {
  reference::Generator generator(seed);
  return reference::random_spinors({extents}, count, generator);
}

// Numbers that a decimal representation of few digits would lose.
inline MultigridSetupInfo some_setup() {
  MultigridSetupInfo setup;
  setup.plaq_version = "1.2.3";
  setup.operator_entries = {{"type", "exponential_clover"}, number_entry("mass", -0.4125 / 3),
                            number_entry("xi", 3.1),        number_entry("nu", 1 / 1.1),
                            boundary_entry({1, -1, 1, -1}), number_entry("clover_temporal", 1e-17)};
  setup.links = {ChecksumKind::scidac, 0xffffffffu, 0x10u};
  setup.levels = {{{2, 4, 3, 2}, 24, 4, 0.2, 16}, {{1, 1, 2, 2}, 32, 3, 1 / 7.0, 20}};
  setup.seed = 0xfedcba9876543210u;
  setup.filter_iterations = 12;
  setup.coarse_filter_iterations = 11;
  setup.omega = 0.85;
  setup.rounds = 2;
  setup.reductions = {0.7, 0.5 / 3, 1e-300};
  setup.entries = {{"NOTE", "a < b & \"c\" = d"}, {"LONG", std::string(2000, '#')}};
  return setup;
}

inline void expect_same_setup(const MultigridSetupInfo& found, const MultigridSetupInfo& expected) {
  EXPECT_EQ(found.plaq_version, expected.plaq_version);
  expect_same_entries(found.operator_entries, expected.operator_entries);
  EXPECT_EQ(found.links, expected.links);
  EXPECT_EQ(found.levels, expected.levels);
  EXPECT_EQ(found.seed, expected.seed);
  EXPECT_EQ(found.filter_iterations, expected.filter_iterations);
  EXPECT_EQ(found.coarse_filter_iterations, expected.coarse_filter_iterations);
  EXPECT_EQ(found.omega, expected.omega);
  EXPECT_EQ(found.rounds, expected.rounds);
  EXPECT_EQ(found.finished, expected.finished);
  EXPECT_EQ(found.reductions, expected.reductions);
  expect_same_entries(found.entries, expected.entries);
}

// A spinor as 16 bits keep it: its largest magnitude, and integers.
struct HalfSpinor {
  float most = 0;
  std::vector<int> integers;

  explicit HalfSpinor(const reference::Spinor& spinor) {
    double largest = 0;
    const auto for_parts = [&](const auto& visit) {
      for_numbers(spinor, [&](const auto& z) { visit(z.real()), visit(z.imag()); });
    };
    for_parts([&](double x) { largest = std::max(largest, std::abs(x)); });
    most = static_cast<float>(largest);
    for_parts([&](double x) {
      integers.push_back(static_cast<int>(std::lround(x / static_cast<double>(most) * 32767)));
    });
  }
};

// The numbers as they come back.
inline Spinors as_stored(Spinors vectors, Precision stored) {
  if (stored == Precision::single_precision) return rounded(std::move(vectors));
  for (auto& vector : vectors)
    for (auto& spinor : vector) {
      const HalfSpinor half(spinor);
      std::size_t i = 0;
      const auto next = [&] { return half.integers[i++] * static_cast<double>(half.most) / 32767; };
      for_numbers(spinor, [&](auto& z) {
        const double re = next();
        z = {re, next()};
      });
    }
  return vectors;
}

// The records of even sites, as the head of io/multigrid/multigrid_file.hpp describes them.
inline std::string record_bytes_of(const Spinors& vectors, const Extents& extents, Precision stored) {
  std::string bytes;
  const auto put = [&](std::uint32_t word, int size) {
    for (int i = size; i-- > 0;) bytes.push_back(static_cast<char>(word >> 8 * i & 0xff));
  };
  const reference::Lattice lattice{extents};
  for (int site = 0; site < lattice.volume(); ++site) {
    const auto x = lattice.coordinates(site);
    if ((x[0] + x[1] + x[2] + x[3]) % 2 != 0) continue;
    for (const auto& vector : vectors) {
      const auto& spinor = vector[static_cast<std::size_t>(site)];
      if (stored == Precision::half_precision) {
        const HalfSpinor half(spinor);
        put(std::bit_cast<std::uint32_t>(half.most), 4);
        for (const int integer : half.integers) put(static_cast<std::uint32_t>(integer), 2);
      } else {
        for_numbers(spinor, [&](const auto& z) {
          for (const double part : {z.real(), z.imag()})
            put(std::bit_cast<std::uint32_t>(static_cast<float>(part)), 4);
        });
      }
    }
  }
  return bytes;
}

inline Field vectors_field(const GeometryPtr& geometry, const Spinors& vectors, Subset subset = Subset::even,
                           Precision precision = Precision::double_precision) {
  return field_of_columns(
      geometry, spinor_spec(subset, static_cast<int>(vectors.size()), precision, Location::host), vectors);
}

}  // namespace plaq::test
