#include "core/field/field_views.hpp"
#include "core/launch/launch.hpp"
#include "kernels/quark/contraction_launch.hpp"
#include "kernels/site/proton_density.hpp"
#include "kernels/site/sequential_source.hpp"
#include "kernels/site/staggered_baryon_density.hpp"
#include "kernels/site/staggered_density.hpp"

namespace plaq {
namespace {

template <class Target>
SiteArray<Target, double, 2> density_array(const Field& density, int parity) {
  expect(density, location_of<Target>, Precision::double_precision, 1, 1);
  return SiteArray<Target, double, 2>(density.data(0, parity), density.subfield_stride());
}

template <class Target>
Domain all_sites(const Field& density, int parity) {
  return make_domain(density.geometry(), Region::all, parity, location_of<Target>);
}

SitePhases site_phases(const Geometry& geometry, int parity, const PhaseTable& table,
                       const std::array<int, 4>& source) {
  return {geometry.shape(), table, {source[0], source[1], source[2]}, parity};
}

// Sums of N channels at a time, a divisor of their number.
template <class Target, int N>
void sums_of_groups(const Field& density, const PhaseTable& table, int momenta,
                    const std::array<int, 4>& source, SumBuffer& sums, const Queue& queue) {
  const Geometry& geometry = density.geometry();
  const int groups = density.subfields() / N, inner = groups * momenta;
  // t is the slowest coordinate: a slice is a run of checkerboard indices.
  const Domain slices = index_domain(density.layout().sites, inner, geometry.local()[3]);
  for (int parity = 0; parity < 2; ++parity)
    reduce(slices, queue,
           MomentumSum<Target, N>{density_array<Target>(density, parity),
                                  site_phases(geometry, parity, table, source), groups},
           sums, 2 * N * inner * geometry.offset()[3]);
}

}  // namespace

template <class Target>
void launch_meson_density(const MesonCall& call, const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity) {
    MesonDensity<Target> kernel;
    kernel.first = spinor_view<Target, double>(*call.first, parity);
    kernel.second = spinor_view<Target, double>(*call.second, parity);
    kernel.density = density_array<Target>(*call.density, parity);
    kernel.terms = call.terms;
    for (int i = 0; i < 5; ++i) kernel.begin[i] = call.begin[i];
    kernel.channels = call.density->subfields();
    for_each(all_sites<Target>(*call.density, parity), queue, kernel);
  }
}

template <class Target>
void launch_proton_density(const Field& up, const Field& down, Field& density, const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity)
    for_each(all_sites<Target>(density, parity), queue,
             ProtonDensity<Target>{spinor_view<Target, double>(up, parity),
                                   spinor_view<Target, double>(down, parity),
                                   density_array<Target>(density, parity)});
}

template <class Target>
void launch_baryon_density(const BaryonCall& call, const Queue& queue) {
  const auto [first, second, third] = call.quarks;
  for (int parity = 0; parity < 2; ++parity)
    for_each(all_sites<Target>(*call.density, parity), queue,
             BaryonDensity<Target>{
                 spinor_view<Target, double>(*first, parity), spinor_view<Target, double>(*second, parity),
                 spinor_view<Target, double>(*third, parity), density_array<Target>(*call.density, parity),
                 call.spins, call.density->subfields() > 2, call.overwrite});
}

template <class Target>
void launch_pion_sequential(const Field& quark, Field& out, int sink_slice, const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity)
    for_each(make_domain(out.geometry(), Region::all, parity, location_of<Target>, 12), queue,
             PionSequentialSource<Target>{spinor_view<Target, double>(quark, parity),
                                          spinor_view<Target, double>(out, parity),
                                          {out.geometry().shape(), parity, sink_slice}});
}

template <class Target>
void launch_nucleon_sequential(const NucleonSequentialCall& call, const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity) {
    NucleonSequentialSource<Target> kernel;
    kernel.up = spinor_view<Target, double>(*call.up, parity);
    kernel.down = spinor_view<Target, double>(*call.down, parity);
    kernel.out = spinor_view<Target, double>(*call.out, parity);
    kernel.slice = {call.out->geometry().shape(), parity, call.sink_slice};
    for (int i = 0; i < 4; ++i) {
      kernel.sink[i] = call.sink[i];
      kernel.source[i] = call.source[i];
      for (int j = 0; j < 4; ++j) kernel.projector[i][j] = call.projector[i][j];
    }
    kernel.sink_flip = call.sink_flip;
    kernel.source_flip = call.source_flip;
    kernel.of_down = call.of_down;
    for_each(make_domain(call.out->geometry(), Region::all, parity, location_of<Target>, 12), queue, kernel);
  }
}

template <class Target>
void launch_staggered_density(const Field& first, const Field& second, Field& density, const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity)
    for_each(all_sites<Target>(density, parity), queue,
             StaggeredDensity<Target>{staggered_view<Target, double>(first, parity),
                                      staggered_view<Target, double>(second, parity),
                                      density_array<Target>(density, parity)});
}

template <class Target>
void launch_staggered_baryon_density(const StaggeredBaryonCall& call, Field& density, const Queue& queue) {
  const auto& [first, second, third, source] = call;
  for (int parity = 0; parity < 2; ++parity) {
    const auto view = [&](const Field* quark) { return staggered_view<Target, double>(*quark, parity); };
    const auto out = density_array<Target>(density, parity);
    const BaryonCorners<Target> corners{density.geometry().shape(),
                                        {source[0] & 1, source[1] & 1, source[2] & 1},
                                        (source[0] + source[1] + source[2]) & 1,
                                        source[3],
                                        parity};
    if (first == second && second == third)
      for_each(all_sites<Target>(density, parity), queue,
               StaggeredBaryonDensity<Target>{view(first), out, corners});
    else
      for_each(all_sites<Target>(density, parity), queue,
               StaggeredBaryonsDensity<Target>{view(first), view(second), view(third), out, corners});
  }
}

template <class Target>
void launch_momentum_sums(const Field& density, const PhaseTable& table, int momenta,
                          const std::array<int, 4>& source, SumBuffer& sums, const Queue& queue) {
  const int channels = density.subfields();
  if (channels % 4 == 0) {
    sums_of_groups<Target, 4>(density, table, momenta, source, sums, queue);
  } else if (channels % 3 == 0) {
    sums_of_groups<Target, 3>(density, table, momenta, source, sums, queue);
  } else if (channels % 2 == 0) {
    sums_of_groups<Target, 2>(density, table, momenta, source, sums, queue);
  } else {
    sums_of_groups<Target, 1>(density, table, momenta, source, sums, queue);
  }
}

template <class Target>
void launch_times_phases(Field& field, const PhaseTable& table, const std::array<int, 4>& source,
                         const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity)
    for_each(make_domain(field.geometry(), Region::all, parity, location_of<Target>, field.subfields()),
             queue,
             TimesPhases<Target>{spinor_view<Target, double>(field, parity),
                                 site_phases(field.geometry(), parity, table, source)});
}

template void launch_meson_density<BuildTarget>(const MesonCall&, const Queue&);
template void launch_proton_density<BuildTarget>(const Field&, const Field&, Field&, const Queue&);
template void launch_baryon_density<BuildTarget>(const BaryonCall&, const Queue&);
template void launch_pion_sequential<BuildTarget>(const Field&, Field&, int, const Queue&);
template void launch_nucleon_sequential<BuildTarget>(const NucleonSequentialCall&, const Queue&);
template void launch_staggered_density<BuildTarget>(const Field&, const Field&, Field&, const Queue&);
template void launch_staggered_baryon_density<BuildTarget>(const StaggeredBaryonCall&, Field&, const Queue&);
template void launch_momentum_sums<BuildTarget>(const Field&, const PhaseTable&, int,
                                                const std::array<int, 4>&, SumBuffer&, const Queue&);
template void launch_times_phases<BuildTarget>(Field&, const PhaseTable&, const std::array<int, 4>&,
                                               const Queue&);

}  // namespace plaq
