// Kernels for ascent of the functional F along directions, F = sum Re tr U^g
// (gaugefix/fourier/accelerated.hpp), at sites of both parities. g(x) -> exp(s(x)) g(x), s of the Lie
// algebra, changes F by
//   <r, s> + q(s, s) / 2 + ...,   <a, b> = -sum_x tr a(x) b(x),
//   r(x) = minus the traceless antihermitian part of M(x) = g(x) K(x) (gaugefix/sweep/trace_functional.hpp),
//   q(s, s) = sum_{x, mu} Re tr [s(x)^2 W + W s(x+mu)^2 - 2 s(x) W s(x+mu)],   W = U^g_mu(x).
#pragma once

#include "gaugefix/fourier/algebra_rows.hpp"
#include "gaugefix/sweep/gauge_hop.hpp"
#include "gaugefix/sweep/su3_view.hpp"
#include "kernels/site/su3_exp.hpp"
#include "kernels/site/unitarity.hpp"

namespace plaq {

// K of a site, for GaugeHop.
template <class Real>
class NeighborSum {
 public:
  PLAQ_HD void add(const Matrix3<Real>& v) { k_ = k_ + v; }
  PLAQ_HD const Matrix3<Real>& matrix() const { return k_; }

 private:
  Matrix3<Real> k_ = zero_matrix<Real>();
};

// The sites of problems: those of a gauge copy, or in Coulomb gauge of each of its time slices. A problem has
// `half` sites of each parity, one after the other (t is the slowest coordinate).
//   device  inner index = problem; 32 sites of one parity, then 32 of the other one, beside each other, since
//           rows (algebra_rows.hpp) have both; or those of `parity` alone
//   host    sites of `parity` in `slice`; inner index = copy
struct ProblemSites {
  int half = 0;
  int slices = 1;   // problems of a copy
  int slice = 0;    // on the host
  int parity = -1;  // -1: both

  struct Found {
    int parity, slice, copy;
  };
  // False where there is no such site.
  PLAQ_HD bool find(DeviceSite& site, int inner, Found& found) const {
    found.copy = inner / slices;
    found.slice = inner - found.copy * slices;
    found.parity = parity;
    if (parity < 0) {
      found.parity = (site.index >> 5) & 1;
      site.index = (site.index >> 6) * 32 + (site.index & 31);
      if (site.index >= half) return false;
    }
    site.index += found.slice * half;
    return true;
  }
#if !defined(__CUDACC__)
  template <int W>
  bool find(LaneSite<W>&, int inner, Found& found) const {
    found = {parity, slice, inner};
    return true;
  }
#endif
  PLAQ_HD int problem(const Found& found) const { return found.copy * slices + found.slice; }
#if defined(__CUDACC__)
  PLAQ_HD int place(int inner) const { return inner; }
#else
  int place(int inner) const { return inner * slices + slice; }
#endif
};

template <class Real>
PLAQ_HD Matrix3<Real> matrix_of(const Su3Algebra<Real>& x) {
  const Real zero = Real(0);
  const auto lower = [](const Complex<Real>& o) { return Complex<Real>{-o.re, o.im}; };
  return {{{{zero, x.d[0]}, x.o[0], x.o[1]},
           {lower(x.o[0]), {zero, x.d[1]}, x.o[2]},
           {lower(x.o[1]), lower(x.o[2]), {zero, -(x.d[0] + x.d[1])}}}};
}

// Writes r. Sums of a problem: 2 F, <r, r>, <r, d>.
template <class Gather>
struct SiteGradient {
  using Arch = typename Gather::Arch;
  using Real = typename Gather::Real;
  using RealDouble = typename Arch::RealDouble;
  using Site = typename Gather::Site;
  static constexpr int sums = 3;
  // 512 threads a multiprocessor where the numbers are of 4 bytes.
  static constexpr int block_size = 256, min_blocks = sizeof(typename Arch::Scalar) == 4 ? 2 : 1;

  Gather gather;
  ProblemSites sites;
  RowPlaces<typename Arch::Target, typename Arch::Scalar> places;
  ComplexPair* r = nullptr;
  const ComplexPair* d = nullptr;

  PLAQ_HD int place(int inner) const { return sites.place(inner); }
  PLAQ_HD void operator()(const Site& at, int inner, RealDouble (&value)[sums]) const {
    Site site = at;
    ProblemSites::Found found;
    if (!sites.find(site, inner, found)) return;
    Gather mine = gather;
    mine.parity = mine.hop.parity = found.parity;
    const auto k = mine.sum_at(site, found.copy);
    const auto m = mine.hop.g.load(2 * found.copy + found.parity, site) * k.matrix();
    const auto slope = scale(Real(-1), traceless_antihermitian(m));
    const auto here = places(found.parity, site);
    const auto along = places.load(d, found.copy, here);
    places.store(r, found.copy, here, slope);
    value[0] = to_double(trace(m).re);
    value[1] = to_double(scalar_product(slope, slope));
    value[2] = to_double(scalar_product(slope, along));
  }
};

// Sums of a problem: <r, z>, <before, z>, q(z, z), `before` being an earlier r.
template <class TargetT, class L, class T, bool Ghosts>
struct SiteCurvature {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using RealDouble = typename Arch::RealDouble;
  using Site = typename Arch::Site;
  using Lattice = LatticeView<TargetT, T>;
  using FaceAlgebra = SiteArray<TargetT, T, 8, float>;
  static constexpr int sums = 3;
  // 512 threads a multiprocessor where the numbers are of 4 bytes.
  static constexpr int block_size = 256, min_blocks = sizeof(typename Arch::Scalar) == 4 ? 2 : 1;

  Lattice lattice;
  Su3View<TargetT, T, T, sweep_reconstruction, L> links;  // subfield 2 mu + parity
  TransformationView<TargetT, T> g;                       // subfield 2 copy + parity
  // Ahead in mu: subfield copies * parity + copy, and 2 copy + parity; closed: no ghosts there.
  Su3View<TargetT, T, T, sweep_reconstruction, T> ghost_g[4];
  FaceAlgebra ghost_z[4];
  ProblemSites sites;
  RowPlaces<TargetT, T> places;
  const ComplexPair *r = nullptr, *before = nullptr, *z = nullptr;
  int directions = 4, copies = 1;

  PLAQ_HD int place(int inner) const { return sites.place(inner); }
  PLAQ_HD void operator()(const Site& at, int inner, RealDouble (&value)[sums]) const {
    Site site = at;
    ProblemSites::Found found;
    if (!sites.find(site, inner, found)) return;
    const auto point = lattice.point(found.parity, site);
    const auto here = places(found.parity, site);
    const auto along = places.load(z, found.copy, here);
    value[0] = to_double(scalar_product(along, places.load(r, found.copy, here)));
    value[1] = to_double(scalar_product(along, places.load(before, found.copy, here)));
    const auto mine = g.load(2 * found.copy + found.parity, site), along_matrix = matrix_of(along);
    Matrix3<Real> all = zero_matrix<Real>();
    Real mixed = Real(0);
    hop<0>(site, point, found, mine, along_matrix, all, mixed);
    hop<1>(site, point, found, mine, along_matrix, all, mixed);
    hop<2>(site, point, found, mine, along_matrix, all, mixed);
    if (directions == 4) hop<3>(site, point, found, mine, along_matrix, all, mixed);
    // s^dagger = -s: Re tr(s^2 W) = -Re tr(s W s^dagger).
    value[2] = to_double(mixed - real_trace_times_dagger(along_matrix * all, along_matrix));
  }

 private:
  // Adds W to `all`, and Re tr [W s'^2 - 2 s W s'] = Re tr [(2 W s') s^dagger - (W s') s'^dagger] to `mixed`.
  template <int Mu>
  PLAQ_HD void hop(const Site& site, const typename Lattice::Point& point, const ProblemSites::Found& found,
                   const Matrix3<Real>& mine, const Matrix3<Real>& along, Matrix3<Real>& all,
                   Real& mixed) const {
    const auto next = lattice.neighbor(point, Mu, true);
    const int theirs = 1 - found.parity, subfield = 2 * found.copy + theirs;
    const auto first = mine * links.load(2 * Mu + found.parity, site);
    Matrix3<Real> g_next;
    Su3Algebra<Real> z_next;
    const auto local_g = [&] { return g.load(subfield, next); };
    const auto local_z = [&] { return places.load(z, found.copy, places(theirs, next)); };
    if (Ghosts && ghost_g[Mu] && any(next.edge)) {
      const auto face = lattice.face_index(point, Mu);
      Real q[8];
      ghost_z[Mu].load(subfield, face, q);
      choose(next.edge, ghost_g[Mu].load(copies * theirs + found.copy, face),
             {{q[0], q[1]}, {{q[2], q[3]}, {q[4], q[5]}, {q[6], q[7]}}}, local_g, local_z, g_next, z_next);
    } else {
      g_next = local_g();
      z_next = local_z();
    }
    const auto w = times_dagger(first, g_next);
    all = all + w;
    const auto s = matrix_of(z_next), turned = w * s;
    mixed = mixed + fma(Real(2), real_trace_times_dagger(turned, along), -real_trace_times_dagger(turned, s));
  }
  template <class LocalG, class LocalZ>
  static PLAQ_HD void choose(bool, const Matrix3<Real>& ghost_g, const Su3Algebra<Real>& ghost_z, LocalG&&,
                             LocalZ&&, Matrix3<Real>& g, Su3Algebra<Real>& z) {
    g = ghost_g;
    z = ghost_z;
  }
#if !defined(__CUDACC__)
  template <class LocalG, class LocalZ>
  static PLAQ_HD void choose(LaneMask edge, const Matrix3<Real>& ghost_g, const Su3Algebra<Real>& ghost_z,
                             LocalG&& local_g, LocalZ&& local_z, Matrix3<Real>& g, Su3Algebra<Real>& z) {
    g = local_g();
    z = local_z();
    const auto pick = [&](const Real& ghost, Real& mine) { mine = select(edge, ghost, mine); };
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        pick(ghost_g.e[i][j].re, g.e[i][j].re);
        pick(ghost_g.e[i][j].im, g.e[i][j].im);
      }
    for (int k = 0; k < 2; ++k) pick(ghost_z.d[k], z.d[k]);
    for (int k = 0; k < 3; ++k) {
      pick(ghost_z.o[k].re, z.o[k].re);
      pick(ghost_z.o[k].im, z.o[k].im);
    }
  }
#endif
};

struct StepWeights {
  float of_z, of_d;
};

// d becomes s = of_z z + of_d d, g becomes exp(s) g, put back on SU(3), with the weights of the problem;
// nothing where both are 0.
template <class TargetT, class T>
struct SiteStep {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using Site = typename Arch::Site;
  static constexpr int block_size = 128;

  TransformationView<TargetT, T> g;
  ProblemSites sites;
  RowPlaces<TargetT, T> places;
  const ComplexPair* z = nullptr;
  ComplexPair* d = nullptr;
  const StepWeights* weights = nullptr;  // of each problem

  PLAQ_HD void operator()(const Site& at, int inner) const {
    Site site = at;
    ProblemSites::Found found;
    if (!sites.find(site, inner, found)) return;
    const StepWeights w = weights[sites.problem(found)];
    if (w.of_z == 0 && w.of_d == 0) return;
    using Scalar = typename Arch::Scalar;
    const auto here = places(found.parity, site);
    // A direction of which nothing is taken may be of no meaning.
    auto s = scale(Real(static_cast<Scalar>(w.of_z)), places.load(z, found.copy, here));
    if (w.of_d != 0) s = fma(Real(static_cast<Scalar>(w.of_d)), places.load(d, found.copy, here), s);
    places.store(d, found.copy, here, s);
    const int subfield = 2 * found.copy + found.parity;
    auto turned = exp(s) * g.load_mutable(subfield, site);
    project_to_su3(turned);
    g.store(subfield, site, turned);
  }
};

// For the neighbours behind us: z on our first slices, on both parities.
template <class TargetT, class T>
struct AlgebraFacePack {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using Site = typename Arch::Site;
  using FaceAlgebra = SiteArray<TargetT, T, 8, float>;

  LatticeView<TargetT, T> lattice;
  RowPlaces<TargetT, T> places;
  const ComplexPair* z = nullptr;
  FaceAlgebra send[4];  // subfield 2 copy + parity

  // `site` counts the sites of one face; inner = mu + 4 (2 copy + parity).
  PLAQ_HD void operator()(const Site& site, int inner) const {
    const int subfield = inner / 4;
    switch (inner % 4) {
      case 0:
        return pack<0>(site, subfield);
      case 1:
        return pack<1>(site, subfield);
      case 2:
        return pack<2>(site, subfield);
      default:
        return pack<3>(site, subfield);
    }
  }

 private:
  template <int Mu>
  PLAQ_HD void pack(const Site& site, int subfield) const {
    if (!send[Mu]) return;
    const auto at = lattice.face_sites(subfield % 2, Mu, 0, site);
    if (!any(mask_of(at))) return;
    const auto x = places.load(z, subfield / 2, places(subfield % 2, at));
    const Real q[8] = {x.d[0], x.d[1], x.o[0].re, x.o[0].im, x.o[1].re, x.o[1].im, x.o[2].re, x.o[2].im};
    send[Mu].store(subfield, trimmed(site, at), q);
  }
  static PLAQ_HD bool mask_of(const DeviceSite& s) { return s.index >= 0; }
  static PLAQ_HD Site trimmed(const Site& site, const DeviceSite&) { return site; }
#if !defined(__CUDACC__)
  static LaneMask mask_of(const LaneList<Arch::width>& s) { return s.mask; }
  static Site trimmed(const Site& site, const LaneList<Arch::width>& at) { return {site.index, at.mask}; }
#endif
};

}  // namespace plaq
