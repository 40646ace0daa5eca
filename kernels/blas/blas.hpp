// Vector updates and sums over batches, by name. Sums here are this rank's, exact and not yet rounded: comms
// completes them (global_sums). One Workspace serves one batch; nothing is allocated after its first sums.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "core/field/field.hpp"
#include "core/launch/dispatch.hpp"
#include "core/sums/sum_buffer.hpp"
#include "kernels/blas/launch.hpp"

namespace plaq::blas {

class Workspace {
 public:
  // At most ActiveSet::capacity right-hand sides.
  Workspace(const Queue& queue, int batch);
  // Memory at the queue's location; on a device as much again on the host.
  static std::size_t bytes(int batch) { return coefficient_bytes(batch) + SumBuffer::bytes(sums_for(batch)); }
  // And this at the location alone.
  static std::size_t total_bytes(int batch) {
    return static_cast<std::size_t>(sums_for(batch)) * sizeof(double);
  }

  int batch() const { return batch_; }
  const Queue& queue() const { return queue_; }

  // Uploads coefficients of the active right-hand sides for the next update, from those of each right-hand
  // side. The host copy may be changed at once.
  CoefficientList upload(const std::vector<Coefficients>& coefficients);

  // Sums that launches have left and nobody has fetched: so many that one wait serves them all.
  SumBuffer& sums() { return sums_; }
  // Room for `count` more sums, at 0; the number of the first. At most 24 a right-hand side until fetched.
  int reserve_sums(int count);
  // Waits for the queue; all sums reserved since the last fetch.
  std::vector<ExactSum> fetch_sums();
  // Room at the vectors' location for the doubles that they round to; in their order.
  double* totals() const { return totals_.as<double>(); }
  // Number of these sums, for a caller that fetches them from sums() and leaves 0 there.
  int release_sums() { return std::exchange(reserved_, 0); }

 private:
  static constexpr int rounds = 8;  // uploads in flight, of large batches
  static std::size_t coefficient_bytes(int batch) {
    return batch <= CoefficientList::most
               ? 0
               : static_cast<std::size_t>(rounds * batch) * sizeof(CoefficientList::Set);
  }
  static int sums_for(int batch) { return 24 * batch; }
  Queue queue_;
  int batch_;
  std::vector<char> active_;  // of the last upload
  Buffer staging_, device_;
  std::vector<Event> uploaded_;
  int next_ = 0;
  SumBuffer sums_;
  Buffer totals_;
  int reserved_ = 0;
};

// Vectors in the order that kernels/blas/operations.hpp gives. Without sums.
template <class Op>
void update(Workspace& work, const CoefficientList& c, const std::array<const Field*, Op::vectors>& vectors) {
  static_assert(Op::sums == 0);
  dispatch_storage(vectors[0]->location(), vectors[0]->precision(), [&](auto kind) {
    using K = decltype(kind);
    UpdateLaunch<typename K::target, typename K::scalar, Op>::run(vectors, c, nullptr, 0, work.queue());
  });
}

template <class Op>
void update(Workspace& work, const std::vector<Coefficients>& coefficients,
            const std::array<const Field*, Op::vectors>& vectors) {
  update<Op>(work, work.upload(coefficients), vectors);
}

// Update with sums, which work.fetch_sums() will have at [returned + right-hand side * Op::sums + k].
template <class Op>
int update_and_add(Workspace& work, const CoefficientList& c,
                   const std::array<const Field*, Op::vectors>& vectors) {
  static_assert(Op::sums > 0);
  const int first = work.reserve_sums(Op::sums * vectors[0]->batch());
  dispatch_storage(vectors[0]->location(), vectors[0]->precision(), [&](auto kind) {
    using K = decltype(kind);
    UpdateLaunch<typename K::target, typename K::scalar, Op>::run(vectors, c, &work.sums(), first,
                                                                  work.queue());
  });
  return first;
}
template <class Op>
int update_and_add(Workspace& work, const std::vector<Coefficients>& coefficients,
                   const std::array<const Field*, Op::vectors>& vectors) {
  return update_and_add<Op>(work, work.upload(coefficients), vectors);
}

// Update with sums, fetched at once: waits for the queue; [right-hand side * Op::sums + k].
template <class Op>
std::vector<ExactSum> update_and_sum(Workspace& work, const std::vector<Coefficients>& coefficients,
                                     const std::array<const Field*, Op::vectors>& vectors) {
  update_and_add<Op>(work, coefficients, vectors);
  return work.fetch_sums();
}

/// |x|^2 of each right-hand side on each of this rank's time slices, exact: [right-hand
/// side][t]. Single or double precision.
std::vector<ExactSum> slice_norms(const Field& x, const Queue& queue);

/// to = from on the time slices of this rank that are wanted, [right-hand side][t]; the others stay as they
/// are. Fields are alike, in single or double precision. Waits for the end.
void copy_slices(Field& to, const Field& from, const std::vector<char>& wanted, const Queue& queue);

}  // namespace plaq::blas
