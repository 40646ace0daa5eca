// Bodies of the launches of coarse_hat.hpp; the build instantiates them.
#pragma once

#include "core/field/field_views.hpp"
#include "core/launch/launch.hpp"
#include "multigrid/coarse/coarse_hat.hpp"
#include "multigrid/coarse/coarse_hat_kernels.hpp"

namespace plaq {

template <class Target, class C>
void CoarseHatLaunch<Target, C>::invert_sites(const Field& inverse, const Field& links, int parity,
                                              int* singular, const Queue& queue) {
  using Invert = InvertSites<Target, C>;
  Invert invert;
  invert.links = scalar_components<Target, C>(links, parity);
  invert.matrices = scalar_components<Target, double>(inverse, parity);
  invert.singular = singular;
  invert.sites = links.geometry().general_shape().parity_sites(parity);
  invert.components = links.subfields();
  invert.matrix = coarse_hops - stored_parts(links.spec()).begin;
  TeamDomain teams;
  teams.count = invert.sites;
  teams.scratch_bytes = Invert::scratch_bytes(invert.components);
  if (teams.count > 0) for_each_team(teams, queue, invert);
}

template <class Target, class C>
void CoarseHatLaunch<Target, C>::shift_sites(const Field& links, double shift, const Queue& queue) {
  const GeneralShape& shape = links.geometry().general_shape();
  for (int parity = 0; parity < shape.parities(); ++parity) {
    ShiftSites<Target, C> kernel;
    kernel.links = scalar_components<Target, C>(links, parity);
    kernel.shift = static_cast<C>(shift);
    kernel.sites = shape.parity_sites(parity);
    kernel.components = links.subfields();
    TeamDomain teams;
    teams.count = kernel.sites;
    if (teams.count > 0) for_each_team(teams, queue, kernel);
  }
}

template <class Target, class C>
void CoarseHatLaunch<Target, C>::twist_sites(const Field& out, const Field& links, const Field* even_share,
                                             const Twist& twist, const Queue& queue) {
  const GeneralShape& shape = links.geometry().general_shape();
  for (int parity = 0; parity < shape.parities(); ++parity) {
    TwistSites<Target, C> kernel;
    kernel.links = scalar_components<Target, C>(links, parity);
    kernel.out = scalar_components<Target, C>(out, parity);
    if (even_share != nullptr) kernel.share = scalar_components<Target, C>(*even_share, parity);
    kernel.of_share = static_cast<C>(twist.even - twist.odd);
    kernel.of_one = static_cast<C>(twist.odd);
    kernel.sites = shape.parity_sites(parity);
    kernel.components = links.subfields();
    kernel.out_matrix = coarse_hops - stored_parts(out.spec()).begin;
    TeamDomain teams;
    teams.count = kernel.sites;
    if (teams.count > 0) for_each_team(teams, queue, kernel);
  }
}

template <class Target, class C>
void CoarseHatLaunch<Target, C>::multiply_hops(const Field& hops, const Field& inverse, const Field& links,
                                               const Queue& queue) {
  const GeneralShape& shape = links.geometry().general_shape();
  for (int parity = 0; parity < shape.parities(); ++parity) {
    MultiplyHops<Target, C> multiply;
    multiply.inverse = scalar_components<Target, double>(inverse, parity);
    multiply.links = scalar_components<Target, C>(links, parity);
    multiply.hat = scalar_components<Target, C>(hops, parity);
    multiply.sites = shape.parity_sites(parity);
    multiply.components = links.subfields();
    TeamDomain teams;
    teams.count = multiply.sites;
    if (teams.count > 0) for_each_team(teams, queue, multiply);
  }
}

}  // namespace plaq
