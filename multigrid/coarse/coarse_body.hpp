// Bodies of the launches of coarse operators; the build instantiates them.
#pragma once

#include "core/field/field_views.hpp"
#include "core/launch/launch.hpp"
#include "multigrid/coarse/coarse_hop.hpp"
#include "multigrid/coarse/coarse_launch.hpp"

namespace plaq {

template <class Target, class L, class C>
void CoarseLaunch<Target, L, C>::hop(const CoarseHopCall& call, Region region, const Queue& queue) {
  const Geometry& geometry = call.in->geometry();
  using Hop = CoarseHop<Target, L, C>;
  Hop hop;
  hop.shape = geometry.general_shape();
  hop.teams.sites = make_domain(geometry, region, call.parity, location_of<Target>, call.active.count());
  hop.links = scalar_components<Target, L>(*call.links, call.parity);
  hop.in = scalar_components<Target, C>(*call.in, hop.shape.neighbor_parity(call.parity));
  hop.here = scalar_components<Target, C>(*call.in, call.parity);
  hop.out = scalar_components<Target, C>(*call.out, call.parity);
  if (call.from != nullptr) hop.from = scalar_components<Target, C>(*call.from, call.parity);
  for (int d = 0; d < coarse_hops; ++d)
    if (void* face = call.halo->receive(d))
      hop.ghost[d] = ScalarComponents<C>(face, call.halo->face_layout(d).size(), call.halo->face_layout(d));
  hop.active = call.active;
  hop.parity = call.parity;
  hop.components = call.components;
  hop.parts = call.parts;
  hop.first_negative = call.gamma5 ? call.components / 2 : call.components;
  TeamDomain teams;
  teams.count = hop.teams.count();
  teams.scratch_bytes = Hop::scratch_bytes(call.components);
  if (teams.count > 0) for_each_team(teams, queue, hop);
}

template <class Target, class C>
void CoarsePackLaunch<Target, C>::pack(const CoarseHopCall& call, const Queue& queue) {
  CoarseFacePack<Target, C> pack;
  pack.shape = call.in->geometry().general_shape();
  pack.parity = pack.shape.neighbor_parity(call.parity);
  pack.in = scalar_components<Target, C>(*call.in, pack.parity);
  pack.active = call.active;
  pack.components = call.components;
  for (int d = 0; d < coarse_hops; ++d) {
    void* face = call.halo->send(d);
    if (face == nullptr) continue;
    pack.face = ScalarComponents<C>(face, call.halo->face_layout(d).size(), call.halo->face_layout(d));
    pack.d = d;
    pack.sites = pack.shape.face_sites(d / 2);
    TeamDomain teams;
    teams.count = pack.sites * call.active.count();
    if (teams.count > 0) for_each_team(teams, queue, pack);
  }
}

}  // namespace plaq
