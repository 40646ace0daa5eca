#include "tests/comms/halo/nearest_neighbor.hpp"

#include "core/field/field_views.hpp"
#include "core/lattice/lattice_view.hpp"
#include "core/launch/launch.hpp"

namespace plaq::test {
namespace {

template <class TargetT, class T>
struct NearestNeighbor {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using Array = SiteArray<TargetT, T, 2>;

  LatticeView<TargetT, T, GeneralShape> lattice;
  Array in, here, out;  // of the neighbours' parity, and twice of this one
  Array ghost[8];       // by directed hop
  T a, re[8], im[8];
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int rhs) const {
    const auto point = lattice.point(parity, site);
    Real sum[2];
    here.load(rhs, site, sum);
    sum[0] = Real(a) * sum[0];
    sum[1] = Real(a) * sum[1];
    for (int d = 0; d < 8; ++d) {
      const int mu = d / 2;
      const auto next = lattice.neighbor(point, mu, d % 2 == 0);
      Real v[2];
      in.load(rhs, next, v);
      if (ghost[d] && any(next.edge)) {
        Real g[2];
        ghost[d].load(rhs, lattice.face_index(point, mu), g);
        v[0] = select(next.edge, g[0], v[0]);
        v[1] = select(next.edge, g[1], v[1]);
      }
      sum[0] = sum[0] + (Real(re[d]) * v[0] - Real(im[d]) * v[1]);
      sum[1] = sum[1] + (Real(re[d]) * v[1] + Real(im[d]) * v[0]);
    }
    out.store(rhs, site, sum);
  }
};

template <class TargetT, class T>
struct Norm {
  using Arch = plaq::Arch<TargetT, T>;
  static constexpr int sums = 1;
  SiteArray<TargetT, T, 2> x;

  PLAQ_HD void operator()(const typename Arch::Site& site, int rhs,
                          typename Arch::RealDouble (&values)[1]) const {
    typename Arch::Real v[2];
    x.load(rhs, site, v);
    const typename Arch::RealDouble re = to_double(v[0]), im = to_double(v[1]);
    values[0] = re * re + im * im;
  }
};

}  // namespace

template <class Target, class T>
void launch_nearest_neighbor(const Halo& halo, const Field& out, const Field& in, int parity, Region region,
                             const Queue& queue) {
  using Array = SiteArray<Target, T, 2>;
  for (const Field* field : {&out, &in}) expect(*field, location_of<Target>, precision_of<T>, 1, 1);
  const Geometry& g = in.geometry();
  NearestNeighbor<Target, T> hop;
  hop.lattice = LatticeView<Target, T, GeneralShape>(g);
  hop.in = Array(in.data(0, g.general_shape().neighbor_parity(parity)), in.subfield_stride());
  hop.here = Array(in.data(0, parity), in.subfield_stride());
  hop.out = Array(out.data(0, parity), out.subfield_stride());
  for (std::size_t d = 0; d < 8; ++d) {
    const int hop_of = static_cast<int>(d);
    if (halo.receive(hop_of) != nullptr)
      hop.ghost[d] = Array(halo.receive(hop_of), halo.face_layout(hop_of).size());
    hop.re[d] = static_cast<T>(toy_weights[d].re);
    hop.im[d] = static_cast<T>(toy_weights[d].im);
  }
  hop.a = static_cast<T>(toy_mass);
  hop.parity = parity;
  for_each(make_domain(g, region, parity, in.location(), in.subfields()), queue, hop);
}

template <class Target, class T>
void launch_norm(const Field& x, int parity, SumBuffer& sums, const Queue& queue) {
  const Norm<Target, T> norm{{x.data(0, parity), x.subfield_stride()}};
  reduce(make_domain(x.geometry(), Region::all, parity, x.location(), x.subfields()), queue, norm, sums);
}

template void launch_nearest_neighbor<BuildTarget, float>(const Halo&, const Field&, const Field&, int,
                                                          Region, const Queue&);
template void launch_nearest_neighbor<BuildTarget, double>(const Halo&, const Field&, const Field&, int,
                                                           Region, const Queue&);
template void launch_norm<BuildTarget, float>(const Field&, int, SumBuffer&, const Queue&);
template void launch_norm<BuildTarget, double>(const Field&, int, SumBuffer&, const Queue&);

}  // namespace plaq::test
