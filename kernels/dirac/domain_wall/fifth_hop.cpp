// The hopping term of all slices and a matrix in the fifth dimension as one launch of a host.
#include "core/launch/dispatch.hpp"
#include "core/launch/launch.hpp"
#include "kernels/dirac/domain_wall/domain_wall_launch.hpp"
#include "kernels/dirac/domain_wall/fifth_dimension.hpp"
#include "kernels/dirac/domain_wall/fifth_hop_kernel.hpp"
#include "kernels/dirac/wilson/wilson_hops.hpp"

namespace plaq {
namespace {

template <class S>
FifthMatrix<Compute<S>> fifth_matrix(const FifthHopCall& call) {
  using T = Compute<S>;
  const FifthTable& table = *call.table;
  return {static_cast<const FifthStep<T>*>(table.steps()),
          table.Ls(),
          {table.first(0), table.first(1)},
          {table.direction(0), table.direction(1)},
          static_cast<T>(call.a),
          static_cast<T>(call.b)};
}

template <class S>
auto fifth_hop_array(const Field* field, int parity) {
  using Array = typename SpinorView<Host, S>::Array;
  if (field == nullptr) return Array();
  expect(*field, Location::host, precision_of<S>, 4, 3);
  return Array(field->data(0, parity), field->subfield_stride());
}

template <class S, int Reconstruction>
void fifth_hop_sites(const FifthHopCall& call, Region region, const Queue& queue) {
  using Hops = WilsonHops<Host, S, Reconstruction>;
  Hops::with_hop(call, [&](auto choice) {
    using Choice = decltype(choice);
    using Kernel = HopKernel<typename Choice::Hop, true, 1, Choice::inside>;
    FifthHopKernel<Kernel, S> f;
    f.kernel =
        detail::hop_kernel<Kernel, Hops>(static_cast<const WilsonHopCall&>(call), region == Region::boundary);
    f.kernel.active = call.right_hand_sides;
    f.matrix = fifth_matrix<S>(call);
    f.add = fifth_hop_array<S>(call.add, call.parity);
    f.out = fifth_hop_array<S>(call.out, call.parity);
    for_each(
        make_domain(call.in->geometry(), region, call.parity, Location::host, call.right_hand_sides.count()),
        queue, f);
  });
}

}  // namespace

void apply_fifth_hop(Schedule& schedule, Halo& halo, const HaloWork& work, const FifthHopCall& call) {
  record(halo, work);
  with_storage(call.in->precision(), [&](auto storage) {
    using S = typename decltype(storage)::type;
    with_reconstruction(call.links->spec().reals(), [&](auto reconstruction) {
      schedule.apply(
          halo,
          [&](const Queue& queue) { HopLaunch<WilsonHopCall, Host, S, reconstruction()>::pack(call, queue); },
          [&](Region region, const Queue& queue) {
            fifth_hop_sites<S, reconstruction()>(call, region, queue);
          });
    });
  });
}

}  // namespace plaq
