// Plane waves on unit links, every momentum with every boundary sign, against the operators' symbols: four
// sums, each of every fourth momentum. And every boundary sign on random links, where hops of
// three steps go around small lattices.
#include <gtest/gtest.h>

#include "tests/support/first_rank.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/operators/checks.hpp"
#include "tests/support/operators/staggered.hpp"
#include "tests/support/operators/wilson.hpp"

namespace plaq::waves_test {
namespace {

using test::Complex64, test::Vector, test::Vectors;

std::array<int, 4> signs_of(int bits) {
  std::array<int, 4> boundary;
  for (int mu = 0; mu < 4; ++mu) boundary[static_cast<std::size_t>(mu)] = (bits >> mu) & 1 ? -1 : 1;
  return boundary;
}

// exp(i p x) on all sites.
Vector phases(const reference::Lattice& lattice, const std::array<double, 4>& p) {
  Vector wave;
  for (int site = 0; site < lattice.volume(); ++site) {
    double angle = 0;
    for (std::size_t mu = 0; mu < 4; ++mu) angle += p[mu] * lattice.coordinates(site)[mu];
    wave.push_back(std::polar(1.0, angle));
  }
  return wave;
}

// sum <- sum + wave chi
void add(Vector& sum, const Vector& wave, const Vector& chi) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += wave[i / chi.size()] * chi[i % chi.size()];
}

struct Waves {
  Waves(const reference::Lattice& lattice, int components)
      : in(4, Vector(static_cast<std::size_t>(lattice.volume() * components))),
        image(in),
        dagger(in),
        complement(in) {}
  Vectors in, image, dagger, complement;
};

class WilsonWaves : public testing::TestWithParam<Extents> {};

TEST_P(WilsonWaves, EveryMomentumWithEveryBoundarySign) {
  if (!test::splits_over_the_ranks(GetParam())) GTEST_SKIP() << "no process grid of this many ranks";
  const reference::Lattice lattice{GetParam()};
  reference::Generator generator(12);
  auto p = test::make_wilson(GetParam(), test::Clover::none);
  p.gauge = reference::unit_gauge(lattice);
  p.temporal = true;
  for (int signs = 0; signs < 16; ++signs) {
    test::set_boundary(p, signs_of(signs));
    Waves waves(lattice, 12);
    for (int n = 0; n < lattice.volume(); ++n) {
      const auto k = static_cast<std::size_t>(n % 4);
      const auto momentum = reference::momentum(p.theirs.wilson, lattice, lattice.coordinates(n));
      const auto symbol = reference::wilson_symbol(p.theirs.wilson, momentum);
      const auto chi = reference::random_spinor({{1, 1, 1, 1}}, generator);
      const Vector wave = phases(lattice, momentum);
      add(waves.in[k], wave, test::to_vector(chi));
      add(waves.image[k], wave, test::to_vector(reference::times(symbol, chi)));
      add(waves.dagger[k], wave, test::to_vector(reference::times(dagger(symbol), chi)));
    }
    test::expect_images_of(test::wilson_operator(p), waves.in, waves.image, waves.dagger, 5e-15, 1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(Extents, WilsonWaves, testing::Values(Extents{4, 2, 4, 6}, Extents{2, 4, 2, 2}),
                         [](const auto& info) { return to_string(info.param); });

using Case = std::pair<Extents, bool>;  // improved
const auto name_of_links = [](const testing::TestParamInfo<Case>& info) {
  return to_string(info.param.first) + (info.param.second ? "_improved" : "");
};

class StaggeredWaves : public testing::TestWithParam<Case> {};

TEST_P(StaggeredWaves, EveryMomentumWithEveryBoundarySign) {
  const auto& [extents, improved] = GetParam();
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const reference::Lattice lattice{extents};
  reference::Generator generator(12);
  auto p = test::make_staggered(extents, improved);
  p.links = {reference::unit_gauge(lattice), reference::unit_gauge(lattice)};
  const double mass = p.ours.mass;
  for (int signs = 0; signs < 16; ++signs) {
    p.ours.boundary = p.theirs.boundary = signs_of(signs);
    Waves waves(lattice, 3);
    for (int n = 0; n < lattice.volume(); ++n) {
      const auto k = static_cast<std::size_t>(n % 4);
      const auto momentum = reference::staggered_momentum(p.theirs, lattice, lattice.coordinates(n));
      const auto sines = reference::staggered_sines(p.theirs, momentum);
      const Vector chi = test::to_vector(reference::random_colors({{1, 1, 1, 1}}, generator));
      const Vector wave = phases(lattice, momentum);
      Vector image = wave, dagger = wave, complement = wave;
      double squares = mass * mass;
      for (const double s : sines) squares += s * s;
      for (std::size_t site = 0; site < wave.size(); ++site) {
        double symbol = 0;
        for (std::size_t mu = 0; mu < 4; ++mu)
          symbol += reference::eta(lattice, static_cast<int>(site), static_cast<int>(mu)) * sines[mu];
        image[site] *= Complex64(mass, symbol);
        dagger[site] *= Complex64(mass, -symbol);
        complement[site] *= squares;
      }
      add(waves.in[k], wave, chi);
      add(waves.image[k], image, chi);
      add(waves.dagger[k], dagger, chi);
      add(waves.complement[k], complement, chi);
    }
    test::expect_images_of(test::staggered_operator(p), waves.in, waves.image, waves.dagger, 2e-14, 7e-6);
    test::expect_images_of(test::staggered_complement(p, signs % 2), waves.in, waves.complement,
                           waves.complement, 2e-14, 7e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, StaggeredWaves,
                         testing::Values(Case{{4, 2, 4, 6}, false}, Case{{2, 4, 2, 2}, false},
                                         Case{{4, 2, 4, 8}, true}, Case{{8, 4, 2, 2}, true}),
                         name_of_links);

class StaggeredBoundaries : public testing::TestWithParam<Case> {};

TEST_P(StaggeredBoundaries, EverySignOnRandomLinks) {
  const auto& [extents, improved] = GetParam();
  for (int signs = 0; signs < 16; ++signs) {
    if (test::world_size() > 1 && signs % 5 != 0) continue;  // both signs of every direction
    const auto p = test::staggered_operator(test::make_staggered(extents, improved, signs_of(signs)));
    const Vectors in = test::random_vectors(p, 1);
    const auto images = test::from_first_rank([&] {
      return Vectors{p.image(in[0], false), p.image(in[0], true)};
    });
    test::expect_images_of(p, in, {images[0]}, {images[1]}, 2e-14, 7e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, StaggeredBoundaries,
                         testing::Values(Case{{4, 4, 2, 6}, false}, Case{{2, 2, 2, 2}, false},
                                         Case{{4, 8, 4, 8}, true}, Case{{2, 4, 2, 8}, true}),
                         name_of_links);

}  // namespace
}  // namespace plaq::waves_test
