// Bodies of sweep_launch.hpp; kernel sources instantiate them.
#pragma once

#include <array>
#include <string>

#include "core/field/field_views.hpp"
#include "core/launch/launch.hpp"
#include "core/launch/tuning.hpp"
#include "gaugefix/sweep/abelian_functional.hpp"
#include "gaugefix/sweep/gauge_hop.hpp"
#include "gaugefix/sweep/site_sweep.hpp"
#include "gaugefix/sweep/sweep_launch.hpp"
#include "gaugefix/sweep/trace_functional.hpp"
#include "kernels/dirac/hop/fused_shapes.hpp"
#include "kernels/dirac/hop/hop_candidates.hpp"
#include "kernels/dirac/hop/hop_face_pack.hpp"
#if defined(__CUDACC__)
#include "kernels/dirac/hop/fused_launch.hpp"
#endif

namespace plaq {

static_assert(HopFormula<GaugeHop<BuildTarget, double, double, double, TraceFunctional>>);
static_assert(HopFormula<GaugeHop<BuildTarget, float, double, float, AbelianFunctional>>);

namespace detail {

template <class Target, class T, class A = T, class S = T>
TransformationView<Target, T, A, S> transformation_view(const Field& g) {
  expect(g, location_of<Target>, precision_of<S>, 3, 3, transformation_reals);
  return {g.data(0, 0), g.layout().size()};
}
template <class Target, class L, class T, class A>
Su3View<Target, T, A, sweep_reconstruction, L> links_view(const Field& links) {
  expect(links, location_of<Target>, precision_of<L>, 3, 3, sweep_reconstruction);
  return {links.data(0, 0), links.layout().size()};
}

template <class Hop, class L>
void open_hop(Hop& hop, const SweepCall& call, int parity) {
  using Target = typename Hop::Arch::Target;
  hop.links = links_view<Target, L, typename Hop::T, typename Hop::Draw>(*call.links);
  hop.g = transformation_view<Target, typename Hop::T, typename Hop::Draw>(*call.g);
  hop.parity = parity;
  hop.mus = call.directions;
}
template <class Kernel, class L>
Kernel sweep_kernel(const SweepCall& call) {
  using Hop = typename Kernel::Hop;
  Kernel kernel;
  kernel.lattice = typename Kernel::Lattice(call.g->geometry());
  open_hop<Hop, L>(kernel.hop, call, call.parity);
  if constexpr (Kernel::has_faces) {
    if (call.halo != nullptr) kernel.ghosts = open_ghosts<typename Hop::Face>(*call.halo);
  }
  kernel.parity = call.parity;
  kernel.active = {call.g->subfields()};
  return kernel;
}
template <class Target, class L, class T, class A>
HopFacePack<GaugeHop<Target, L, T, A, TraceFunctional>> sweep_face_pack(const SweepCall& call) {
  using Hop = GaugeHop<Target, L, T, A, TraceFunctional>;
  HopFacePack<Hop> pack;
  pack.lattice = LatticeView<Target, T>(call.g->geometry());
  open_hop<Hop, L>(pack.hop, call, call.parity);
  pack.send_to(*call.halo);
  pack.parity = 1 - call.parity;
  pack.active = {call.g->subfields()};
  return pack;
}

template <template <class> class Functional>
struct FunctionalKind {
  template <class Real>
  using type = Functional<Real>;
};
// f(kind) for the functional.
template <class F>
void with_functional(const SweepCall& call, F&& f) {
  if (call.functional == GaugeFunctional::abelian) return f(FunctionalKind<AbelianFunctional>());
  f(FunctionalKind<TraceFunctional>());
}

template <class L, class T>
constexpr const char* storage_of_sweep() {
  return sizeof(T) == 4 ? "single 12" : sizeof(L) == 4 ? "mixed 12" : "double 12";
}

// Names of the tuned launches of an update: [directions are all][region is the interior].
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

template <class Target, class L, class T, template <class> class Functional, bool Ghosts, class Update>
auto update_kernel(const SweepCall& call, const Update& update) {
  using Hop = GaugeUpdateHop<Target, L, T, Functional, Update>;
  auto kernel = sweep_kernel<HopKernel<Hop, Ghosts>, L>(call);
  kernel.hop.own = transformation_view<Target, T>(*call.g);
  kernel.hop.update = update;
  return kernel;
}

template <class Target, class L, class T, template <class> class Functional, bool Ghosts, class Update>
void run_update(const SweepCall& call, const Update& update, Region region, const Queue& queue) {
  const auto kernel = update_kernel<Target, L, T, Functional, Ghosts>(call, update);
  const Geometry& geometry = call.g->geometry();
  const int copies = call.g->subfields();
  const auto run = [&](const Launch& launch) {
    for_each(make_domain(geometry, region, call.parity, location_of<Target>, copies), queue, kernel, launch);
  };
  if constexpr (Ghosts) {
    run({});
  } else {
    static HopCandidates memory(location_of<Target>, block_size<decltype(kernel)>(), 0);
    const auto key =
        tune_key(name_of_sweep<Functional<T>, Update>(call.directions == 4, region == Region::interior),
                 storage_of_sweep<L, T>(), geometry, copies);
    const Tuner::Memory in_place[1] = {memory_of(*call.g)};
    run(tuned(queue, key, memory.of(geometry, region, copies), run, in_place));
  }
}

template <class Target, class L, class T, template <class> class Functional>
void run_quality(const SweepCall& call, SumBuffer& sums, const Queue& queue) {
  using Kernel = HopKernel<GaugeHop<Target, L, T, T, Functional>, true>;
  const Geometry& geometry = call.g->geometry();
  const SiteQuality<Kernel> quality{sweep_kernel<Kernel, L>(call), geometry.local()[3]};
  const int sites = geometry.shape().half_volume / quality.slices;
  // t is the slowest coordinate: a slice is a run of checkerboard indices.
  for (int t = 0; t < quality.slices; ++t) {
    Domain domain = index_domain((t + 1) * sites, call.g->subfields());
    domain.begin = t * sites;
    reduce(domain, queue, quality, sums, 2 * t);
  }
}

}  // namespace detail

template <class Target, class L, class T, class Update>
void SweepLaunch<Target, L, T, Update>::sites(const SweepCall& call, const Update& update, Region region,
                                              const Queue& queue) {
  detail::with_functional(call, [&](auto kind) {
    using Kind = decltype(kind);
    // A host asks at every group of sites anyway: one form of it.
    if (std::is_same_v<Target, Host> || region == Region::boundary)
      return detail::run_update<Target, L, T, Kind::template type, true>(call, update, region, queue);
    if constexpr (!std::is_same_v<Target, Host>)
      detail::run_update<Target, L, T, Kind::template type, false>(call, update, region, queue);
  });
  call.g->touch();
}

template <class Target, class L, class T, class Update>
void SweepLaunch<Target, L, T, Update>::fused(const SweepCall& call, const Update& update,
                                              [[maybe_unused]] const PeerFlags& flags, const Queue& queue) {
  detail::with_functional(call, [&](auto kind) {
    using Kind = decltype(kind);
    const auto inside = detail::update_kernel<Target, L, T, Kind::template type, false>(call, update);
    // A key does not copy its text.
    const static std::string names[2] = {
        detail::name_of_sweep<typename Kind::template type<T>, Update>(false, false) + " fused",
        detail::name_of_sweep<typename Kind::template type<T>, Update>(true, false) + " fused"};
    const Geometry& geometry = call.g->geometry();
    const int copies = call.g->subfields();
    const auto key =
        tune_key(names[call.directions == 4], detail::storage_of_sweep<L, T>(), geometry, copies);
    const Tuner::Memory in_place[1] = {memory_of(*call.g)};
#if defined(__CUDACC__)
    const auto edge = detail::update_kernel<Target, L, T, Kind::template type, true>(call, update);
    static HopCandidates memory(Location::device, detail::block_size<decltype(inside)>(), 0);
    launch_fused(*call.halo, flags, queue, inside, edge, detail::sweep_face_pack<Target, L, T, L>(call),
                 copies, key, memory.of(geometry, Region::all, copies), in_place);
#else
    count_fused_launch(*call.halo, call.parity, inside.depth, precision_of<T>, queue, key, in_place);
#endif
  });
  call.g->touch();
}

template <class Target, class L, class T>
void QualityLaunch<Target, L, T>::run(const SweepCall& call, SumBuffer& sums, const Queue& queue) {
  detail::with_functional(call, [&](auto kind) {
    using Kind = decltype(kind);
    detail::run_quality<Target, L, T, Kind::template type>(call, sums, queue);
  });
}

template <class Target, class L, class T, class A>
void GaugePackLaunch<Target, L, T, A>::run(const SweepCall& call, const Queue& queue) {
  const auto pack = detail::sweep_face_pack<Target, L, T, A>(call);
  for_each(index_domain(call.halo->largest_face(), pack.inner()), queue, pack);
}

template <class Target, class T>
void TransformationLaunch<Target, T>::project(Field& g, const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity)
    for_each(make_domain(g.geometry(), Region::all, parity, location_of<Target>, g.subfields()), queue,
             SiteProjection<Target, T>{detail::transformation_view<Target, T>(g), parity});
  g.touch();
}

template <class Target, class T>
void TransformationLaunch<Target, T>::random_start(Field& g, std::uint64_t seed, const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity)
    for_each(make_domain(g.geometry(), Region::all, parity, location_of<Target>, g.subfields()), queue,
             SiteRandomStart<Target, T>{g.geometry().shape(), detail::transformation_view<Target, T>(g), seed,
                                        parity});
  g.touch();
}

template <class Target, class T>
void TransformationLaunch<Target, T>::expand(Field& full, const Field& g, int copy, const Queue& queue) {
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
void TransformationLaunch<Target, T>::contract(Field& g, int copy, const Field& full, const Queue& queue) {
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
