#include "core/field/field_views.hpp"
#include "core/launch/launch.hpp"
#include "kernels/quark/spin_matrices.hpp"
#include "kernels/site/spin_matrix.hpp"

namespace plaq {
namespace {

template <class Target>
SiteArray<Target, double, 2> matrix_array(const Field& density, int parity) {
  expect(density, location_of<Target>, Precision::double_precision, 1, 1);
  return SiteArray<Target, double, 2>(density.data(0, parity), density.subfield_stride());
}

template <class Target>
Domain matrix_sites(const Field& density, int parity, int inner = 1) {
  return make_domain(density.geometry(), Region::all, parity, location_of<Target>, inner);
}

}  // namespace

template <class Target>
void launch_add_spin_matrix(const SpinMatrixCall& call, const Queue& queue) {
  const auto [phi, eta, density, begin, end, overwrite] = call;
  for (int parity = 0; parity < 2; ++parity) {
    const Domain sites = matrix_sites<Target>(*density, parity);
    const auto out = matrix_array<Target>(*density, parity);
    if (phi->spec().spins == 4)
      for_each(sites, queue,
               AddSpinMatrix<Target>{spinor_view<Target, double>(*phi, parity),
                                     spinor_view<Target, double>(*eta, parity), out, begin, end, overwrite});
    else
      for_each(
          sites, queue,
          AddColorProduct<Target>{staggered_view<Target, double>(*phi, parity),
                                  staggered_view<Target, double>(*eta, parity), out, begin, end, overwrite});
  }
}

template <class Target>
void launch_color_trace(const Field& propagator, Field& density, const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity)
    for_each(matrix_sites<Target>(density, parity, 4), queue,
             ColorTrace<Target>{spinor_view<Target, double>(propagator, parity),
                                matrix_array<Target>(density, parity)});
}

template <class Target>
void launch_open_spins(const OpenSpinCall& call, const Queue& queue) {
  const auto [eta, phi, density, column] = call;
  for (int parity = 0; parity < 2; ++parity)
    for_each(matrix_sites<Target>(*density, parity, phi->subfields()), queue,
             OpenSpinProduct<Target>{spinor_view<Target, double>(*eta, parity),
                                     spinor_view<Target, double>(*phi, parity),
                                     matrix_array<Target>(*density, parity), column});
}

template void launch_add_spin_matrix<BuildTarget>(const SpinMatrixCall&, const Queue&);
template void launch_color_trace<BuildTarget>(const Field&, Field&, const Queue&);
template void launch_open_spins<BuildTarget>(const OpenSpinCall&, const Queue&);

}  // namespace plaq
