// What solvers hand to vector updates.
#pragma once

#include "core/target.hpp"

namespace plaq::blas {

// Coefficients of one right-hand side, as solvers set them: complex numbers c[k] = (value[2k], value[2k+1]).
// A right-hand side that is not active is left alone and adds nothing to any sum.
struct Coefficients {
  double active = 1;
  double value[6] = {};
};

// Those of a batch. Few travel with the launch itself; `more`, at the location of the vectors, has all of
// them where they are many.
struct CoefficientList {
  static constexpr int most = 16;
  Coefficients few[most];
  const Coefficients* more = nullptr;

  PLAQ_HD Coefficients operator[](int rhs) const {
    if (more != nullptr) return more[rhs];
    return few[rhs];
  }
};

}  // namespace plaq::blas
