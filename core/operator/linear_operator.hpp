// What solvers see: linear maps between fields, one right-hand side or a batch.
#pragma once

#include "core/field/field.hpp"
#include "core/launch/queue.hpp"
#include "core/operator/active_set.hpp"

namespace plaq {

// Work of one application to a batch on this rank's part of the lattice, in the usual effective counts: flops
// as the field quotes them, and the fewest bytes that must move (links once for all right-hand sides).
struct Work {
  double flops = 0, bytes = 0;
  Work& operator+=(const Work& more) {
    flops += more.flops;
    bytes += more.bytes;
    return *this;
  }
};
inline Work operator+(Work a, const Work& b) { return a += b; }
inline Work operator*(double times, const Work& w) { return {times * w.flops, times * w.bytes}; }

class LinearOperator {
 public:
  virtual ~LinearOperator() = default;

  virtual const GeometryPtr& geometry() const = 0;
  virtual FieldSpec spec(int batch) const = 0;  // of its arguments and results
  virtual const Queue& queue() const = 0;
  virtual Work work(int batch) const = 0;  // of `batch` active right-hand sides
  // Where applications to such a batch may be recorded into a CUDA graph and done again: a number that must
  // be what it was (Exchange::recordable). Negative: they may not.
  virtual int recordable(int /*batch*/) { return -1; }

  // out = A in for the active right-hand sides, the others of `out` are left alone; `out` must be another
  // field than `in`. Queued, collective.
  void apply(Field& out, const Field& in, const ActiveSet& active) { run(out, in, false, active); }
  void apply_dagger(Field& out, const Field& in, const ActiveSet& active) { run(out, in, true, active); }
  // Applies to all right-hand sides.
  void apply(Field& out, const Field& in) { run(out, in, false, ActiveSet(in.batch())); }
  void apply_dagger(Field& out, const Field& in) { run(out, in, true, ActiveSet(in.batch())); }

 private:
  virtual void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) = 0;
};

}  // namespace plaq
