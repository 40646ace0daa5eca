#include "core/launch/launch.hpp"
#include "kernels/gauge/gauge_lattice.hpp"
#include "kernels/gauge/wilson_loops_launch.hpp"
#include "kernels/site/wilson_loop.hpp"

namespace plaq {
namespace {

template <class Target>
Domain loop_sites(const Field& gauge, int parity, int inner = 1) {
  return make_domain(gauge.geometry(), Region::all, parity, location_of<Target>, inner);
}

}  // namespace

template <class Target>
void launch_loop_start(const Field& gauge, Field& ends, const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity)
    for_each(index_domain(gauge.geometry().shape().half_volume), queue,
             LoopStart<Target>{gauge_view<Target, double>(gauge), gauge_view<Target, double>(ends), parity});
}

template <class Target>
void launch_loop_hop(const Field& gauge, const Field& ends, Field& moved, int mu, bool forward,
                     const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity)
    for_each(loop_sites<Target>(gauge, parity, 2), queue,
             LoopHop<Target>{gauge_lattice<Target, double>(gauge), gauge_view<Target, double>(ends),
                             gauge_view<Target, double>(moved), mu, forward, parity});
}

template <class Target>
void launch_loop_rise(const Field& gauge, const LoopRiseCall& call, const Queue& queue, SumBuffer& sums,
                      int number) {
  for (int parity = 0; parity < 2; ++parity)
    reduce(loop_sites<Target>(gauge, parity), queue,
           LoopRise<Target>{gauge_lattice<Target, double>(gauge), gauge_view<Target, double>(*call.ends),
                            gauge_view<Target, double>(*call.from), gauge_view<Target, double>(*call.to),
                            call.from_subfield, call.to_subfield, call.keep, parity},
           sums, number);
}

template void launch_loop_start<BuildTarget>(const Field&, Field&, const Queue&);
template void launch_loop_hop<BuildTarget>(const Field&, const Field&, Field&, int, bool, const Queue&);
template void launch_loop_rise<BuildTarget>(const Field&, const LoopRiseCall&, const Queue&, SumBuffer&, int);

}  // namespace plaq
