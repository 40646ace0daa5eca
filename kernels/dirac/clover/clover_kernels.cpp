#include "core/launch/launch.hpp"
#include "kernels/dirac/clover/clover_exponential.hpp"
#include "kernels/dirac/clover/clover_inverse.hpp"
#include "kernels/dirac/clover/clover_launch.hpp"
#include "kernels/dirac/clover/clover_term.hpp"
#include "kernels/gauge/gauge_lattice.hpp"

namespace plaq {

template <class Target>
void launch_clover_term(const CloverTermCall& call, const Queue& queue) {
  for_each(owned_links<Target>(*call.gauge, 2), queue,
           CloverTerm<Target, double>{
               gauge_lattice<Target, double>(*call.gauge),
               call.term->geometry().shape(),
               {clover_view<Target, double>(*call.term, 0), clover_view<Target, double>(*call.term, 1)},
               clover_planes<double>(call.spatial, call.temporal),
               call.diagonal});
}

template <class Target>
void launch_clover_inverse(const Field& term, double twist, Field& inverse, Field* inverse_twist, int parity,
                           const Queue& queue, SumBuffer& sums) {
  reduce(make_domain(term.geometry(), Region::all, parity, location_of<Target>, 2), queue,
         CloverInverse<Target, double>{
             clover_view<Target, double>(term, parity), clover_view<Target, double>(inverse, parity),
             inverse_twist == nullptr ? CloverView<Target, double>()
                                      : clover_view<Target, double>(*inverse_twist, parity),
             twist},
         sums);
}

template <class Target>
void launch_clover_exponential(const Field& exponent, Field& term, double diagonal, int halvings,
                               const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity)
    for_each(
        make_domain(term.geometry(), Region::all, parity, location_of<Target>, 2), queue,
        CloverExponential<Target, double>{clover_view<Target, double>(exponent, parity),
                                          clover_view<Target, double>(term, parity), diagonal, halvings});
}

template void launch_clover_term<BuildTarget>(const CloverTermCall&, const Queue&);
template void launch_clover_exponential<BuildTarget>(const Field&, Field&, double, int, const Queue&);
template void launch_clover_inverse<BuildTarget>(const Field&, double, Field&, Field*, int, const Queue&,
                                                 SumBuffer&);

}  // namespace plaq
