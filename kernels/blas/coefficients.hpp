// Coefficients that solvers pass to vector updates.
#pragma once

#include "core/launch/target.hpp"
#include "core/operator/active_set.hpp"

namespace plaq::blas {

// Coefficients of one right-hand side, as solvers set them: complex numbers c[k] = (value[2k], value[2k+1]).
// A right-hand side that is not active is left alone and adds nothing to any sum.
struct Coefficients {
  double active = 1;
  double value[6] = {};
};

// Coefficients of a batch for launches: the k-th set belongs to the k-th right-hand side that is active, and
// a launch's inner index is k. Few sets travel with the launch itself. If they are many, `more`, at the
// location of the vectors, has all of them. `of_rhs`, there too, has those of all right-hand sides, made
// there.
struct CoefficientList {
  struct Set {
    double value[6] = {};
  };
  static constexpr int most = 16;
  ActiveSet active;
  Set few[most];
  const Set* more = nullptr;
  const Set* of_rhs = nullptr;

  PLAQ_HD Set operator[](int k) const {
    if (of_rhs != nullptr) return of_rhs[active[k]];
    if (more != nullptr) return more[k];
    return few[k];
  }
};

}  // namespace plaq::blas
