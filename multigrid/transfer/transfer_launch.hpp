// The launches of transfers for one machine and storage.
#pragma once

#include <string_view>

#include "core/field/field.hpp"
#include "core/launch/queue.hpp"
#include "core/operator/active_set.hpp"
#include "multigrid/transfer/aggregation.hpp"

namespace plaq {

struct OrthonormalPass;

struct TransferCall {
  const Aggregation* aggregation = nullptr;
  const Field* vectors = nullptr;  // as Aggregation::vectors_spec has them
  const Field* fine = nullptr;
  const Field* coarse = nullptr;
  ActiveSet active;
  bool add = false;           // to what the result holds
  HopSites sites = {};        // of a restriction
  std::string_view tuned_as;  // transfers of these aggregates and vectors; outlives the launch
  int slice = 0;              // of the fifth dimension
};

// V: storage of the near-null vectors, F: of fine ones; coarse ones are as those are computed with.
template <class Target, class V, class F>
struct TransferLaunch {
  static void restrict(const TransferCall& call, const Queue& queue);
  static void prolong(const TransferCall& call, const Queue& queue);
};

// V: float or double.
template <class Target, class V>
struct NearNullLaunch {
  // A slice of call.fine, in any storage of V's precision or below, becomes its rows of call.vectors.
  static void gather(const TransferCall& call, const Queue& queue);
  // call.vectors become `leading`, BlockTruncation.
  static void truncate(const TransferCall& call, const Field& leading, double dependent, const Queue& queue);
  // `found`: a number of teams, at the vectors' location: aggregates times chiralities.
  static void orthonormalise(const TransferCall& call, double dependent, OrthonormalPass* found,
                             const Queue& queue);
};

}  // namespace plaq
