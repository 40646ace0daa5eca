#include "core/launch/launch.hpp"
#include "kernels/gauge/gauge_lattice.hpp"
#include "kernels/gauge/gauge_launch.hpp"
#include "kernels/site/plaquette.hpp"
#include "kernels/site/polyakov_line.hpp"
#include "kernels/site/unitarity.hpp"

namespace plaq {
namespace {

template <class Target>
Domain owned(const Field& gauge, int parity, int inner = 1) {
  return make_domain(gauge.geometry(), Region::all, parity, location_of<Target>, inner);
}

}  // namespace

template <class Target, class T>
void launch_plaquette(const Field& gauge, const Queue& queue, SumBuffer& sums) {
  reduce(owned_links<Target>(gauge, 2), queue, PlaquetteSum<Target, T>{gauge_lattice<Target, T>(gauge)},
         sums);
}

template <class Target, class T>
void launch_link_trace(const Field& gauge, const Queue& queue, SumBuffer& sums) {
  for (int parity = 0; parity < 2; ++parity)
    reduce(owned<Target>(gauge, parity), queue, LinkTraceSum<Target, T>{gauge_view<Target, T>(gauge), parity},
           sums);
}

template <class Target, class T>
std::array<double, 2> launch_unitarity_violation(const Field& gauge, const Queue& queue) {
  std::array<double, 2> largest{};
  for (int parity = 0; parity < 2; ++parity) {
    const auto found = reduce_max(owned<Target>(gauge, parity, 4), queue,
                                  UnitarityViolation<Target, T>{gauge_view<Target, T>(gauge), parity});
    for (std::size_t k = 0; k < 2; ++k)
      if (!(found[k] <= largest[k]) && largest[k] == largest[k]) largest[k] = found[k];  // a NaN stays
  }
  return largest;
}

template <class Target, class T>
void launch_polyakov_lines(const Field& gauge, void* const before[2], void* const after[2],
                           const Queue& queue, SumBuffer& sums) {
  using Lines = SiteArray<Target, T, 18>;
  for (int parity = 0; parity < 2; ++parity) {
    const PolyakovLine<Target, T> line{gauge_lattice<Target, T>(gauge), Lines(before[parity], 0),
                                       Lines(after[parity], 0), parity, gauge.geometry().local()[3]};
    reduce(first_slice(gauge.geometry(), parity, location_of<Target>), queue, line, sums);
  }
}

template void launch_plaquette<BuildTarget, float>(const Field&, const Queue&, SumBuffer&);
template void launch_plaquette<BuildTarget, double>(const Field&, const Queue&, SumBuffer&);
template void launch_link_trace<BuildTarget, float>(const Field&, const Queue&, SumBuffer&);
template void launch_link_trace<BuildTarget, double>(const Field&, const Queue&, SumBuffer&);
template std::array<double, 2> launch_unitarity_violation<BuildTarget, float>(const Field&, const Queue&);
template std::array<double, 2> launch_unitarity_violation<BuildTarget, double>(const Field&, const Queue&);
template void launch_polyakov_lines<BuildTarget, float>(const Field&, void* const[2], void* const[2],
                                                        const Queue&, SumBuffer&);
template void launch_polyakov_lines<BuildTarget, double>(const Field&, void* const[2], void* const[2],
                                                         const Queue&, SumBuffer&);

}  // namespace plaq
