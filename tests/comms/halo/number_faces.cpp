#include "tests/comms/halo/number_faces.hpp"

#include "core/field/field_views.hpp"
#include "core/lattice/lattice_view.hpp"
#include "core/launch/launch.hpp"

namespace plaq::test {
namespace {

template <class TargetT, class T, class Shape>
struct PackNumbers {
  using Arch = plaq::Arch<TargetT, T>;
  using Site = typename Arch::Site;

  LatticeView<TargetT, T, Shape> lattice;
  SiteArray<TargetT, T, 2> numbers;
  SiteArray<TargetT, T, 2> send[8];  // by the receiver's directed hop
  int parity, batch;

  PLAQ_HD void operator()(const Site& face, int inner) const {
    const int rhs = inner % batch, d = inner / batch, mu = d / 2;
    if (!send[d]) return;
    // The receiver's forward hop finds our first slice, its backward hop our last.
    const int slice = d % 2 == 0 ? 0 : lattice.shape().extent[mu] - 1;
    const auto at = lattice.face_sites(parity, mu, slice, face);
    if (none(at)) return;
    typename Arch::Real value[2];
    numbers.load(rhs, at, value);
    send[d].store(rhs, trimmed(face, at), value);
  }

 private:
  static PLAQ_HD bool none(const DeviceSite& at) { return at.index < 0; }
  static PLAQ_HD Site trimmed(const Site& face, const DeviceSite&) { return face; }
#if !defined(__CUDACC__)
  static bool none(const LaneList<Arch::width>& at) { return at.mask == 0; }
  static Site trimmed(const Site& face, const LaneList<Arch::width>& at) { return {face.index, at.mask}; }
#endif
};

}  // namespace

template <class Target, class T, class Shape>
void launch_pack_numbers(const Halo& halo, const Field& numbers, int parity, const Queue& queue) {
  using Array = SiteArray<Target, T, 2>;
  expect(numbers, location_of<Target>, precision_of<T>, 1, 1);
  PackNumbers<Target, T, Shape> pack;
  pack.lattice = LatticeView<Target, T, Shape>(numbers.geometry());
  pack.numbers = Array(numbers.data(0, parity), numbers.subfield_stride());
  for (int d = 0; d < 8; ++d)
    if (halo.send(d) != nullptr) pack.send[d] = Array(halo.send(d), halo.face_layout(d).size());
  pack.parity = parity;
  pack.batch = numbers.subfields();
  for_each(index_domain(halo.largest_face(), 8 * pack.batch), queue, pack);
}

template void launch_pack_numbers<BuildTarget, float, LatticeShape>(const Halo&, const Field&, int,
                                                                    const Queue&);
template void launch_pack_numbers<BuildTarget, double, LatticeShape>(const Halo&, const Field&, int,
                                                                     const Queue&);
template void launch_pack_numbers<BuildTarget, float, GeneralShape>(const Halo&, const Field&, int,
                                                                    const Queue&);
template void launch_pack_numbers<BuildTarget, double, GeneralShape>(const Halo&, const Field&, int,
                                                                     const Queue&);

}  // namespace plaq::test
