// The steps of which Wilson loops are made (kernels/gauge/wilson_loops.hpp), at one site. In double.
//
// Two matrices travel with the end of a path from x to x + r: subfield 0, the product L of the links along
// it, and subfield 1, V(x) = U_t(x + r).
#pragma once

#include "kernels/site/staple.hpp"

namespace plaq {

// The path without a step: L = 1, V = U_t. At all stored sites.
template <class TargetT>
struct LoopStart {
  using Arch = plaq::Arch<TargetT, double>;

  GaugeView<TargetT, double> links, ends;
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int) const {
    ends.store(0, parity, site, unit_matrix<typename Arch::Real>());
    ends.store(1, parity, site, links.load(3, parity, site));
  }
};

// One hop more, at the beginning of the path, in mu in space: L'(x) = U_mu(x) L(x+mu), or U_mu(x-mu)^dagger
// L(x-mu), and V'(x) = V(x +- mu). Inner index of the launch: subfield.
template <class TargetT>
struct LoopHop {
  using Arch = plaq::Arch<TargetT, double>;
  static constexpr int block_size = 128;

  GaugeLattice<TargetT, double> gauge;
  GaugeView<TargetT, double> ends, moved;
  int mu;
  bool forward;
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int subfield) const {
    using Lattice = LatticeView<TargetT, double>;
    const auto x = gauge.lattice.point(parity, site);
    const auto y = gauge.lattice.step(x, mu, forward);
    auto matrix = ends.load(subfield, y.parity, Lattice::index(y));
    if (subfield == 0)
      matrix = forward ? gauge.link(mu, x) * matrix : dagger_times(gauge.link(mu, y), matrix);
    moved.store(subfield, parity, site, matrix);
  }
};

// One slice more in time: F'(x) = U_t(x) F(x+t) V(x)^dagger. Sum: Re tr L(x) F'(x)^dagger.
template <class TargetT>
struct LoopRise {
  using Arch = plaq::Arch<TargetT, double>;
  static constexpr int sums = 1;
  static constexpr int block_size = 128;

  GaugeLattice<TargetT, double> gauge;
  GaugeView<TargetT, double> ends;      // L and V
  GaugeView<TargetT, double> from, to;  // F and F', in these subfields; may be one field
  int from_subfield, to_subfield;
  bool keep;  // F' is stored
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int,
                          typename Arch::RealDouble (&sum)[sums]) const {
    using Lattice = LatticeView<TargetT, double>;
    const auto x = gauge.lattice.point(parity, site);
    const auto above = gauge.lattice.step(x, 3, true);
    const auto risen =
        times_dagger(gauge.link(3, x) * from.load(from_subfield, above.parity, Lattice::index(above)),
                     ends.load(1, parity, site));
    sum[0] = to_double(real_trace_times_dagger(ends.load(0, parity, site), risen));
    if (keep) to.store(to_subfield, parity, site, risen);
  }
};

}  // namespace plaq
