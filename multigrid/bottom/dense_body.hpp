// Bodies of the launches of dense products; the build instantiates them.
#pragma once

#include "core/field/field_views.hpp"
#include "core/launch/launch.hpp"
#include "multigrid/bottom/dense_launch.hpp"
#include "multigrid/bottom/dense_product.hpp"

namespace plaq {
namespace detail {

template <class Target, class D, class C, int R>
void multiply_dense(const DenseProductCall& call, const Queue& queue) {
  using Product = DenseProduct<Target, D, C, R>;
  Product product;
  product.tiles.rows = call.rows;
  product.matrix = call.matrix->as<DenseNumber<D>>();
  product.scale_of_row = call.scales->as<float>();
  product.packed = call.packed->as<Complex<C>>();
  product.out = scalar_components<Target, C>(*call.out, call.parity);
  product.active = call.active;
  product.components = call.in->reals_per_site() / 2;
  product.padded = dense_padded(call.active.count());
  TeamDomain teams;
  teams.count = product.tiles.count() * product.groups();
  teams.team_size = Product::max_team_size;
  teams.scratch_bytes = Product::scratch_bytes();
  for_each_team(teams, queue, product);
}

}  // namespace detail

template <class Target, class D, class C>
void DenseLaunch<Target, D, C>::multiply(const DenseProductCall& call, const Queue& queue) {
  using Pack = DensePack<Target, C>;
  Pack pack;
  pack.in = scalar_components<Target, C>(*call.in, call.parity);
  pack.packed = call.packed->as<Complex<C>>();
  pack.active = call.active;
  pack.rows = call.rows;
  pack.components = call.in->reals_per_site() / 2;
  pack.padded = dense_padded(call.active.count());
  TeamDomain teams;
  teams.count = (call.rows + Pack::rows_a_team - 1) / Pack::rows_a_team;
  for_each_team(teams, queue, pack);
  switch (dense_group(call.active.count())) {
    case 1:
      return detail::multiply_dense<Target, D, C, 1>(call, queue);
    case 4:
      return detail::multiply_dense<Target, D, C, 4>(call, queue);
    default:
      return detail::multiply_dense<Target, D, C, 16>(call, queue);
  }
}

}  // namespace plaq
