// Operators with a spectrum of the test's choice, in host memory, and one that damages another operator's
// results as low-precision storage does.
#pragma once

#include <cmath>
#include <complex>
#include <functional>

#include "core/operator/linear_operator.hpp"
#include "tests/support/convert.hpp"

namespace plaq::test {

// Component k = 3 spin + color of a site times eigenvalue(global site, k).
class DiagonalOperator final : public LinearOperator {
 public:
  using Eigenvalue = std::function<std::complex<double>(int site, int k)>;
  DiagonalOperator(GeometryPtr geometry, Precision precision, const Queue& queue, Eigenvalue eigenvalue)
      : geometry_(std::move(geometry)), precision_(precision), queue_(queue), value_(std::move(eigenvalue)) {}

  const GeometryPtr& geometry() const override { return geometry_; }
  FieldSpec spec(int batch) const override {
    return spinor_spec(Subset::full, batch, precision_, Location::host);
  }
  const Queue& queue() const override { return queue_; }
  Work work(int batch) const override { return {1.0 * batch, 100.0 + batch}; }  // "links" once for all

 private:
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override {
    for_stored_sites(*geometry_, [&](int parity, int s, int site) {
      for (int k = 0; k < 12; ++k) {
        const std::complex<double> a = dagger ? std::conj(value_(site, k)) : value_(site, k);
        for (int j = 0; j < active.count(); ++j) {
          const int subfield = active[j];
          const std::complex<double> z(get_real(in, subfield, parity, s, 2 * k),
                                       get_real(in, subfield, parity, s, 2 * k + 1));
          set_real(out, subfield, parity, s, 2 * k, (a * z).real());
          set_real(out, subfield, parity, s, 2 * k + 1, (a * z).imag());
        }
      }
    });
  }
  GeometryPtr geometry_;
  Precision precision_;
  Queue queue_;
  Eigenvalue value_;
};

// A, its results rounded at each site to `bits` below the site's largest component: what storage of that many
// bits with one scale a site does to them.
class RoundedOperator final : public LinearOperator {
 public:
  RoundedOperator(LinearOperator& a, int bits) : a_(a), bits_(bits) {}
  const GeometryPtr& geometry() const override { return a_.geometry(); }
  FieldSpec spec(int batch) const override { return a_.spec(batch); }
  const Queue& queue() const override { return a_.queue(); }
  Work work(int batch) const override { return a_.work(batch); }

 private:
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override {
    dagger ? a_.apply_dagger(out, in, active) : a_.apply(out, in, active);
    for (int j = 0; j < active.count(); ++j)
      for (int parity = 0; parity < 2; ++parity)
        for (int s = 0; out.holds(parity) && s < out.layout().sites; ++s) round(out, active[j], parity, s);
  }
  void round(Field& f, int subfield, int parity, int s) const {
    double largest = 0;
    for (int r = 0; r < 24; ++r) largest = std::max(largest, std::abs(get_real(f, subfield, parity, s, r)));
    if (largest == 0) return;
    const double unit = largest * std::ldexp(1.0, -bits_);
    for (int r = 0; r < 24; ++r)
      set_real(f, subfield, parity, s, r, unit * std::nearbyint(get_real(f, subfield, parity, s, r) / unit));
  }
  LinearOperator& a_;
  int bits_;
};

}  // namespace plaq::test
