// Numbers of this rank's sites on the host, alone or with a halo, for code that works site by site.
#pragma once

#include <complex>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "core/field/field.hpp"
#include "core/lattice/padded_sites.hpp"
#include "plaq/lattice.hpp"
#include "plaq/matrix.hpp"

namespace plaq {

/// `count` values of type T at each site of this rank. f(k, site) is value k at a site with the number
/// LocalSite::index; f[site] is value 0. T is std::complex<double> or a SiteMatrix.
template <class T>
class HostField {
 public:
  /// Zero at all sites.
  explicit HostField(const Lattice& lattice, int count = 1)
      : lattice_(lattice),
        count_(count),
        sites_(static_cast<std::size_t>(lattice.local_volume())),
        values_(sites_ * static_cast<std::size_t>(count)) {}

  const Lattice& lattice() const { return lattice_; }  ///< lattice of the sites
  int count() const { return count_; }                 ///< values at each site
  /// Value k at a site.
  T& operator()(int k, int site) {
    return values_[static_cast<std::size_t>(k) * sites_ + static_cast<std::size_t>(site)];
  }
  const T& operator()(int k, int site) const {
    return values_[static_cast<std::size_t>(k) * sites_ + static_cast<std::size_t>(site)];
  }
  T& operator[](int site) { return (*this)(0, site); }  ///< value 0 at a site
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

/// Numbers of this rank's sites with those of their neighbours on other ranks. `count` values of type T at
/// each site of this rank and at `depth` more sites on both sides of each direction, corners included. Sites
/// have coordinates x relative to this rank's first site, Lattice::offset(): -depth <= x_mu <
/// local_extents()[mu] + depth.
template <class T>
class HaloField {
 public:
  /// For with_halo().
  HaloField(const Lattice& lattice, int depth, int count)
      : lattice_(lattice),
        offset_(lattice.offset()),
        sites_{lattice.local_extents(), depth},
        count_(count),
        values_(sites_.count() * static_cast<std::size_t>(count)) {}

  const Lattice& lattice() const { return lattice_; }  ///< lattice of the sites
  int depth() const { return sites_.depth; }           ///< sites of the halo on either side
  int count() const { return count_; }                 ///< values at each site
  /// Local extents and twice the depth.
  Extents extents() const { return {sites_.extent(0), sites_.extent(1), sites_.extent(2), sites_.extent(3)}; }

  /// Value k at x. Nothing checks that x is in the halo.
  const T& operator()(int k, const Extents& x) const { return values_[place(k, x)]; }
  T& operator()(int k, const Extents& x) { return values_[place(k, x)]; }
  /// Value 0 at x.
  const T& operator[](const Extents& x) const { return (*this)(0, x); }
  T& operator[](const Extents& x) { return (*this)(0, x); }
  /// Value k at the site that is `steps` in x, y, z, t away from a site of this rank.
  const T& near(const LocalSite& site, const Extents& steps, int k = 0) const {
    Extents x;
    for (std::size_t mu = 0; mu < 4; ++mu) x[mu] = site.x[mu] - offset_[mu] + steps[mu];
    return (*this)(k, x);
  }

  /// All values in their order, [k][t][z][y][x] of extents().
  T* data() { return values_.data(); }
  const T* data() const { return values_.data(); }

 private:
  std::size_t place(int k, const Extents& x) const {
    return static_cast<std::size_t>(k) * sites_.count() + sites_.index(x);
  }

  Lattice lattice_;
  Extents offset_;
  PaddedSites sites_;
  int count_;
  std::vector<T> values_;
};

namespace detail {
/// Throws Error(usage) unless depth is 0 to the smallest local extent.
void expect_halo_depth(const Lattice& lattice, int depth);
void fill_halo(const Lattice& lattice, int depth, int count, std::size_t site_bytes, const void* values,
               void* halo);
}  // namespace detail

/// The values of a field with a halo: exact copies of neighbours' values, around the lattice without a
/// boundary sign. depth is 0 to the smallest extent of a rank's part of the lattice. Throws Error(usage) for
/// others. Collective.
template <class T>
HaloField<T> with_halo(const HostField<T>& field, int depth) {
  static_assert(std::is_trivially_copyable_v<T>);
  detail::expect_halo_depth(field.lattice(), depth);
  HaloField<T> halo(field.lattice(), depth, field.count());
  detail::fill_halo(field.lattice(), depth, field.count(), sizeof(T), field.data(), halo.data());
  return halo;
}

}  // namespace plaq
