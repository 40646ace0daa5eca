#include "core/field/field_launch.hpp"
#include "core/field/field_views.hpp"

#include "core/lattice/lattice_view.hpp"
#include "core/launch/launch.hpp"

namespace plaq {
namespace {

// Site = number on the face, inner = plane, those of one side after those of the other.
template <class TargetT, class T, int N>
struct HaloPlanesCopy {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;

  LatticeView<TargetT, T> lattice;
  SiteArray<TargetT, T, N> field;       // subfields: subfield * 2 + parity
  SiteArray<TargetT, T, N> buffers[2];  // subfields: planes
  HaloPlanes planes;
  bool to_buffers;

  PLAQ_HD void operator()(const typename Arch::Site& face, int plane_of_both) const {
    const int count = planes.count(), side = plane_of_both >= count ? 1 : 0;
    const int plane = plane_of_both - side * count;
    const int parity = planes.parities[static_cast<unsigned>(plane % planes.parity_count)];
    const int rest = plane / planes.parity_count;
    const int subfield = planes.subfields[static_cast<unsigned>(rest % planes.subfield_count)];
    const int slice = planes.first[static_cast<unsigned>(side)] + rest / planes.subfield_count;
    const auto at = lattice.face_sites(parity, planes.mu, slice, face);
    Real value[N];
    if (to_buffers) {
      field.load(2 * subfield + parity, at, value);
      buffers[side].store(plane, face, value);
    } else {
      buffers[side].load(plane, face, value);
      field.store(2 * subfield + parity, at, value);
    }
  }
};

// Sites of `Rows` times `Columns` complex numbers.
template <class Target, class T, int Rows, int Columns = 3>
void launch_planes_copy(const Field& field, const HaloPlanes& planes, const std::array<void*, 2>& buffers,
                        bool to_buffers, const Queue& queue) {
  constexpr int reals = 2 * Rows * Columns;
  expect(field, location_of<Target>, precision_of<T>, Rows, Columns);
  const int sites = field.geometry().shape().face_sites(planes.mu);
  const Layout layout(location_of<Target>, reals, sites, sizeof(T));
  using Array = SiteArray<Target, T, reals>;
  const HaloPlanesCopy<Target, T, reals> kernel{
      LatticeView<Target, T>(field.geometry()),
      Array(field.data(0, 0), field.layout().size()),
      {Array(buffers[0], layout.size()), Array(buffers[1], layout.size())},
      planes,
      to_buffers};
  for_each(index_domain(sites, 2 * planes.count()), queue, kernel);
}

}  // namespace

// Planes hold color vectors, two of them, matrices, spinors, or elements of the Lie algebra.
template <class Target, class T>
void launch_copy_halo_planes(const Field& field, const HaloPlanes& planes,
                             const std::array<void*, 2>& buffers, bool to_buffers, const Queue& queue) {
  if (field.spec().colors == 1)
    return launch_planes_copy<Target, T, 4, 1>(field, planes, buffers, to_buffers, queue);
  switch (field.spec().spins) {
    case 1:
      return launch_planes_copy<Target, T, 1>(field, planes, buffers, to_buffers, queue);
    case 2:
      return launch_planes_copy<Target, T, 2>(field, planes, buffers, to_buffers, queue);
    case 4:
      return launch_planes_copy<Target, T, 4>(field, planes, buffers, to_buffers, queue);
    default:
      return launch_planes_copy<Target, T, 3>(field, planes, buffers, to_buffers, queue);
  }
}

template void launch_copy_halo_planes<BuildTarget, float>(const Field&, const HaloPlanes&,
                                                          const std::array<void*, 2>&, bool, const Queue&);
template void launch_copy_halo_planes<BuildTarget, double>(const Field&, const HaloPlanes&,
                                                           const std::array<void*, 2>&, bool, const Queue&);

}  // namespace plaq
