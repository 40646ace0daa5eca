// Numbers of this rank's sites on the host, for code that works site by site.
#pragma once

#include <complex>
#include <vector>

#include "core/field/field.hpp"
#include "plaq/lattice.hpp"
#include "plaq/matrix.hpp"

namespace plaq {

/// `count` values of type T at each site of this rank. f(k, site) is value k at a site
/// with the number LocalSite::index;
/// f[site] is value 0. T is std::complex<double> or a SiteMatrix.
template <class T>
class HostField {
 public:
  explicit HostField(const Lattice& lattice, int count = 1)
      : lattice_(lattice),
        count_(count),
        sites_(static_cast<std::size_t>(lattice.local_volume())),
        values_(sites_ * static_cast<std::size_t>(count)) {}

  const Lattice& lattice() const { return lattice_; }
  int count() const { return count_; }
  T& operator()(int k, int site) {
    return values_[static_cast<std::size_t>(k) * sites_ + static_cast<std::size_t>(site)];
  }
  const T& operator()(int k, int site) const {
    return values_[static_cast<std::size_t>(k) * sites_ + static_cast<std::size_t>(site)];
  }
  T& operator[](int site) { return (*this)(0, site); }
  const T& operator[](int site) const { return (*this)(0, site); }

  /// All numbers in their order, [k][site][number of T].
  std::complex<double>* data() { return reinterpret_cast<std::complex<double>*>(values_.data()); }
  const std::complex<double>* data() const {
    return reinterpret_cast<const std::complex<double>*>(values_.data());
  }

 private:
  Lattice lattice_;
  int count_;
  std::size_t sites_;
  std::vector<T> values_;
};

namespace detail {
/// Copies the numbers of a field, of any precision and location, to or from [subfield][site][number].
void read_sites(const Field& field, std::complex<double>* to);
void write_sites(Field& field, const std::complex<double>* from);
}  // namespace detail

}  // namespace plaq
