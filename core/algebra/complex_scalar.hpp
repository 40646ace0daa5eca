// Complex scalars of iterative methods, beside core/algebra/complex.hpp, on the host and in kernels.
#pragma once

#include <cmath>

#include "core/algebra/complex.hpp"

namespace plaq {

using ComplexDouble = Complex<double>;

// a / b without overflow on the way (Smith, Comm. ACM 5 (1962) 435); NaN for b = 0.
PLAQ_HD ComplexDouble operator/(const ComplexDouble& a, const ComplexDouble& b) {
  if (std::fabs(b.re) >= std::fabs(b.im)) {
    const double ratio = b.im / b.re, scale = b.re + b.im * ratio;
    return {(a.re + a.im * ratio) / scale, (a.im - a.re * ratio) / scale};
  }
  const double ratio = b.re / b.im, scale = b.re * ratio + b.im;
  return {(a.re * ratio + a.im) / scale, (a.im * ratio - a.re) / scale};
}
PLAQ_HD double abs(const ComplexDouble& a) { return ::hypot(a.re, a.im); }
PLAQ_HD double norm(const ComplexDouble& a) { return a.re * a.re + a.im * a.im; }
PLAQ_HD bool is_zero(const ComplexDouble& a) { return a.re == 0 && a.im == 0; }
PLAQ_HD bool is_nan(double a) { return a != a; }

}  // namespace plaq
