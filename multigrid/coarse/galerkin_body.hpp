// Bodies of the launches of the Galerkin product; the build instantiates them.
#pragma once

#include "core/field/field_views.hpp"
#include "core/launch/launch.hpp"
#include "multigrid/coarse/galerkin.hpp"
#include "multigrid/coarse/galerkin_kernels.hpp"

namespace plaq {
namespace detail {

template <class K>
void run_at_sites(const K& kernel, int sites, const Queue& queue) {
  TeamDomain teams;
  teams.count = sites;
  if (sites > 0) for_each_team(teams, queue, kernel);
}

}  // namespace detail

template <class Target, class C>
void GalerkinLaunch<Target, C>::unit_vectors(const Field& vectors, int first, const Queue& queue) {
  const GeneralShape& shape = vectors.geometry().general_shape();
  for (int parity = 0; parity < shape.parities(); ++parity) {
    UnitVectors<Target, C> units;
    units.vectors = scalar_components<Target, C>(vectors, parity);
    units.sites = shape.parity_sites(parity);
    units.components = vectors.reals_per_site() / 2;
    units.count = vectors.subfields();
    units.first = first;
    detail::run_at_sites(units, units.sites, queue);
  }
}

template <class Target, class C>
void GalerkinLaunch<Target, C>::store_columns(const Field& links, const Field& vectors, int matrix, int first,
                                              bool add, const Queue& queue) {
  const GeneralShape& shape = links.geometry().general_shape();
  for (int parity = 0; parity < shape.parities(); ++parity) {
    StoreColumns<Target, C> store;
    store.vectors = scalar_components<Target, C>(vectors, parity);
    store.links = scalar_components<Target, C>(links, parity);
    store.sites = shape.parity_sites(parity);
    store.components = links.subfields();
    store.count = vectors.subfields();
    store.matrix = matrix;
    store.first = first;
    store.add = add;
    detail::run_at_sites(store, store.sites, queue);
  }
}

template <class Target, class C>
void GalerkinLaunch<Target, C>::add_inner_hops(const Field& links, const Field& inner, const Queue& queue) {
  const GeneralShape& shape = links.geometry().general_shape();
  for (int parity = 0; parity < shape.parities(); ++parity) {
    AddInnerHops<Target, C> add;
    add.inner = scalar_components<Target, C>(inner, parity);
    add.links = scalar_components<Target, C>(links, parity);
    add.sites = shape.parity_sites(parity);
    add.components = links.subfields();
    detail::run_at_sites(add, add.sites, queue);
  }
}

template <class Target, class C>
void GalerkinLaunch<Target, C>::pack_hops_ahead(const Field& links, const Halo& halo, int parity,
                                                const Queue& queue) {
  for (int mu = 0; mu < 4; ++mu) {
    const int d = 2 * mu + 1;  // the hop in which neighbours ahead see this rank
    if (halo.send(d) == nullptr) continue;
    PackHopsAhead<Target, C> pack;
    pack.shape = links.geometry().general_shape();
    pack.links = scalar_components<Target, C>(links, parity);
    pack.face = ScalarComponents<C>(halo.send(d), halo.face_layout(d).size(), halo.face_layout(d));
    pack.parity = parity;
    pack.mu = mu;
    pack.components = links.subfields();
    detail::run_at_sites(pack, pack.shape.face_sites(mu), queue);
  }
}

template <class Target, class C>
void GalerkinLaunch<Target, C>::fill_hops_behind(const Field& links, const Halo& halo, int parity,
                                                 const Queue& queue) {
  for (int mu = 0; mu < 4; ++mu) {
    const int d = 2 * mu + 1;
    FillHopsBehind<Target, C> fill;
    fill.shape = links.geometry().general_shape();
    fill.links = scalar_components<Target, C>(links, parity);
    fill.behind = scalar_components<Target, C>(links, fill.shape.neighbor_parity(parity));
    if (void* face = halo.receive(d))
      fill.ghost = ScalarComponents<C>(face, halo.face_layout(d).size(), halo.face_layout(d));
    fill.parity = parity;
    fill.mu = mu;
    fill.components = links.subfields();
    detail::run_at_sites(fill, fill.shape.parity_sites(parity), queue);
  }
}

}  // namespace plaq
