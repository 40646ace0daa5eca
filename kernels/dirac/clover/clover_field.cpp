#include "kernels/dirac/clover/clover_field.hpp"

#include <cstdio>
#include <string>
#include <utility>

#include "comms/halo/extended_halo.hpp"
#include "core/launch/dispatch.hpp"
#include "core/operator/kernel_work.hpp"
#include "core/system/error.hpp"
#include "core/system/timer.hpp"
#include "kernels/dirac/clover/chiral_exponential.hpp"

namespace plaq {
namespace {

std::string short_form(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6g", value);
  return text;
}

// Blocks once for all right-hand sides, each spinor read and written.
Work clover_work(const Field& in, int vectors) {
  const double sites = 0.5 * static_cast<double>(in.geometry().local_volume()),
               real = bytes_of(in.precision());
  const bool half = in.precision() == Precision::half_precision;
  return {sites * vectors * 504,
          sites * (72 * real + (half ? 8 : 0) + vectors * 2 * (24 * real + (half ? 4 : 0)))};
}

}  // namespace

CloverField::CloverField(const ProcessGrid& grid, const Field& gauge, double diagonal,
                         const CloverCoefficients& coefficients, const Queue& queue,
                         std::shared_ptr<Transport> transport, double twist)
    : grid_(&grid),
      queue_(queue),
      diagonal_(diagonal),
      coefficients_(coefficients),
      twist_(twist),
      made_of_(gauge),
      term_(gauge.geometry_ptr(), clover_spec(Subset::full, Precision::double_precision, queue.location())) {
  require(gauge.geometry().halo_depth() == 0, "a clover term takes its gauge field without halo");
  const ScopedRange range("clover_term");
  const FieldSpec links_spec = gauge_spec(Precision::double_precision, queue.location());
  Field links(gauge.geometry().extended(1), links_spec);
  copy(links, gauge);
  ExtendedHalo(grid, links.geometry_ptr(), links_spec, std::move(transport)).exchange(links, queue_);
  const auto launch = [&](Field& term, double on_diagonal, double factor) {
    const CloverTermCall call{&links, &term, on_diagonal, factor * coefficients.spatial,
                              factor * coefficients.temporal};
    dispatch(queue.location(), Precision::double_precision,
             [&](auto kind) { launch_clover_term<typename decltype(kind)::target>(call, queue_); });
  };
  if (!coefficients.exponential) {
    launch(term_, diagonal, 1);
    queue_.synchronize();  // before the links go
    return;
  }
  if (diagonal == 0)
    throw Error(ErrorKind::job_file,
                "the exponential clover term needs a diagonal m + 1 + 3 nu/xi that is not 0");
  Field exponent(term_.geometry_ptr(), term_.spec());
  launch(exponent, 0, 1 / diagonal);
  const int halvings = halvings_of_exponent(coefficients.spatial, coefficients.temporal, diagonal);
  dispatch(queue.location(), Precision::double_precision, [&](auto kind) {
    launch_clover_exponential<typename decltype(kind)::target>(exponent, term_, diagonal, halvings, queue_);
  });
  queue_.synchronize();
}

void CloverField::invert(int parity) {
  const auto p = static_cast<std::size_t>(parity);
  const ScopedRange range("clover_inverse");
  const FieldSpec spec = clover_spec(subset_of(parity), Precision::double_precision, queue_.location());
  Field inverse(geometry(), spec), inverse_twist;
  if (twist_ != 0) inverse_twist = Field(geometry(), spec);
  constexpr int sums = 3;
  SumBuffer buffer(queue_.location(), 2 * sums);
  buffer.clear(queue_, 2 * sums);
  dispatch(queue_.location(), Precision::double_precision, [&](auto kind) {
    launch_clover_inverse<typename decltype(kind)::target>(
        term_, twist_, inverse, twist_ != 0 ? &inverse_twist : nullptr, parity, queue_, buffer);
  });
  auto local = buffer.fetch(queue_, 2 * sums);
  for (std::size_t k = 0; k < sums; ++k) local[k].merge(local[sums + k]);
  local.resize(sums);
  const auto found = global_sums(*grid_, local);
  if (found[2] != 0)
    throw Error(ErrorKind::job_file,
                "the clover term with diagonal " + short_form(diagonal_) + " and coefficients " +
                    short_form(coefficients_.spatial) + " (space), " + short_form(coefficients_.temporal) +
                    " (time) is singular to rounding or not finite in " + short_form(found[2]) + " of the " +
                    std::to_string(geometry()->global_volume()) + " chiral blocks on " +
                    (parity == 0 ? "even" : "odd") + " sites of " + to_string(geometry()->global()) +
                    ": it has no inverse there");
  determinant_[p] = {found[0], twist_ == 0 ? static_cast<std::int64_t>(found[1]) : 0};
  inverse_[p] = std::move(inverse);
  inverse_twist_[p] = std::move(inverse_twist);
}

const Field& CloverField::inverse(int parity) {
  require(parity == 0 || parity == 1, "a clover term was asked for the inverse of no parity");
  auto& field = inverse_[static_cast<std::size_t>(parity)];
  if (!field) invert(parity);
  return field;
}

const Field& CloverField::inverse_twist(int parity) {
  require(twist_ != 0, "a clover term without a twist was asked for that of its inverse");
  inverse(parity);
  return inverse_twist_[static_cast<std::size_t>(parity)];
}

CloverDeterminant CloverField::determinant(int parity) {
  inverse(parity);
  return determinant_[static_cast<std::size_t>(parity)];
}

Field clover_blocks(const Field& blocks, Precision precision) {
  FieldSpec spec = blocks.spec();
  spec.precision = precision;
  Field converted(blocks.geometry_ptr(), spec);
  copy(converted, blocks);
  return converted;
}

void apply_clover(Field& out, const Field& in, const Field& blocks, int parity, const ActiveSet& active,
                  const Queue& queue) {
  require(active.batch() == in.subfields() && out.subfields() == in.subfields(),
          "batches of different size in one clover term");
  require(in.geometry().local() == blocks.geometry().local() &&
              out.geometry().local() == blocks.geometry().local() &&
              in.geometry().halo_depth() == blocks.geometry().halo_depth() &&
              out.geometry().halo_depth() == blocks.geometry().halo_depth(),
          "a clover term of another lattice than its spinors'");
  if (active.count() == 0) return;
  record(queue, {"clover", "vector_update", in.precision(), 0, active.count(), false,
                 clover_work(in, active.count())});
  const CloverApplyCall call{&blocks, &in, &out, parity, active};
  dispatch_storage(blocks.location(), blocks.precision(), [&](auto kind) {
    using K = decltype(kind);
    CloverApplyLaunch<typename K::target, typename K::scalar>::run(call, queue);
  });
}

}  // namespace plaq
