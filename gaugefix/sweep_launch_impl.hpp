// Bodies of sweep_launch.hpp; kernel sources instantiate them.
#pragma once

#include <array>
#include <string>

#include "core/field_views.hpp"
#include "core/launch.hpp"
#include "core/tuning.hpp"
#include "gaugefix/abelian_functional.hpp"
#include "gaugefix/face_pack.hpp"
#include "gaugefix/site_gather.hpp"
#include "gaugefix/site_sweep.hpp"
#include "gaugefix/sweep_launch.hpp"
#include "gaugefix/trace_functional.hpp"
#include "kernels/dirac/hop_candidates.hpp"

namespace plaq {
namespace detail {

template <class Target, class T, class A = T, class S = T>
TransformationView<Target, T, A, S> transformation_view(const Field& g) {
  expect(g, location_of<Target>, precision_of<S>, 3, 3, transformation_reals);
  return {g.data(0, 0), g.layout().size()};
}
template <class Target, class T, class A, int Reals>
MatrixView<Target, T, A, Reals, A> face_view(const Halo& halo, int d, void* data) {
  require(halo.spec().reals == Reals && halo.spec().precision == precision_of<A>, "faces of another kind");
  return {data, halo.face_layout(d).size()};
}
template <class Target, class L, class T, class A, int Reals>
MatrixView<Target, T, A, Reals, L> links_view(const Field& links) {
  expect(links, location_of<Target>, precision_of<L>, 3, 3, Reals);
  return {links.data(0, 0), links.layout().size()};
}

template <class Gather, class L, class T, int Reals>
Gather make_gather(const SweepCall& call) {
  using Target = typename Gather::Arch::Target;
  using A = typename Gather::Draw;
  Gather gather;
  gather.lattice = typename Gather::Lattice(call.g->geometry());
  gather.links = links_view<Target, L, T, A, Reals>(*call.links);
  gather.g = transformation_view<Target, T, A>(*call.g);
  gather.parity = call.parity;
  gather.directions = call.directions;
  if constexpr (Gather::ghosts) {
    for (int d = 0; d < 8; ++d)
      if (call.halo != nullptr && call.halo->exchanges(d / 2))
        gather.ghost[d] = face_view<Target, T, A, Reals>(*call.halo, d, call.halo->receive(d));
  }
  return gather;
}

template <class Target, class L, class T, class A, int Reals>
GaugeFacePack<Target, L, T, A, Reals> make_face_pack(const SweepCall& call) {
  GaugeFacePack<Target, L, T, A, Reals> pack;
  pack.lattice = LatticeView<Target, T>(call.g->geometry());
  pack.links = links_view<Target, L, T, A, Reals>(*call.links);
  pack.g = transformation_view<Target, T, A>(*call.g);
  for (int d = 0; d < 8; ++d)
    if (call.halo->exchanges(d / 2))
      pack.send[d] = face_view<Target, T, A, Reals>(*call.halo, d, call.halo->send(d));
  pack.parity = 1 - call.parity;
  return pack;
}

template <template <class> class Functional>
struct FunctionalKind {
  template <class Real>
  using type = Functional<Real>;
};
// f(kind, reals) for the functional and the reals of a link.
template <class F>
void with_functional(const SweepCall& call, F&& f) {
  const int reals = call.links->spec().reals();
  require(reals == 18 || reals == 12, "gauge fixing takes links of 18 or 12 reals");
  const auto with_reals = [&](auto kind) {
    if (reals == 12) return f(kind, std::integral_constant<int, 12>());
    return f(kind, std::integral_constant<int, 18>());
  };
  if (call.functional == GaugeFunctional::abelian) return with_reals(FunctionalKind<AbelianFunctional>());
  return with_reals(FunctionalKind<TraceFunctional>());
}

template <class L, class T, int Reals>
constexpr const char* storage_of_sweep() {
  if constexpr (sizeof(T) == 4) return Reals == 12 ? "single 12" : "single 18";
  if constexpr (sizeof(L) == 4) return Reals == 12 ? "mixed 12" : "mixed 18";
  return Reals == 12 ? "double 12" : "double 18";
}

// What tuned launches of an update are called: [directions are all][region is the interior].
template <class Functional, class Update>
const std::string& name_of_sweep(bool all, bool interior) {
  const static auto names = [] {
    std::array<std::string, 4> made;
    for (std::size_t k = 0; k < 4; ++k)
      made[k] = std::string(Functional::name) + " " + Update::name + (k / 2 == 1 ? "" : " in space") +
                (k % 2 == 1 ? " interior" : "");
    return made;
  }();
  return names[2 * std::size_t{all} + std::size_t{interior}];
}

template <class Target, class L, class T, int Reals, template <class> class Functional, bool Ghosts,
          class Update>
void run_update(const SweepCall& call, const Update& update, Region region, const Queue& queue) {
  using Gather = SiteGather<Target, L, T, L, Reals, Functional, Ghosts>;
  using Kernel = SiteUpdate<Gather, Functional, Update>;
  const Kernel kernel{make_gather<Gather, L, T, Reals>(call), transformation_view<Target, T>(*call.g),
                      update};
  const Geometry& geometry = call.g->geometry();
  const int copies = call.g->slots();
  const auto run = [&](const Launch& launch) {
    for_each(make_domain(geometry, region, call.parity, location_of<Target>, copies), queue, kernel, launch);
  };
  if constexpr (Ghosts) {
    run({});
  } else {
    static HopCandidates memory(location_of<Target>, block_size<Kernel>(), 0);
    const auto key =
        tune_key(name_of_sweep<Functional<T>, Update>(call.directions == 4, region == Region::interior),
                 storage_of_sweep<L, T, Reals>(), geometry, copies);
    const Tuner::Memory in_place[1] = {memory_of(*call.g)};
    run(tuned(queue, key, memory.of(geometry, region, copies), run, in_place));
  }
}

template <class Target, class L, class T, int Reals, template <class> class Functional>
void run_quality(const SweepCall& call, SumBuffer& sums, const Queue& queue) {
  using Gather = SiteGather<Target, L, T, T, Reals, Functional, true>;
  const Geometry& geometry = call.g->geometry();
  const SiteQuality<Gather> kernel{make_gather<Gather, L, T, Reals>(call), geometry.local()[3]};
  const int sites = geometry.shape().half_volume / kernel.slices;
  // t is the slowest coordinate: a slice is a run of checkerboard indices.
  for (int t = 0; t < kernel.slices; ++t) {
    Domain domain = index_domain((t + 1) * sites, call.g->slots());
    domain.begin = t * sites;
    reduce(domain, queue, kernel, sums, 2 * t);
  }
}

}  // namespace detail

template <class Target, class L, class T, class Update>
void launch_update(const SweepCall& call, const Update& update, Region region, const Queue& queue) {
  detail::with_functional(call, [&](auto kind, auto reals) {
    using Kind = decltype(kind);
    // A host asks at every group of sites anyway: one form of it.
    if (std::is_same_v<Target, Host> || region == Region::boundary)
      return detail::run_update<Target, L, T, reals(), Kind::template type, true>(call, update, region,
                                                                                  queue);
    if constexpr (!std::is_same_v<Target, Host>)
      detail::run_update<Target, L, T, reals(), Kind::template type, false>(call, update, region, queue);
  });
  call.g->touch();
}

template <class Target, class L, class T>
void launch_quality(const SweepCall& call, SumBuffer& sums, const Queue& queue) {
  detail::with_functional(call, [&](auto kind, auto reals) {
    using Kind = decltype(kind);
    detail::run_quality<Target, L, T, reals(), Kind::template type>(call, sums, queue);
  });
}

template <class Target, class L, class T, class A>
void launch_gauge_pack(const SweepCall& call, const Queue& queue) {
  const auto run = [&](auto reals) {
    for_each(index_domain(call.halo->largest_face(), 8 * call.g->slots()), queue,
             detail::make_face_pack<Target, L, T, A, reals()>(call));
  };
  if (call.links->spec().reals() == 12) return run(std::integral_constant<int, 12>());
  run(std::integral_constant<int, 18>());
}

template <class Target, class T>
void launch_projection(Field& g, const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity)
    for_each(make_domain(g.geometry(), Region::all, parity, location_of<Target>, g.slots()), queue,
             SiteProjection<Target, T>{detail::transformation_view<Target, T>(g), parity});
  g.touch();
}

template <class Target, class T>
void launch_random_start(Field& g, std::uint64_t seed, const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity)
    for_each(make_domain(g.geometry(), Region::all, parity, location_of<Target>, g.slots()), queue,
             SiteRandomStart<Target, T>{g.geometry().shape(), detail::transformation_view<Target, T>(g), seed,
                                        parity});
  g.touch();
}

template <class Target, class T>
void launch_expansion(Field& full, const Field& g, int copy, const Queue& queue) {
  expect(full, location_of<Target>, Precision::double_precision, 3, 3, 18);
  for (int parity = 0; parity < 2; ++parity) {
    SiteExpansion<Target, T> kernel;
    kernel.g = detail::transformation_view<Target, double, double, T>(g);
    kernel.full = {full.data(0, 0), full.layout().size()};
    kernel.copy = copy;
    kernel.parity = parity;
    for_each(make_domain(g.geometry(), Region::all, parity, location_of<Target>), queue, kernel);
  }
  full.touch();
}

template <class Target, class T>
void launch_contraction(Field& g, int copy, const Field& full, const Queue& queue) {
  expect(full, location_of<Target>, Precision::double_precision, 3, 3, 18);
  for (int parity = 0; parity < 2; ++parity) {
    SiteContraction<Target, T> kernel;
    kernel.g = detail::transformation_view<Target, double, double, T>(g);
    kernel.full = {full.data(0, 0), full.layout().size()};
    kernel.copy = copy;
    kernel.parity = parity;
    for_each(make_domain(g.geometry(), Region::all, parity, location_of<Target>), queue, kernel);
  }
  g.touch();
}

}  // namespace plaq
