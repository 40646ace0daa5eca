// Bodies of the launches of transfers; the build instantiates them.
#pragma once

#include "core/field/component_lines.hpp"
#include "core/launch/dispatch.hpp"
#include "core/launch/launch.hpp"
#include "core/launch/team_candidates.hpp"
#include "core/launch/team_tiles.hpp"
#include "core/launch/tuning.hpp"
#include "multigrid/transfer/block_orthonormal.hpp"
#include "multigrid/transfer/block_transfer_exact.hpp"
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

template <class Target, class V, class F>
BlockTransfer<Target, V, F> open_transfer(const TransferCall& call) {
  const Aggregation& a = *call.aggregation;
  BlockTransfer<Target, V, F> opened;
  opened.rows = a.rows();
  opened.vectors = call.vectors->subfields();
  opened.by_vectors = Divisor(static_cast<std::uint32_t>(opened.vectors));
  opened.by_half = Divisor(static_cast<std::uint32_t>(opened.rows.half()));
  opened.active = call.active;
  opened.sites = call.sites;
  opened.add = call.add;
  opened.slice = call.slice;
  for (int parity = 0; parity < a.fine().parities(); ++parity)
    opened.fine[parity] = slice_lines<Target, F>(*call.fine, parity, call.slice);
  for (int parity = 0; parity < a.coarse().parities(); ++parity) {
    opened.v[parity] = component_lines<Target, V>(*call.vectors, parity);
    opened.coarse[parity] = component_lines<Target, Compute<F>>(*call.coarse, parity);
  }
  return opened;
}

// Near-null vectors in half and quarter precision are multiplied exactly, where
// that is not less than vectors have.
template <class V, class F>
inline constexpr bool multiplied_exactly = sizeof(V) <= 2 && std::is_same_v<Compute<F>, float>;

// with_kernel(launch, f) calls f.operator()<kernel>(). `parts`: whether the kernel's sums have parts.
// `workers`: of an exact product, at most. `changed`: what the launch both reads and writes.
template <class Target, class V, class F, class WithKernel>
void run_transfer(const TransferCall& call, int numbers_of_packs, bool parts, int workers,
                  const WithKernel& with_kernel, std::span<const Tuner::Memory> changed, const Queue& queue) {
  const Aggregation& a = *call.aggregation;
  auto opened = open_transfer<Target, V, F>(call);
  opened.by_packs = Divisor(static_cast<std::uint32_t>(packs_of<Target, Compute<F>>(numbers_of_packs)));
  const auto scratch_bytes = [&](const Launch& launch) {
    std::size_t bytes = 0;
    with_kernel(launch, [&]<class K>() {
      if constexpr (multiplied_exactly<V, F>)
        bytes = K::scratch_bytes(a.rows(), opened.vectors, workers_of(launch));
      else
        bytes = K::scratch_bytes(a.rows(), opened.vectors);
    });
    return bytes;
  };
  const int count = call.active.count();
  const auto run = [&](const Launch& launch) {
    with_kernel(launch, [&]<class K>() {
      K kernel{opened};
      const int tiles = (count + launch.width - 1) / launch.width;
      kernel.teams = {a.coarse().general_shape(), tiles * K::teams_of_tile(a.rows())};
      if constexpr (multiplied_exactly<V, F>) kernel.workers = workers_of(launch);
      run_team_tiles(kernel, kernel.teams.count(), scratch_bytes(launch), launch, queue);
    });
  };
  if (count == 0) return;
  const int tuned_for = call.active.tuned_count();
  const auto candidates = multiplied_exactly<V, F>
                              ? exact_candidates(location_of<Target>, tuned_for, workers, scratch_bytes)
                              : tile_candidates(location_of<Target>, tuned_for, parts, scratch_bytes);
  const auto key = tune_key(call.tuned_as, storages<V, F>(), a.fine(), tuned_for);
  run(tuned(queue, key, candidates, run, changed));
}

}  // namespace detail

template <class Target, class V, class F>
void TransferLaunch<Target, V, F>::restrict(const TransferCall& call, const Queue& queue) {
  const Tuner::Memory changed[1] = {memory_of(*call.coarse)};
  detail::run_transfer<Target, V, F>(
      call, call.vectors->subfields(), true, most_workers,
      [](const Launch& launch, auto&& f) {
        if constexpr (detail::multiplied_exactly<V, F>)
          with_exact_tile<Target>(launch, [&]<int tile>(std::integral_constant<int, tile>) {
            f.template operator()<ExactRestriction<Target, V, F, tile>>();
          });
        else
          with_tile<Target, 4>(launch, [&]<int tile, int parts>(TileParts<tile, parts>) {
            f.template operator()<BlockRestriction<Target, V, F, tile, parts>>();
          });
      },
      std::span(changed).first(call.add ? 1 : 0), queue);
}

template <class Target, class V, class F>
void TransferLaunch<Target, V, F>::prolong(const TransferCall& call, const Queue& queue) {
  const Tuner::Memory changed[1] = {memory_of(*call.fine)};
  detail::run_transfer<Target, V, F>(
      call, call.aggregation->rows().of_parity(), false, exact_prolongation_groups,
      [](const Launch& launch, auto&& f) {
        if constexpr (detail::multiplied_exactly<V, F>)
          with_exact_tile<Target>(launch, [&]<int tile>(std::integral_constant<int, tile>) {
            f.template operator()<ExactProlongation<Target, V, F, tile>>();
          });
        else
          with_tile<Target, 1>(launch, [&]<int tile, int parts>(TileParts<tile, parts>) {
            f.template operator()<BlockProlongation<Target, V, F, tile>>();
          });
      },
      std::span(changed).first(call.add ? 1 : 0), queue);
}

template <class Target, class V>
void NearNullLaunch<Target, V>::gather(const TransferCall& call, const Queue& queue) {
  with_storage(call.fine->precision(), [&](auto storage) {
    using F = typename decltype(storage)::type;
    if constexpr (std::is_same_v<Compute<F>, V>) {
      using K = AggregateGather<Target, V, F>;
      auto kernel = detail::open_aggregates<Target, K, V>(call, 1);
      for (int parity = 0; parity < call.aggregation->fine().parities(); ++parity)
        kernel.fine[parity] = slice_components<Target, F>(*call.fine, parity, call.slice);
      kernel.vectors = call.vectors->subfields();
      kernel.slice = call.slice;
      detail::run_teams(kernel, K::scratch_bytes(kernel.rows, kernel.vectors), queue);
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
