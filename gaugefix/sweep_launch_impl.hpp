// Bodies of sweep_launch.hpp; kernel sources instantiate them.
#pragma once

#include "core/field_views.hpp"
#include "core/launch.hpp"
#include "core/tuning.hpp"
#include "gaugefix/abelian_functional.hpp"
#include "gaugefix/face_pack.hpp"
#include "gaugefix/site_sweep.hpp"
#include "gaugefix/sweep_launch.hpp"
#include "gaugefix/trace_functional.hpp"
#include "kernels/dirac/hop_candidates.hpp"

namespace plaq {
namespace detail {

template <class Target, class T>
MatrixView<Target, T> matrix_view(const Field& g) {
  expect(g, location_of<Target>, precision_of<T>, 3, 3);
  return {g.data(0, 0), g.layout().size()};
}
template <class Target, class T>
MatrixView<Target, T> face_view(const Halo& halo, int d, void* data) {
  return {data, halo.face_layout(d).size()};
}
template <class Target, class L, class T, int Reals>
GaugeView<Target, L, Reals, T> links_view(const Field& links) {
  expect(links, location_of<Target>, precision_of<L>, 3, 3, Reals);
  using View = GaugeView<Target, L, Reals, T>;
  return View(typename View::Array(links.data(0, 0), links.layout().size()));
}

template <class Target, class L, class T, int Reals, template <class> class Functional, bool Ghosts>
SiteGather<Target, L, T, Reals, Functional, Ghosts> make_gather(const SweepCall& call) {
  SiteGather<Target, L, T, Reals, Functional, Ghosts> gather;
  gather.lattice = LatticeView<Target, T>(call.g->geometry());
  gather.links = links_view<Target, L, T, Reals>(*call.links);
  gather.g = matrix_view<Target, T>(*call.g);
  gather.parity = call.parity;
  gather.directions = call.directions;
  if constexpr (Ghosts) {
    for (int d = 0; d < 8; ++d)
      if (call.halo->exchanges(d / 2))
        gather.ghost[d] = face_view<Target, T>(*call.halo, d, call.halo->receive(d));
  }
  return gather;
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

template <class Target, class L, class T, int Reals, template <class> class Functional, bool Ghosts>
void run_relaxation(const SweepCall& call, const RelaxationStep& step, Region region, const Queue& queue) {
  using Gather = SiteGather<Target, L, T, Reals, Functional, Ghosts>;
  using Kernel = SiteRelaxation<Gather, Functional>;
  const Kernel kernel{make_gather<Target, L, T, Reals, Functional, Ghosts>(call), step};
  const Geometry& geometry = call.g->geometry();
  const int copies = call.g->slots();
  const auto run = [&](const Launch& launch) {
    for_each(make_domain(geometry, region, call.parity, location_of<Target>, copies), queue, kernel, launch);
  };
  if constexpr (Ghosts) {
    run({});
  } else {
    static HopCandidates memory(location_of<Target>, block_size<Kernel>(), 0);
    static constexpr const char* names[2][2] = {
        {"gauge relaxation in space", "gauge relaxation in space interior"},
        {"gauge relaxation", "gauge relaxation interior"}};
    static constexpr const char* abelian[2] = {"abelian relaxation", "abelian relaxation interior"};
    const bool inside = region == Region::interior;
    const char* name =
        call.functional == GaugeFunctional::abelian ? abelian[inside] : names[call.directions == 4][inside];
    const auto key = tune_key(name, storage_of_sweep<L, T, Reals>(), geometry, copies);
    const Tuner::Memory in_place[1] = {memory_of(*call.g)};
    run(tuned(queue, key, memory.of(geometry, region, copies), run, in_place));
  }
}

template <class Target, class L, class T, int Reals, template <class> class Functional, bool Ghosts>
void run_heatbath(const SweepCall& call, const HeatbathStep& step, Region region, const Queue& queue) {
  using Gather = SiteGather<Target, L, T, Reals, Functional, Ghosts>;
  const SiteHeatbath<Gather, Functional> kernel{make_gather<Target, L, T, Reals, Functional, Ghosts>(call),
                                                step};
  for_each(make_domain(call.g->geometry(), region, call.parity, location_of<Target>, call.g->slots()), queue,
           kernel);
}

template <class Target, class L, class T, int Reals, template <class> class Functional>
void run_quality(const SweepCall& call, SumBuffer& sums, const Queue& queue) {
  using Gather = SiteGather<Target, L, T, Reals, Functional, true>;
  const Geometry& geometry = call.g->geometry();
  const SiteQuality<Gather> kernel{make_gather<Target, L, T, Reals, Functional, true>(call),
                                   geometry.local()[3]};
  const int sites = geometry.shape().half_volume / kernel.slices;
  // t is the slowest coordinate: a slice is a run of checkerboard indices.
  for (int t = 0; t < kernel.slices; ++t) {
    Domain domain = index_domain((t + 1) * sites, call.g->slots());
    domain.begin = t * sites;
    reduce(domain, queue, kernel, sums, 2 * t);
  }
}

}  // namespace detail

template <class Target, class L, class T>
void launch_relaxation(const SweepCall& call, const RelaxationStep& step, Region region, const Queue& queue) {
  detail::with_functional(call, [&](auto kind, auto reals) {
    using Kind = decltype(kind);
    if (region == Region::boundary)
      return detail::run_relaxation<Target, L, T, reals(), Kind::template type, true>(call, step, region,
                                                                                      queue);
    detail::run_relaxation<Target, L, T, reals(), Kind::template type, false>(call, step, region, queue);
  });
  call.g->touch();
}

template <class Target, class L, class T>
void launch_heatbath(const SweepCall& call, const HeatbathStep& step, Region region, const Queue& queue) {
  detail::with_functional(call, [&](auto kind, auto reals) {
    using Kind = decltype(kind);
    if (region == Region::boundary)
      return detail::run_heatbath<Target, L, T, reals(), Kind::template type, true>(call, step, region,
                                                                                    queue);
    detail::run_heatbath<Target, L, T, reals(), Kind::template type, false>(call, step, region, queue);
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

template <class Target, class L, class T>
void launch_gauge_pack(const SweepCall& call, const Queue& queue) {
  const auto run = [&](auto reals) {
    GaugeFacePack<Target, L, T, reals()> pack;
    pack.lattice = LatticeView<Target, T>(call.g->geometry());
    pack.links = detail::links_view<Target, L, T, reals()>(*call.links);
    pack.g = detail::matrix_view<Target, T>(*call.g);
    for (int d = 0; d < 8; ++d)
      if (call.halo->exchanges(d / 2))
        pack.send[d] = detail::face_view<Target, T>(*call.halo, d, call.halo->send(d));
    pack.parity = 1 - call.parity;
    for_each(index_domain(call.halo->largest_face(), 8 * call.g->slots()), queue, pack);
  };
  if (call.links->spec().reals() == 12) return run(std::integral_constant<int, 12>());
  run(std::integral_constant<int, 18>());
}

template <class Target, class T>
void launch_projection(Field& g, const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity)
    for_each(make_domain(g.geometry(), Region::all, parity, location_of<Target>, g.slots()), queue,
             SiteProjection<Target, T>{detail::matrix_view<Target, T>(g), parity});
  g.touch();
}

template <class Target, class T>
void launch_random_start(Field& g, std::uint64_t seed, const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity)
    for_each(
        make_domain(g.geometry(), Region::all, parity, location_of<Target>, g.slots()), queue,
        SiteRandomStart<Target, T>{g.geometry().shape(), detail::matrix_view<Target, T>(g), seed, parity});
  g.touch();
}

}  // namespace plaq
