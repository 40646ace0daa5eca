// Bodies of the launches of transfers; the build instantiates them.
#pragma once

#include "core/field/field_views.hpp"
#include "core/launch/dispatch.hpp"
#include "core/launch/launch.hpp"
#include "multigrid/transfer/block_orthonormal.hpp"
#include "multigrid/transfer/block_transfer.hpp"
#include "multigrid/transfer/block_truncation.hpp"
#include "multigrid/transfer/transfer_launch.hpp"

namespace plaq {
namespace detail {

// Opens what Transfer and NearNull kernels share.
template <class Target, class K, class V>
K open_aggregates(const TransferCall& call, int inner) {
  K kernel;
  kernel.teams = {call.aggregation->coarse().general_shape(), inner};
  kernel.rows = call.aggregation->rows();
  for (int parity = 0; parity < call.aggregation->coarse().parities(); ++parity)
    kernel.v[parity] = scalar_components<Target, V>(*call.vectors, parity);
  return kernel;
}

template <class K>
void run_teams(const K& kernel, std::size_t scratch_bytes, const Queue& queue) {
  TeamDomain teams;
  teams.count = kernel.teams.count();
  teams.scratch_bytes = scratch_bytes;
  for_each_team(teams, queue, kernel);
}

template <class Target, class K, class V, class F>
void run_transfer(const TransferCall& call, int inner_of_a_vector, const Queue& queue) {
  const Aggregation& a = *call.aggregation;
  auto kernel = open_aggregates<Target, K, V>(call, call.active.count() * inner_of_a_vector);
  kernel.vectors = call.vectors->subfields();
  kernel.active = call.active;
  for (int parity = 0; parity < a.fine().parities(); ++parity)
    kernel.fine[parity] = scalar_components<Target, F>(*call.fine, parity);
  for (int parity = 0; parity < a.coarse().parities(); ++parity)
    kernel.coarse[parity] = scalar_components<Target, Compute<F>>(*call.coarse, parity);
  if constexpr (requires { kernel.add; }) kernel.add = call.add;
  if constexpr (requires { kernel.across; }) {
    kernel.hop = call.hop;
    kernel.across = call.across;
  }
  run_teams(kernel, K::scratch_bytes(a.rows(), kernel.vectors), queue);
}

}  // namespace detail

template <class Target, class V, class F>
void TransferLaunch<Target, V, F>::restrict(const TransferCall& call, const Queue& queue) {
  detail::run_transfer<Target, BlockRestriction<Target, V, F>, V, F>(call, call.aggregation->chiralities(),
                                                                     queue);
}

template <class Target, class V, class F>
void TransferLaunch<Target, V, F>::prolong(const TransferCall& call, const Queue& queue) {
  detail::run_transfer<Target, BlockProlongation<Target, V, F>, V, F>(call, 1, queue);
}

template <class Target, class V>
void NearNullLaunch<Target, V>::gather(const TransferCall& call, const Queue& queue) {
  with_storage(call.fine->precision(), [&](auto storage) {
    using F = typename decltype(storage)::type;
    if constexpr (std::is_same_v<Compute<F>, V>) {
      using K = AggregateGather<Target, V, F>;
      auto kernel = detail::open_aggregates<Target, K, V>(call, call.vectors->subfields());
      for (int parity = 0; parity < call.aggregation->fine().parities(); ++parity)
        kernel.fine[parity] = scalar_components<Target, F>(*call.fine, parity);
      detail::run_teams(kernel, 0, queue);
    } else {
      throw Error(ErrorKind::internal,
                  "internal error: near-null vectors of another precision than their aggregates'");
    }
  });
}

template <class Target, class V>
void NearNullLaunch<Target, V>::truncate(const TransferCall& call, const Field& leading, double dependent,
                                         const Queue& queue) {
  using K = BlockTruncation<Target, V>;
  auto kernel = detail::open_aggregates<Target, K, V>(call, call.aggregation->chiralities());
  for (int parity = 0; parity < call.aggregation->coarse().parities(); ++parity)
    kernel.leading[parity] = scalar_components<Target, V>(leading, parity);
  kernel.vectors = call.vectors->subfields();
  kernel.kept = leading.subfields();
  kernel.dependent = dependent;
  detail::run_teams(kernel, K::scratch_bytes(kernel.vectors), queue);
}

template <class Target, class V>
void NearNullLaunch<Target, V>::orthonormalise(const TransferCall& call, double dependent,
                                               OrthonormalPass* found, const Queue& queue) {
  using K = BlockOrthonormal<Target, V>;
  auto kernel = detail::open_aggregates<Target, K, V>(call, call.aggregation->chiralities());
  kernel.vectors = call.vectors->subfields();
  kernel.dependent = dependent;
  kernel.found = found;
  detail::run_teams(kernel, K::scratch_bytes(kernel.vectors), queue);
}

}  // namespace plaq
