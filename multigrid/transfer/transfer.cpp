#include "multigrid/transfer/transfer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "core/field/exact_product.hpp"
#include "core/launch/dispatch.hpp"
#include "core/operator/kernel_work.hpp"
#include "core/system/runs_dry.hpp"
#include "core/system/timer.hpp"
#include "multigrid/transfer/block_truncation.hpp"
#include "multigrid/transfer/transfer_launch.hpp"

namespace plaq {
namespace {

constexpr double dependent = 1e-6;  // a pivot below this share of its column
constexpr int passes = 2;

Precision compute_precision(Precision storage) {
  return bytes_of(storage) <= 2 ? Precision::single_precision : storage;
}

// Work of all passes of CholeskyQR on this many rows and columns: Gram matrices and what makes vectors
// orthonormal.
Work orthonormal_work(double rows, double columns, Precision precision) {
  constexpr double reads = 2, writes = 1;
  return passes *
         Work{8 * rows * columns * columns, 2 * (reads + writes) * rows * columns * bytes_of(precision)};
}

// The launch for the storages of a call.
template <class F>
void dispatch_transfer(const TransferCall& call, F&& run) {
  dispatch_storage(call.fine->location(), call.fine->precision(), [&]<class Kind>(Kind) {
    with_matrix_storage(call.vectors->precision(), [&]<class V>(Storage<V>) {
      using S = typename Kind::scalar;
      // Vectors in double belong to double alone, and those in quarter
      // precision to what is multiplied exactly.
      constexpr bool is_double = std::is_same_v<S, double>;
      if constexpr (is_double ? !std::is_same_v<V, Fixed8> : !std::is_same_v<V, double>) {
        run(TransferLaunch<typename Kind::target, V, S>());
      } else {
        throw Error(ErrorKind::internal,
                    "internal error: near-null vectors in double precision for fields that are not, or in "
                    "quarter precision for fields that are");
      }
    });
  });
}

}  // namespace

Transfer::Transfer(const ProcessGrid& grid, Aggregation aggregation, const Field& vectors, Precision storage,
                   const Queue& queue, int most)
    : aggregation_(std::move(aggregation)), queue_(queue) {
  const ScopedRange range("transfer");
  const int given = vectors.batch(), slices = aggregation_.slices();
  require(vectors.Ls() == slices, "near-null vectors of another fifth dimension than their aggregates'");
  const bool truncated = most > 0 && most < given;
  const int count = truncated ? most : given;
  if (count > aggregation_.most_vectors())
    throw Error(
        ErrorKind::job_file,
        fmt::format("{} near-null vectors, but an aggregate of {} sites has {} components of a chirality",
                    count, to_string(aggregation_.blocking().block()), aggregation_.most_vectors()));
  if (truncated && given > most_truncated)
    throw Error(ErrorKind::job_file,
                fmt::format("{} near-null vectors to be cut to {}, but at most {} can be", given, most,
                            most_truncated));
  require(bytes_of(storage) >= 4 || std::max(count, aggregation_.rows().half()) <= most_exact_columns,
          "a transfer in half or quarter precision with more components than an exact product takes");
  const Precision wide = compute_precision(vectors.precision());
  const auto field_of = [&](int columns, Precision precision) {
    return Field(aggregation_.coarse_ptr(),
                 aggregation_.vectors_spec(columns, precision, vectors.location()));
  };
  Field v = field_of(given, wide);
  TransferCall call;
  call.aggregation = &aggregation_;
  call.vectors = &v;
  call.fine = &vectors;
  const auto teams = static_cast<std::size_t>(aggregation_.coarse().parities() *
                                              aggregation_.coarse().general_shape().stored_sites() *
                                              aggregation_.chiralities());
  const double rows =
      static_cast<double>(aggregation_.fine().local_volume()) * aggregation_.components() * slices;
  record(queue_,
         {"orthonormalisation", "transfer", wide, 0, count, false, orthonormal_work(rows, count, wide)});
  const Buffer there(vectors.location(), teams * sizeof(OrthonormalPass));
  std::vector<OrthonormalPass> found(teams, {1, 0});
  dispatch(vectors.location(), wide, [&](auto kind) {
    using Kind = decltype(kind);
    using Launch = NearNullLaunch<typename Kind::target, typename Kind::scalar>;
    for (call.slice = 0; call.slice < slices; ++call.slice) Launch::gather(call, queue_);
    if (truncated) {
      Field leading = field_of(count, wide);
      Launch::truncate(call, leading, dependent, queue_);
      queue_.synchronize();
      v = std::move(leading);
    }
    for (int pass = 0; pass < passes; ++pass) {
      Launch::orthonormalise(call, dependent, there.as<OrthonormalPass>(), queue_);
      if (pass > 0) continue;
      on_numbers([&] {
        queue_.synchronize();
        copy_bytes(found.data(), Location::host, there.data(), there.location(), there.bytes());
      });
    }
  });
  for (const OrthonormalPass& pass : found) {
    orthonormality_.least_pivot = std::min(orthonormality_.least_pivot, pass.least_pivot);
    orthonormality_.dropped += pass.dropped;
  }
  orthonormality_.least_pivot = grid.comm().min(orthonormality_.least_pivot);
  orthonormality_.dropped = grid.comm().sum(orthonormality_.dropped);
  queue_.synchronize();
  if (storage == wide) {
    v_ = std::move(v);
  } else {
    v_ = field_of(count, storage);
    copy(v_, v);
  }
  const std::string of = fmt::format(" {} by {}", count, to_string(aggregation_.blocking().block()));
  restrict_name_ = "restrict" + of;
  prolong_name_ = "prolong" + of;
}

FieldSpec Transfer::coarse_spec(int batch, Precision fine) const {
  return aggregation_.coarse_spec(vectors(), batch, compute_precision(fine), v_.location());
}

Work Transfer::work(int batch, Precision fine) const {
  const double sites = 0.5 * static_cast<double>(aggregation_.fine().local_volume());
  const double rows = sites * aggregation_.components() * aggregation_.slices();
  return {8 * rows * vectors() * batch,
          2 * rows * (vectors() * bytes_of(v_.precision()) + batch * bytes_of(fine))};
}

void Transfer::expect_fields(const Field& fine, const Field& coarse) const {
  require(coarse.spec() == coarse_spec(coarse.batch(), fine.precision()) && fine.batch() == coarse.batch() &&
              fine.reals_per_site() == 2 * aggregation_.components() && fine.Ls() == aggregation_.slices() &&
              fine.location() == v_.location(),
          "a transfer between fields that are not of its lattices");
}

void Transfer::record_work(const char* name, const Field& fine, const ActiveSet& active) const {
  const double parities = fine.spec().subset == Subset::full ? 2 : 1;
  record(queue_, {name, "transfer", v_.precision(), 0, active.count(), false,
                  parities * work(active.count(), fine.precision())});
}

void Transfer::restrict(Field& coarse, const Field& fine, const ActiveSet& active) const {
  run_restrict(coarse, fine, {}, active);
}

void Transfer::restrict_hop(Field& coarse, const Field& fine, const Offset& hop, const Offset& across,
                            const ActiveSet& active) const {
  HopSites sites{false};
  for (std::size_t mu = 0; mu < 4; ++mu) {
    require(std::abs(hop[mu]) <= aggregation_.blocking().block()[mu], "a hop that is longer than a block");
    sites.hop.x[mu] = hop[mu];
    sites.across.x[mu] = across[mu];
  }
  run_restrict(coarse, fine, sites, active);
}

// Slice after slice, each added to those before.
void Transfer::run_restrict(Field& coarse, const Field& fine, const HopSites& sites,
                            const ActiveSet& active) const {
  expect_fields(fine, coarse);
  record_work("restriction", fine, active);
  TransferCall call{&aggregation_, &v_, &fine, &coarse, active, false, sites, restrict_name_};
  dispatch_transfer(call, [&](auto launch) {
    for (call.slice = 0; call.slice < aggregation_.slices(); ++call.slice) {
      call.add = call.slice > 0;
      decltype(launch)::restrict(call, queue_);
    }
  });
}

void Transfer::run_prolong(Field& fine, const Field& coarse, const ActiveSet& active, bool add) const {
  expect_fields(fine, coarse);
  record_work("prolongation", fine, active);
  TransferCall call{&aggregation_, &v_, &fine, &coarse, active, add, {}, prolong_name_};
  dispatch_transfer(call, [&](auto launch) {
    for (call.slice = 0; call.slice < aggregation_.slices(); ++call.slice)
      decltype(launch)::prolong(call, queue_);
  });
}

}  // namespace plaq
