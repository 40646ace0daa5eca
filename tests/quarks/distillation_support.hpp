// Color vectors of any kind in the place of modes of the Laplacian, and slow formulas of derivatives on them.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "quarks/distillation/slice_modes.hpp"
#include "quarks/solve/propagator_solver.hpp"
#include "quarks/source/quark_derivative.hpp"
#include "tests/reference/spinor.hpp"
#include "tests/support/convert.hpp"

namespace plaq::distillation_test {

using reference::Complex;
using Batch = std::vector<reference::SpinorField>;
using Numbers = std::vector<Complex>;
inline constexpr auto wide = Precision::double_precision;
inline constexpr double mass = 0.4;

// Color vector i at a site: spin i % 4 of spinor i / 4.
inline const auto& vector_at(const Batch& batch, int i, int site) {
  return batch[static_cast<std::size_t>(i / 4)][static_cast<std::size_t>(site)]
              [static_cast<std::size_t>(i % 4)];
}

inline SliceModes modes_on(const Batch& batch, int count, const GeometryPtr& g, Location location) {
  return {test::to_plaq(batch, g, Subset::full, wide, location), count};
}

inline SolverSettings accurate(double tolerance) {
  SolverSettings settings;
  settings.tolerance = tolerance;
  settings.scheme = MixedScheme::none;
  return settings;
}

inline double largest_difference(const Numbers& a, const Numbers& b) {
  EXPECT_EQ(a.size(), b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

// D of a word of letters, rightmost first, on color vectors that are spins of spinors.
inline Batch differentiated(const reference::GaugeField& links, Batch batch, const std::string& word,
                            const SpaceSigns& signs) {
  const reference::Lattice& lattice = links.lattice;
  for (auto letter = word.rbegin(); letter != word.rend(); ++letter) {
    const int mu = *letter - 'x';
    const double sign = signs[static_cast<std::size_t>(mu)];
    const Batch in = batch;
    for (std::size_t k = 0; k < batch.size(); ++k)
      for (int site = 0; site < lattice.volume(); ++site) {
        const int next = lattice.forward(site, mu), last = lattice.backward(site, mu),
                  x = lattice.coordinates(site)[static_cast<std::size_t>(mu)];
        for (std::size_t s = 0; s < 4; ++s) {
          const auto& link = links.link;
          const auto ahead = link[static_cast<std::size_t>(site)][static_cast<std::size_t>(mu)] *
                             in[k][static_cast<std::size_t>(next)][s];
          const auto behind = dagger(link[static_cast<std::size_t>(last)][static_cast<std::size_t>(mu)]) *
                              in[k][static_cast<std::size_t>(last)][s];
          const bool at_end = x == lattice.extents[static_cast<std::size_t>(mu)] - 1;
          for (std::size_t c = 0; c < 3; ++c)
            batch[k][static_cast<std::size_t>(site)][s][c] =
                0.5 * ((at_end ? sign : 1) * ahead[c] - (x == 0 ? sign : 1) * behind[c]);
        }
      }
  }
  return batch;
}

inline Complex wave(const reference::Lattice& lattice, const Momentum& n, int site) {
  double angle = 0;
  for (std::size_t mu = 0; mu < 3; ++mu)
    angle -= 2 * M_PI * n[mu] * lattice.coordinates(site)[mu] / lattice.extents[mu];
  return std::polar(1.0, angle);
}

}  // namespace plaq::distillation_test
