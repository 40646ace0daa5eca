// Wilson and clover operators in every storage: problems, the slow reference of full operator and Schur
// complements, and how far off each storage may be.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "kernels/dirac/wilson/wilson_schur.hpp"
#include "tests/reference/clover.hpp"
#include "tests/support/convert.hpp"
#include "tests/support/grids.hpp"

namespace plaq::test {

using Batch = std::vector<reference::SpinorField>;

// Largest and root mean square deviation, both over the largest component of what is expected, of one
// application to random links and spinors.
struct StorageBound {
  Precision precision;
  int reals;
  double most, mean;
  LinkStorage storage() const { return {precision, reals}; }
  int index() const;  // in storage_bounds
  std::string name() const { return std::string(plaq::name_of(precision)) + " " + std::to_string(reals); }
};
inline constexpr StorageBound storage_bounds[] = {
    {Precision::double_precision, 18, 1e-15, 1e-16}, {Precision::double_precision, 12, 1e-15, 1e-16},
    {Precision::double_precision, 8, 4e-15, 4e-16},  {Precision::single_precision, 18, 4e-7, 4e-8},
    {Precision::single_precision, 12, 4e-7, 4e-8},   {Precision::single_precision, 8, 6e-7, 6e-8},
    {Precision::half_precision, 18, 8e-5, 1.6e-5},   {Precision::half_precision, 12, 8e-5, 1.6e-5},
    {Precision::half_precision, 8, 3e-4, 2e-5},
};

inline int StorageBound::index() const { return static_cast<int>(this - storage_bounds); }

enum class Clover { none, isotropic, anisotropic };
inline std::string name_of(Clover c) {
  return c == Clover::none ? "plain" : c == Clover::isotropic ? "isotropic" : "anisotropic";
}

enum class Gauge { random, temporal };

struct WilsonProblem {
  reference::GaugeField gauge;
  Batch in;
  WilsonParameters ours;
  reference::CloverParameters theirs;
};
inline WilsonProblem make_problem(const Extents& extents, Clover clover, int batch,
                                  Gauge gauge = Gauge::random) {
  reference::Generator generator(41);
  const reference::Lattice lattice{extents};
  WilsonProblem p{reference::random_gauge(lattice, generator), {}, {}, {}};
  if (gauge == Gauge::temporal) p.gauge = reference::temporal_gauge(p.gauge);
  for (int i = 0; i < batch; ++i) p.in.push_back(reference::random_spinor(lattice, generator));
  p.ours.mass = 0.83;
  p.ours.xi = 2.464;
  p.ours.nu = 0.95;
  p.ours.boundary = {-1, 1, -1, -1};
  if (clover == Clover::isotropic) p.ours.clover = CloverCoefficients::isotropic(1.2);
  if (clover == Clover::anisotropic) p.ours.clover = {0.91 / 2.464, 1.07};
  p.theirs = {
      {p.ours.mass, p.ours.xi, p.ours.nu, p.ours.boundary}, p.ours.clover.spatial, p.ours.clover.temporal};
  return p;
}

// M = C - hop/2 block by block, from whole-lattice formulas.
class SlowOperator {
 public:
  explicit SlowOperator(const WilsonProblem& p)
      : p_(p), clover_(reference::clover_matrices(p.theirs, p.gauge)), c_(clover_) {
    for (auto& m : c_) {
      m = m + reference::Complex(p.ours.diagonal()) * reference::Matrix12::unit();
      inverse_.push_back(reference::invert(m).inverse);
    }
  }
  reference::SpinorField full(const reference::SpinorField& in, bool dagger) const {
    return dagger ? reference::clover_dirac_dagger(p_.theirs, p_.gauge, clover_, in)
                  : reference::clover_dirac_apply(p_.theirs, p_.gauge, clover_, in);
  }
  // Of `in`, the sites of `parity` count.
  reference::SpinorField schur(const reference::SpinorField& in, int parity, WilsonSchur::Form form,
                               bool dagger) const {
    const bool symmetric = form == WilsonSchur::Form::symmetric;
    const auto here = only(in, parity);
    // S^dagger of the symmetric form ends where S begins.
    auto x = symmetric && dagger ? reference::times(inverse_, here) : here;
    x = reference::times(inverse_, only(hop(x, dagger), 1 - parity));
    x = only(hop(x, dagger), parity);
    if (symmetric && !dagger) x = reference::times(inverse_, x);
    auto out = symmetric ? here : reference::times(c_, here);
    reference::add(out, -0.25, x);
    return out;
  }

 private:
  reference::SpinorField hop(const reference::SpinorField& in, bool dagger) const {
    return dagger ? reference::hop_dagger(p_.theirs.wilson, p_.gauge, in)
                  : reference::hop(p_.theirs.wilson, p_.gauge, in);
  }
  reference::SpinorField only(reference::SpinorField field, int parity) const {
    for (int x = 0; x < p_.gauge.lattice.volume(); ++x)
      if (p_.gauge.lattice.parity(x) != parity) field[static_cast<std::size_t>(x)] = {};
    return field;
  }

  const WilsonProblem& p_;
  reference::CloverMatrices clover_, c_, inverse_;
};

// Over this rank's sites that the field holds.
struct Deviation {
  double most = 0, mean = 0;
};
inline Deviation deviation(const Field& field, const Batch& expected) {
  const Field host = on_host(field);
  double most = 0, squares = 0, largest = 0;
  std::int64_t count = 0;
  for_stored_sites(host.geometry(), [&](int parity, int s, int site) {
    if (!host.holds(parity)) return;
    for (int subfield = 0; subfield < host.subfields(); ++subfield)
      for (int r = 0; r < 24; ++r) {
        const auto z = component(expected[static_cast<std::size_t>(subfield)], site, r / 6, r / 2 % 3);
        const double want = r % 2 == 0 ? z.real() : z.imag();
        const double off = std::abs(get_real(host, subfield, parity, s, r) - want);
        most = off <= most ? most : off;
        largest = std::max(largest, std::abs(want));
        squares += off * off;
        ++count;
      }
  });
  return {most / largest, std::sqrt(squares / static_cast<double>(count)) / largest};
}

// Every right-hand side has a fingerprint of its own.
inline std::vector<std::uint64_t> fingerprints(const Field& field, const ProcessGrid& grid) {
  FieldSpec spec = field.spec();
  spec.subfields = 1;
  Field one(field.geometry_ptr(), spec);
  std::vector<std::uint64_t> all;
  for (int subfield = 0; subfield < field.subfields(); ++subfield) {
    copy_subfield(one, 0, field, subfield);
    all.push_back(fingerprint(one, grid));
  }
  return all;
}

inline WilsonHoppingPtr make_hopping(const WilsonProblem& p, const ProcessGrid& grid, const Field& gauge,
                                     const LinkStorage& storage, Location location, int rotated_parity = 1) {
  return std::make_shared<WilsonHopping>(grid, gauge, p.ours, storage, Queue(location),
                                         make_host_transport(grid, location), rotated_parity);
}

}  // namespace plaq::test
