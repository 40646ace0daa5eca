// Bodies of the launches in domain_wall_launch.hpp for the kernel sources that instantiate them.
#pragma once

#include "core/field/field_views.hpp"
#include "core/launch/launch.hpp"
#include "kernels/dirac/domain_wall/domain_wall_launch.hpp"
#include "kernels/dirac/domain_wall/fifth_dimension.hpp"
#include "kernels/dirac/domain_wall/fifth_dimension_kernel.hpp"

namespace plaq {
namespace detail {

template <class Target, class S, int KnownLs>
void run_fifth_dimension(const FifthCall& call, const Queue& queue) {
  using Functor = FifthDimension<Target, S, KnownLs>;
  using T = typename Functor::T;
  const auto array = [&](const Field& field) -> typename Functor::Array {
    expect(field, location_of<Target>, precision_of<S>, 4, 3);
    return {field.data(0, call.parity), field.subfield_stride()};
  };
  Functor f;
  f.in = array(*call.in);
  f.out = array(*call.out);
  if (call.add != nullptr) f.add = array(*call.add);
  f.steps = static_cast<const FifthStep<T>*>(call.table->steps());
  f.Ls = call.table->Ls();
  for (int c = 0; c < 2; ++c) {
    f.first[c] = call.table->first(c);
    f.direction[c] = call.table->direction(c);
  }
  f.a = static_cast<T>(call.a);
  f.b = static_cast<T>(call.b);
  f.sites = call.in->layout().sites;
  f.active = call.active;
  // A warp's sites, or fewer where many slices would not fit into the shared memory that every GPU has.
  constexpr std::size_t most_scratch = 96 * 1024;
  f.group_sites = 32;
  if constexpr (location_of<Target> == Location::device && !Functor::in_registers) {
    while (f.group_sites > 1 && Functor::scratch_bytes(f.Ls, f.group_sites) > most_scratch)
      f.group_sites /= 2;
  }
  f.groups = (f.sites + f.group_sites - 1) / f.group_sites;
  TeamDomain teams;
  teams.count = f.groups * f.active.count();
  teams.team_size = (Functor::fours * f.group_sites + 31) / 32 * 32;
  teams.scratch_bytes = Functor::in_registers ? 0 : Functor::scratch_bytes(f.Ls, f.group_sites);
  for_each_team(teams, queue, f);
}

}  // namespace detail

// On a device the usual Ls have kernels of their own in single precision, in which slices wait in registers;
// in double they would take nearly all of these.
template <class Target, class S>
void FifthLaunch<Target, S>::run(const FifthCall& call, const Queue& queue) {
  if constexpr (location_of<Target> == Location::device && sizeof(S) == 4) {
    switch (call.table->Ls()) {
      case 8:
        return detail::run_fifth_dimension<Target, S, 8>(call, queue);
      case 12:
        return detail::run_fifth_dimension<Target, S, 12>(call, queue);
      case 16:
        return detail::run_fifth_dimension<Target, S, 16>(call, queue);
      default:
        break;
    }
  }
  detail::run_fifth_dimension<Target, S, 0>(call, queue);
}

}  // namespace plaq
