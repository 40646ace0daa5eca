// Bodies of the launches of coarse operators; the build instantiates them.
#pragma once

#include "core/field/component_lines.hpp"
#include "core/launch/launch.hpp"
#include "core/launch/team_candidates.hpp"
#include "core/launch/team_tiles.hpp"
#include "core/launch/tuning.hpp"
#include "multigrid/coarse/coarse_hop_exact.hpp"
#include "multigrid/coarse/coarse_launch.hpp"

namespace plaq {
namespace detail {

template <class Target, class L, class C>
CoarseHopFields<Target, L, C> open_hop(const CoarseHopCall& call) {
  CoarseHopFields<Target, L, C> hop;
  hop.shape = call.in->geometry().general_shape();
  if (call.links != nullptr) {
    hop.links = component_lines<Target, L>(*call.links, call.parity);
    hop.stored_from = stored_parts(call.links->spec()).begin;
  }
  hop.in = component_lines<Target, C>(*call.in, hop.shape.neighbor_parity(call.parity));
  hop.here = component_lines<Target, C>(*call.in, call.parity);
  hop.out = component_lines<Target, C>(*call.out, call.parity);
  if (call.from != nullptr) hop.from = component_lines<Target, C>(*call.from, call.parity);
  hop.adds = call.adds;
  for (int d = 0; d < coarse_hops; ++d)
    if (void* face = call.halo->receive(d))
      hop.ghost[d] = {face, call.halo->face_layout(d).size(), call.halo->face_layout(d)};
  hop.active = call.active;
  hop.parity = call.parity;
  hop.components = call.components;
  hop.by_components = Divisor(static_cast<std::uint32_t>(call.components));
  hop.by_packs = Divisor(static_cast<std::uint32_t>(packs_of<Target, C>(call.components)));
  hop.parts = call.parts;
  hop.first_negative = call.gamma5 ? call.components / 2 : call.components;
  return hop;
}

}  // namespace detail

template <class Target, class L, class C>
void CoarseLaunch<Target, L, C>::hop(const CoarseHopCall& call, Region region, const Queue& queue) {
  const Geometry& geometry = call.in->geometry();
  const auto fields = detail::open_hop<Target, L, C>(call);
  const Domain sites = make_domain(geometry, region, call.parity, location_of<Target>);
  constexpr bool exact = sizeof(L) <= 2 && std::is_same_v<C, float>;
  const auto with_hop = [&](const Launch& launch, auto&& f) {
    if constexpr (exact)
      with_exact_tile<Target>(launch, [&]<int tile>(std::integral_constant<int, tile>) {
        f.template operator()<ExactCoarseHop<Target, L, tile>>();
      });
    else
      with_tile<Target, parts_of_columns>(launch, [&]<int tile, int parts>(TileParts<tile, parts>) {
        f.template operator()<CoarseHop<Target, L, C, tile, parts>>();
      });
  };
  const auto together = [&](const Launch& launch) { return workers_of(launch) <= coarse_hops / 2 ? 2 : 1; };
  const auto scratch_bytes = [&](const Launch& launch) {
    std::size_t bytes = 0;
    with_hop(launch, [&]<class Hop>() {
      if constexpr (exact)
        bytes = Hop::scratch_bytes(call.components, together(launch), workers_of(launch));
      else
        bytes = Hop::scratch_bytes(call.components);
    });
    return bytes;
  };
  const auto run = [&](const Launch& launch) {
    with_hop(launch, [&]<class Hop>() {
      Hop hop{fields};
      hop.teams = {sites, (call.active.count() + launch.width - 1) / launch.width};
      if constexpr (exact) hop.workers = workers_of(launch), hop.together = together(launch);
      run_team_tiles(hop, hop.teams.count(), scratch_bytes(launch), launch, queue);
    });
  };
  const int count = call.active.tuned_count();
  const auto candidates = exact ? exact_candidates(location_of<Target>, count, most_workers, scratch_bytes)
                                : tile_candidates(location_of<Target>, count, true, scratch_bytes);
  // Sites at an edge are few, and those within like all of them.
  if (region == Region::boundary) return run(candidates.front());
  const Tuner::Memory changed[1] = {memory_of(*call.out)};
  run(tuned(queue, tune_key(call.tuned_as, storages<L, C>(), geometry, count), candidates, run,
            std::span(changed).first(call.from == call.out ? 1 : 0)));
}

template <class Target, class C>
void CoarsePackLaunch<Target, C>::shift(const CoarseHopCall& call, int d, Region region, const Queue& queue) {
  CoarseShift<Target, C> shift{detail::open_hop<Target, C, C>(call)};
  shift.d = d;
  shift.teams.sites = make_domain(call.in->geometry(), region, call.parity, location_of<Target>);
  TeamDomain teams;
  teams.count = shift.teams.count();
  if (teams.count > 0) for_each_team(teams, queue, shift);
}

template <class Target, class C>
void CoarsePackLaunch<Target, C>::pack(const CoarseHopCall& call, const Queue& queue) {
  CoarseFacePack<Target, C> pack;
  pack.shape = call.in->geometry().general_shape();
  pack.parity = pack.shape.neighbor_parity(call.parity);
  pack.in = component_lines<Target, C>(*call.in, pack.parity);
  pack.active = call.active;
  pack.components = call.components;
  for (int d = 0; d < coarse_hops; ++d) {
    void* face = call.halo->send(d);
    if (face == nullptr) continue;
    pack.face = {face, call.halo->face_layout(d).size(), call.halo->face_layout(d)};
    pack.d = d;
    pack.sites = pack.shape.face_sites(d / 2);
    TeamDomain teams;
    teams.count = pack.sites * call.active.count();
    if (teams.count > 0) for_each_team(teams, queue, pack);
  }
}

}  // namespace plaq
