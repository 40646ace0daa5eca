// What solvers see: linear maps between fields, one right-hand side or a batch.
#pragma once

#include "core/active_set.hpp"
#include "core/field.hpp"
#include "core/queue.hpp"

namespace plaq {

// Work of one application to a batch on this rank's part of the lattice, in the usual effective counts: flops
// as the field quotes them, and the fewest bytes that must move (links once for all right-hand sides).
struct Work {
  double flops = 0, bytes = 0;
};

class LinearOperator {
 public:
  virtual ~LinearOperator() = default;

  virtual const GeometryPtr& geometry() const = 0;
  virtual FieldSpec spec(int batch) const = 0;  // of its arguments and results
  virtual const Queue& queue() const = 0;
  virtual Work work(int batch) const = 0;  // of `batch` active right-hand sides
  // g where this operator is that of another gauge, g A g^dagger, and its vectors are g psi: a 3x3 matrix of
  // SU(3) a site in single precision, both parities. Null where it is in the gauge of everybody else. What
  // changes the precision of vectors also changes their gauge (kernels/blas/convert.hpp).
  virtual const Field* gauge_frame() const { return nullptr; }

  // Where applications to such a batch may be recorded into a CUDA graph and done again: a number that must
  // be what it was (Exchange::recordable). Negative: they may not.
  virtual int recordable(int /*batch*/) { return -1; }

  // out = A in for the active right-hand sides, the others of `out` are left alone; `out` must be another
  // field than `in`. Queued, collective.
  void apply(Field& out, const Field& in, const ActiveSet& active) { run(out, in, false, active); }
  void apply_dagger(Field& out, const Field& in, const ActiveSet& active) { run(out, in, true, active); }
  // The same for all of them.
  void apply(Field& out, const Field& in) { run(out, in, false, ActiveSet(in.batch())); }
  void apply_dagger(Field& out, const Field& in) { run(out, in, true, ActiveSet(in.batch())); }

 private:
  virtual void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) = 0;
};

// The Schur complement S of a full operator M on one parity p, q being the other one:
// M x = b  <=>  S x_p = reduced(b), x_q = from x_p and b; or the same of x' = T x, where T is site by site.
class SchurOperator : public LinearOperator {
 public:
  virtual int parity() const = 0;
  // ||b - M x|| over the full lattice = residual_scale * ||reduced(b) - S x_p||; only near it where it is not
  // exact.
  virtual double residual_scale() const = 0;
  virtual bool residual_scale_is_exact() const { return true; }
  virtual void reduce_source(Field& reduced, const Field& full) = 0;
  // The unknown on parity p of a full x: x_p.
  virtual void reduce_guess(Field& reduced, const Field& full) {
    copy_parity(reduced, full, parity(), queue());
  }
  // Fills both parities of `full` from the solution on parity p and the full source.
  virtual void reconstruct(Field& full, const Field& solution, const Field& full_source) = 0;
};

}  // namespace plaq
