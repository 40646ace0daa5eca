#include "solvers/krylov/batch.hpp"

#include <algorithm>

#include "comms/sums/sum_exchange.hpp"
#include "core/system/dry_run.hpp"
#include "kernels/blas/convert.hpp"
#include "kernels/blas/operations.hpp"

namespace plaq {

Batch::Batch(const ProcessGrid& grid, const Queue& queue, int size, int systems)
    : grid_(&grid),
      active_(static_cast<std::size_t>(size), 0),
      work_(queue, size),
      scalars_(queue, size, systems) {}

void Batch::reset() {
  std::fill(active_.begin(), active_.end(), 0);
  done_ = {};
  inside_ = {};
  waits_ = 0;
}

bool Batch::any_active() const {
  return std::any_of(active_.begin(), active_.end(), [](char a) { return a != 0; });
}

Coefficients Batch::coefficients(const ActiveSet& which) const {
  Coefficients c(active_.size());
  for (auto& one : c) one.active = 0;
  for (int k = 0; k < which.count(); ++k) c[static_cast<std::size_t>(which[k])].active = 1;
  return c;
}

std::vector<double> Batch::fetch_sums() {
  ++waits_;
  return grid_->sums().take(work_.sums(), work_.release_sums(), queue());
}

void Batch::total_sums() { grid_->sums().total(work_.sums(), work_.release_sums(), work_.totals(), queue()); }

const IterationStatus* Batch::await_statuses() {
  ++waits_;
  record_wait(queue());
  return scalars_.await();
}

void Batch::await_statuses(const ActiveSet& which, std::vector<double>& norms, std::vector<char>& breakdown) {
  const IterationStatus* statuses = await_statuses();
  for (int k = 0; k < which.count(); ++k) {
    const auto i = static_cast<std::size_t>(which[k]);
    norms[i] = statuses[i].norm;
    breakdown[i] = statuses[i].breakdown;
  }
}

int Batch::active_of(const Coefficients& c) {
  return static_cast<int>(std::count_if(c.begin(), c.end(), [](const auto& one) { return one.active != 0; }));
}

Batch::Done Batch::Done::operator-(const Done& before) const {
  return {{work.flops - before.work.flops, work.bytes - before.work.bytes},
          {inner.calls - before.inner.calls, inner.right_hand_sides - before.inner.right_hand_sides},
          {outer.calls - before.outer.calls, outer.right_hand_sides - before.outer.right_hand_sides}};
}

void Batch::add_done(const Done& more) {
  done_.work.flops += more.work.flops;
  done_.work.bytes += more.work.bytes;
  done_.inner.calls += more.inner.calls;
  done_.inner.right_hand_sides += more.inner.right_hand_sides;
  done_.outer.calls += more.outer.calls;
  done_.outer.right_hand_sides += more.outer.right_hand_sides;
}

void Batch::undo_to(const Done& before) {
  done_ = before;
  work_.release_sums();
}

// g times the four spins of a site, g being read once a right-hand side.
void Batch::count_frame(const Coefficients& c, const Field& vector, const Field* frame) {
  if (frame == nullptr) return;
  double sites = 0;
  for (const auto& one : c) sites += one.active != 0;
  sites *= static_cast<double>(vector.subfield_stride()) / vector.reals_per_site();
  done_.work.flops += sites * 4 * 66;
  done_.work.bytes += sites * 18 * bytes_of(frame->precision());
}

void Batch::convert(const Coefficients& c, Field& to, const Field& from, const Field* frame) {
  count<blas::Copy>(active_of(c), {&from, &to});
  count_frame(c, from, frame);
  blas::convert(work_, c, to, from, frame);
}

void Batch::add_converted(const Coefficients& c, Field& x, const Field& y, const Field* frame) {
  count<blas::Axpy>(active_of(c), {&y, &x});
  count_frame(c, x, frame);
  blas::add_converted(work_, c, x, y, frame);
}

void Batch::count_apply(const LinearOperator& a, const ActiveSet& which, Applications& applications) {
  const Work w = a.work(which.count());
  done_.work.flops += w.flops;
  done_.work.bytes += w.bytes;
  ++applications.calls;
  applications.right_hand_sides += which.count();
}

void Batch::apply(LinearOperator& a, Field& out, const Field& in, const ActiveSet& which) {
  if (which.count() == 0) return;
  a.apply(out, in, which);
  count_apply(a, which, done_.inner);
}

void Batch::apply_dagger(LinearOperator& a, Field& out, const Field& in, const ActiveSet& which) {
  if (which.count() == 0) return;
  a.apply_dagger(out, in, which);
  count_apply(a, which, done_.inner);
}

void Batch::apply_outer(LinearOperator& a, Field& out, const Field& in, const ActiveSet& which) {
  if (which.count() == 0) return;
  a.apply(out, in, which);
  count_apply(a, which, done_.outer);
}

void Batch::apply_outer_dagger(LinearOperator& a, Field& out, const Field& in, const ActiveSet& which) {
  if (which.count() == 0) return;
  a.apply_dagger(out, in, which);
  count_apply(a, which, done_.outer);
}

void Batch::precondition(LinearOperator& k, Field& out, const Field& in, const ActiveSet& which) {
  Applications uncounted;
  k.apply(out, in, which);
  count_apply(k, which, uncounted);
}

void Batch::add_work(const SolveReport& r) {
  inside_.flops += r.flops;
  inside_.bytes += r.bytes;
  waits_ += r.waits;
  // Whatever a solver inside calls its own outer operator is an inner one here.
  done_.inner.calls += r.inner.calls + r.outer.calls;
  done_.inner.right_hand_sides += r.inner.right_hand_sides + r.outer.right_hand_sides;
}

void Batch::write_work(SolveReport& report) const {
  report.flops = done_.work.flops * grid_->size() + inside_.flops;
  report.bytes = done_.work.bytes * grid_->size() + inside_.bytes;
  report.waits = waits_;
  report.inner = done_.inner;
  report.outer = done_.outer;
}

}  // namespace plaq
