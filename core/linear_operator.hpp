// What solvers see: linear maps between fields, one right-hand side or a batch.
#pragma once

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
  virtual Work work(int batch) const = 0;

  // out = A in, for each right-hand side; `out` must be another field than `in`. Queued, collective.
  virtual void apply(Field& out, const Field& in) = 0;
  virtual void apply_dagger(Field& out, const Field& in) = 0;
};

// The Schur complement S of a full operator M on one parity p, q being the other one:
// M x = b  <=>  S x_p = reduced(b), x_q = from x_p and b.
class SchurOperator : public LinearOperator {
 public:
  virtual int parity() const = 0;
  // ||b - M x|| over the full lattice = residual_scale * ||reduced(b) - S x_p||.
  virtual double residual_scale() const = 0;
  virtual void reduce_source(Field& reduced, const Field& full) = 0;
  // Fills both parities of `full` from the solution on parity p and the full source.
  virtual void reconstruct(Field& full, const Field& solution, const Field& full_source) = 0;
};

}  // namespace plaq
