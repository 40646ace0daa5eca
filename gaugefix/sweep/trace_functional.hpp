// Landau and Coulomb gauge at one site: the part of sum Re tr U^g that depends on g(x),
//   f = Re tr(g K),  K = sum of U_mu(x) g(x+mu)^dagger and U_mu(x-mu)^dagger g(x-mu)^dagger
// (Schroeck, Vogt 2013, eqs. (18), (19)). Coulomb gauge: mu in space.
#pragma once

#include "gaugefix/sweep/su3_view.hpp"
#include "kernels/site/su2_heatbath.hpp"
#include "kernels/site/su3_algebra.hpp"

namespace plaq {

template <class Real>
class TraceFunctional {
 public:
  static constexpr const char* name = "gauge";

  TraceFunctional() = default;
  // The terms summed up in another precision.
  template <class Other>
  PLAQ_HD explicit TraceFunctional(const TraceFunctional<Other>& summed) : k_(converted<Real>(summed.k_)) {}

  // One of the terms of K.
  PLAQ_HD void add(const Matrix3<Real>& v) { k_ = k_ + v; }
  PLAQ_HD void begin(const Matrix3<Real>& g) { m_ = g * k_; }

  // The h of SU(2), embedded, for which f(h g) is largest; eq. (20).
  template <int Subgroup>
  PLAQ_HD Quaternion<Real> optimum(const Matrix3<Real>&) const {
    Quaternion<Real> q = su2_part<Subgroup>(m_);
    const Real tiny = Real(1e-18f);  // makes h = 1 where q vanishes, and changes nothing elsewhere
    q.a[0] = q.a[0] + tiny;
    const Real inverse =
        Real(1) / sqrt(fma(q.a[3], q.a[3], fma(q.a[2], q.a[2], fma(q.a[1], q.a[1], q.a[0] * q.a[0]))));
    return {{q.a[0] * inverse, -(q.a[1] * inverse), -(q.a[2] * inverse), -(q.a[3] * inverse)}};
  }
  // Number q that f depends on, f(h g) = const + Re tr(h q), and an h with probability ~ exp(weight f(h g)).
  template <int Subgroup>
  PLAQ_HD void seen(const Matrix3<Real>&, Real (&q)[4]) const {
    const Quaternion<Real> part = su2_part<Subgroup>(m_);
#pragma unroll
    for (int k = 0; k < 4; ++k) q[k] = part.a[k];
  }
  template <class T>
  static PLAQ_HD Quaternion<T> draw(const T (&q)[4], T weight, const RandomStream& stream) {
    return draw_su2(Quaternion<T>{{q[0], q[1], q[2], q[3]}}, weight, stream);
  }
  // g becomes h g.
  template <int Subgroup>
  PLAQ_HD void apply(const Quaternion<Real>& h, Matrix3<Real>& g) {
    multiply_left<Subgroup>(h, g);
    multiply_left<Subgroup>(h, m_);
  }

  // Re tr(g K), in which each link counts for both of its ends.
  PLAQ_HD Real value(const Matrix3<Real>&) const { return trace(m_).re; }
  // tr(Delta Delta^dagger), eqs. (6), (7), with A the traceless part of (U - U^dagger)/(2i): Delta is that of
  // g K.
  PLAQ_HD Real violation(const Matrix3<Real>&) const {
    const auto x = traceless_antihermitian(m_);
    return scalar_product(x, x);
  }

 private:
  template <class Other>
  friend class TraceFunctional;

  Matrix3<Real> k_ = zero_matrix<Real>(), m_ = zero_matrix<Real>();
};

}  // namespace plaq
