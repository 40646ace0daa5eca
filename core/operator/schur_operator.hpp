// Interface of an operator for even-odd preconditioned solves.
#pragma once

#include "core/operator/linear_operator.hpp"

namespace plaq {

// The Schur complement S of a full operator M on one parity p, q being the other one:
// M x = b  <=>  S x_p = reduced(b), x_q = from x_p and b; or the same of x' = T x, where T is site by site.
class SchurOperator : public LinearOperator {
 public:
  virtual int parity() const = 0;
  // ||b - M x|| over the full lattice = residual_scale * ||reduced(b) - S x_p||; only near it where it is not
  // exact.
  virtual double residual_scale() const = 0;
  virtual bool residual_scale_is_exact() const { return true; }
  // A residual r of S stands for a residual T r of M: S^-1 r is M^-1 T r on parity p. Whether T is 1, and so
  // 0 on the other parity; else T r, where the form has T, on these sites.
  virtual bool residual_is_full() const { return false; }
  virtual Subset residual_sites() const { return subset_of(parity()); }
  virtual void full_residual(Field& /*out*/, const Field& /*r*/, const ActiveSet&) {
    require(false, "the residual of a full system from that of this even-odd form");
  }
  virtual void reduce_source(Field& reduced, const Field& full) = 0;
  // The unknown on parity p of a full x: x_p.
  virtual void reduce_guess(Field& reduced, const Field& full) {
    copy_parity(reduced, full, parity(), queue());
  }
  // Fills both parities of `full` from the solution on parity p and the full source.
  virtual void reconstruct(Field& full, const Field& solution, const Field& full_source) = 0;
};

}  // namespace plaq
