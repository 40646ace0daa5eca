// The links of a gauge field in host memory one by one, in double precision, or the matrices of a gauge
// transformation: for reading and writing files.
#pragma once

#include "core/field/field.hpp"
#include "core/system/error.hpp"

namespace plaq {

// Row-major, real before imaginary. Single precision survives the way there and back.
using Link = double[18];

class GaugeLinks {
 public:
  // matrices: 4 links a site, or 1, g(x), which is then mu = 0.
  explicit GaugeLinks(const Field& gauge, int matrices = 4)
      : shape_(gauge.geometry().shape()),
        layout_(gauge.layout()),
        stride_(layout_.offset(0, 1) - layout_.offset(0, 0)),
        wide_(gauge.precision() == Precision::double_precision) {
    FieldSpec spec = gauge_spec(gauge.precision(), Location::host);
    spec.subfields = matrices;
    require(gauge.spec() == spec && gauge.geometry().halo_depth() == 0,
            "a gauge file is for a field of 3x3 matrices on the host, without halo");
    for (int mu = 0; mu < matrices; ++mu)
      for (int parity = 0; parity < 2; ++parity) data_[mu][parity] = gauge.data(mu, parity);
  }

  const LatticeShape& shape() const { return shape_; }

  void get(int mu, const Coordinates& c, Link& link) const {
    wide_ ? load<double>(mu, c, link) : load<float>(mu, c, link);
  }
  void put(int mu, const Coordinates& c, const Link& link) const {
    wide_ ? store<double>(mu, c, link) : store<float>(mu, c, link);
  }

 private:
  template <class T>
  T* first_real(int mu, const Coordinates& c) const {
    return static_cast<T*>(data_[mu][shape_.parity(c)]) + layout_.offset(shape_.index(c), 0);
  }
  template <class T>
  void load(int mu, const Coordinates& c, Link& link) const {
    const T* from = first_real<T>(mu, c);
    for (std::size_t r = 0; r < 18; ++r) link[r] = from[r * stride_];
  }
  template <class T>
  void store(int mu, const Coordinates& c, const Link& link) const {
    T* to = first_real<T>(mu, c);
    for (std::size_t r = 0; r < 18; ++r) to[r * stride_] = static_cast<T>(link[r]);
  }

  LatticeShape shape_;
  Layout layout_;
  std::size_t stride_;  // from real to real
  bool wide_;
  void* data_[4][2] = {};
};

}  // namespace plaq
