// Bodies of the launches of coarse operators; the build instantiates them.
#pragma once

#include "core/field/field_views.hpp"
#include "core/launch/launch.hpp"
#include "core/launch/tuning.hpp"
#include "multigrid/coarse/coarse_hop.hpp"
#include "multigrid/coarse/coarse_launch.hpp"

namespace plaq {
namespace detail {

template <class Target, class S>
ComponentLines<Target, S> component_lines(const Field& field, int parity) {
  expect_components<Target, S>(field);
  if (!field.holds(parity)) return {};
  return {field.data(0, parity), field.subfield_stride(), field.layout()};
}

template <class Target, class L, class C>
CoarseHopFields<Target, L, C> open_hop(const CoarseHopCall& call) {
  CoarseHopFields<Target, L, C> hop;
  hop.shape = call.in->geometry().general_shape();
  hop.links = component_lines<Target, L>(*call.links, call.parity);
  hop.in = component_lines<Target, C>(*call.in, hop.shape.neighbor_parity(call.parity));
  hop.here = component_lines<Target, C>(*call.in, call.parity);
  hop.out = component_lines<Target, C>(*call.out, call.parity);
  if (call.from != nullptr) hop.from = component_lines<Target, C>(*call.from, call.parity);
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

template <class Target, class L, class C, int Tile, int Parts>
void run_hop(const CoarseHopFields<Target, L, C>& fields, const Domain& sites, const Launch& launch,
             const Queue& queue) {
  using Hop = CoarseHop<Target, L, C, Tile, Parts>;
  Hop hop{fields};
  hop.teams = {sites, (fields.active.count() + Tile - 1) / Tile};
  TeamDomain teams;
  teams.count = hop.teams.count();
  if (launch.block != 0) teams.team_size = launch.block;
  teams.scratch_bytes = Hop::scratch_bytes(fields.components);
  if (teams.count > 0) for_each_team(teams, queue, hop);
}

template <class Target, class L, class C, int Tile>
void run_hop(const CoarseHopFields<Target, L, C>& fields, const Domain& sites, const Launch& launch,
             const Queue& queue) {
  if constexpr (std::is_same_v<Target, Host>) {  // as many sums as there are registers
    run_hop<Target, L, C, Tile, parts_of_columns / Tile>(fields, sites, launch, queue);
  } else if (launch.held) {
    run_hop<Target, L, C, Tile, parts_of_columns>(fields, sites, launch, queue);
  } else {
    run_hop<Target, L, C, Tile, 1>(fields, sites, launch, queue);
  }
}

}  // namespace detail

template <class Target, class L, class C>
void CoarseLaunch<Target, L, C>::hop(const CoarseHopCall& call, Region region, const Queue& queue) {
  const Geometry& geometry = call.in->geometry();
  const auto fields = detail::open_hop<Target, L, C>(call);
  const Domain sites = make_domain(geometry, region, call.parity, location_of<Target>);
  const auto run = [&](const Launch& launch) {
    if (launch.width == 1) return detail::run_hop<Target, L, C, 1>(fields, sites, launch, queue);
    if (launch.width == 2) return detail::run_hop<Target, L, C, 2>(fields, sites, launch, queue);
    detail::run_hop<Target, L, C, 4>(fields, sites, launch, queue);
  };
  const auto candidates =
      coarse_hop_candidates(location_of<Target>, precision_of<C>, call.components, call.active.count());
  // Sites at an edge are few, and those within like all of them.
  if (region == Region::boundary) return run(candidates.front());
  constexpr std::string_view storage = sizeof(L) == sizeof(C) ? (sizeof(C) == 4 ? "single" : "double")
                                       : sizeof(L) == 2       ? (sizeof(C) == 4 ? "half" : "half double")
                                       : sizeof(C) == 4       ? "double single"
                                                              : "single double";
  const Tuner::Memory changed[1] = {memory_of(*call.out)};
  run(tuned(queue, tune_key(call.tuned_as, storage, geometry, call.active.count()), candidates, run,
            std::span(changed).first(call.from == call.out ? 1 : 0)));
}

template <class Target, class C>
void CoarsePackLaunch<Target, C>::pack(const CoarseHopCall& call, const Queue& queue) {
  CoarseFacePack<Target, C> pack;
  pack.shape = call.in->geometry().general_shape();
  pack.parity = pack.shape.neighbor_parity(call.parity);
  pack.in = detail::component_lines<Target, C>(*call.in, pack.parity);
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
