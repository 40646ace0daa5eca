// Domain-wall operators of every kind: problems, the slow reference of the full operator and its even-odd
// form, and fields in five dimensions.
#pragma once

#include "kernels/dirac/domain_wall/domain_wall_schur.hpp"
#include "kernels/dirac/domain_wall/optimal_weights.hpp"
#include "tests/kernels/dirac/wilson/wilson_storage_support.hpp"
#include "tests/reference/domain_wall.hpp"

namespace plaq::test {

enum class Wall { shamir, borici, moebius, optimal, alike, general, steep };
inline std::string name_of(Wall wall) {
  static const char* names[] = {"shamir", "borici", "moebius", "optimal", "alike", "general", "steep"};
  return names[static_cast<int>(wall)];
}
inline constexpr Wall all_walls[] = {Wall::shamir, Wall::borici,  Wall::moebius, Wall::optimal,
                                     Wall::alike,  Wall::general, Wall::steep};

// optimal: the weights of |H_w| in [0.4, 6.2]; general: those of every slice at random; alike: sigma = omega
// besides; steep: sigma larger than omega, so that solves run backwards.
inline DomainWallParameters wall_parameters(Wall wall, int n_s, double mass = 0.06, double m0 = 1.7) {
  using P = DomainWallParameters;
  const auto size = static_cast<std::size_t>(n_s);
  std::vector<double> omega(size), sigma(size);
  reference::Generator generator(5 + static_cast<unsigned>(n_s));
  for (std::size_t s = 0; s < size; ++s) {
    omega[s] = 0.4 + 1.5 * reference::uniform(generator);
    sigma[s] = wall == Wall::steep ? 1.1 * omega[s] + 0.9 : 0.05 + omega[s] * reference::uniform(generator);
  }
  switch (wall) {
    case Wall::shamir:
      return P::shamir(n_s, m0, mass);
    case Wall::borici:
      return P::borici(n_s, m0, mass);
    case Wall::moebius:
      return P::moebius(n_s, m0, mass, 1.5, 0.5);
    case Wall::optimal:
      return P::optimal(optimal_weights(n_s, 0.4, 6.2), m0, mass);
    case Wall::alike:
      return P::optimal(omega, m0, mass);
    default:
      return P::general(omega, sigma, m0, mass);
  }
}

inline reference::DomainWallParameters reference_of(const DomainWallParameters& p) {
  return {p.m0, p.mass, p.omega, p.sigma, p.boundary};
}

// As many subfields as slices of all right-hand sides.
inline Batch subfields_of(const reference::DomainWallParameters& p, const Batch& five) {
  Batch subfields;
  for (const auto& f : five)
    for (int s = 0; s < p.slices(); ++s) subfields.push_back(reference::slice(p, f, s));
  return subfields;
}

inline reference::SpinorField random_five(const reference::Lattice& lattice, int n_s,
                                          reference::Generator& generator) {
  std::vector<reference::SpinorField> slices;
  for (int s = 0; s < n_s; ++s) slices.push_back(reference::random_spinor(lattice, generator));
  return reference::joined(slices);
}

struct WallProblem {
  reference::GaugeField gauge;
  DomainWallParameters ours;
  reference::DomainWallParameters theirs;
  Batch in;  // in five dimensions
};
inline WallProblem make_wall_problem(const Extents& extents, Wall wall, int n_s, int batch,
                                     double disorder = -1) {
  reference::Generator generator(43);
  const reference::Lattice lattice{extents};
  WallProblem p{disorder < 0 ? reference::random_gauge(lattice, generator)
                             : reference::weak_gauge(lattice, generator, disorder),
                wall_parameters(wall, n_s),
                {},
                {}};
  p.ours.boundary = {-1, 1, 1, -1};
  p.theirs = reference_of(p.ours);
  for (int i = 0; i < batch; ++i) p.in.push_back(random_five(lattice, n_s, generator));
  return p;
}

// D, and its even-odd form by S1 D S2 = 1 + B: C = 1 - B_pq B_qp.
class SlowWall {
 public:
  explicit SlowWall(const WallProblem& p)
      : p_(p),
        s1_{reference::matrix_s1(p.theirs, 1), reference::matrix_s1(p.theirs, -1)},
        s2_{reference::matrix_s2(p.theirs, 1), reference::matrix_s2(p.theirs, -1)} {}

  reference::SpinorField full(const reference::SpinorField& in, bool dagger = false) const {
    return dagger ? reference::domain_wall_dagger(p_.theirs, p_.gauge, in)
                  : reference::domain_wall(p_.theirs, p_.gauge, in);
  }
  reference::SpinorField schur(const reference::SpinorField& in, int parity, bool dagger) const {
    auto out = only(in, parity);
    const auto there = only(scaled(out, dagger), 1 - parity);
    reference::add(out, -1, only(scaled(there, dagger), parity));
    return out;
  }
  // S2^-1 x
  reference::SpinorField unknown(const reference::SpinorField& x) const {
    return reference::times(s2_[0].inverse(), s2_[1].inverse(), x);
  }
  reference::SpinorField only(reference::SpinorField field, int parity) const {
    const int volume = p_.gauge.lattice.volume();
    for (std::size_t x = 0; x < field.size(); ++x)
      if (p_.gauge.lattice.parity(static_cast<int>(x) % volume) != parity) field[x] = {};
    return field;
  }

 private:
  reference::SpinorField scaled(const reference::SpinorField& in, bool dagger) const {
    if (!dagger) return reference::times(s1_[0], s1_[1], full(reference::times(s2_[0], s2_[1], in)));
    return reference::times(s2_[0].transposed(), s2_[1].transposed(),
                            full(reference::times(s1_[0].transposed(), s1_[1].transposed(), in), true));
  }
  const WallProblem& p_;
  std::array<reference::RealDense, 2> s1_, s2_;
};

inline WilsonHoppingPtr make_wall_hopping(const WallProblem& p, const ProcessGrid& grid,
                                          const GeometryPtr& geometry, const LinkStorage& storage,
                                          const Queue& queue, int rotated_parity = 1) {
  const Field gauge = to_plaq(p.gauge, geometry, Precision::double_precision, Location::host);
  return make_domain_wall_hopping(grid, gauge, p.ours, storage, queue,
                                  make_host_transport(grid, queue.location()), rotated_parity);
}
inline WilsonHoppingPtr make_wall_hopping(const WallProblem& p, const ProcessGrid& grid,
                                          const GeometryPtr& geometry, const LinkStorage& storage,
                                          Location location, int rotated_parity = 1) {
  return make_wall_hopping(p, grid, geometry, storage, Queue(location), rotated_parity);
}

// One fingerprint for each right-hand side, its slices together.
inline std::vector<std::uint64_t> wall_fingerprints(const Field& field, int n_s, const ProcessGrid& grid) {
  const auto subfields = fingerprints(field, grid);
  std::vector<std::uint64_t> all(subfields.size() / static_cast<std::size_t>(n_s), 0);
  for (std::size_t k = 0; k < subfields.size(); ++k)
    all[k / static_cast<std::size_t>(n_s)] =
        all[k / static_cast<std::size_t>(n_s)] * 0x9e3779b97f4a7c15u + subfields[k];
  return all;
}

}  // namespace plaq::test
