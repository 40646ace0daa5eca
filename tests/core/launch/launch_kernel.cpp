#include "tests/core/launch/launch_kernel.hpp"

#include "core/algebra/scalar.hpp"
#include "core/field/field_views.hpp"
#include "core/launch/launch.hpp"

namespace plaq::test {
namespace {

template <class TargetT, class T>
SiteArray<TargetT, T, 4> open(const Field& field, int parity) {
  expect(field, location_of<TargetT>, precision_of<T>, 2, 1);
  return SiteArray<TargetT, T, 4>(field.data(0, parity), field.subfield_stride());
}

template <class TargetT, class T>
struct CountVisits {
  using Arch = plaq::Arch<TargetT, T>;
  SiteArray<TargetT, T, 4> counts;  // subfields: inner, so that no two calls write one place

  PLAQ_HD void operator()(const typename Arch::Site& site, int inner) const {
    typename Arch::Real n[4];
    counts.load_mutable(inner, site, n);
    n[0] = n[0] + typename Arch::Real(T(1));
    n[1] = n[1] + typename Arch::Real(T(inner));
    counts.store(inner, site, n);
  }
};

template <class TargetT, class T>
struct Sum {
  using Arch = plaq::Arch<TargetT, T>;
  static constexpr int sums = 2;
  SiteArray<TargetT, T, 4> values;

  PLAQ_HD void operator()(const typename Arch::Site& site, int inner,
                          typename Arch::RealDouble (&sum)[2]) const {
    typename Arch::Real v[4];
    values.load(inner, site, v);
    sum[0] = to_double(v[0]);
    sum[1] = to_double(v[1]) * typename Arch::RealDouble(2.0);
  }
};

template <class TargetT, class T>
struct SumInThreads : Sum<TargetT, T> {
  static constexpr bool sums_in_threads = true;
};

template <class TargetT, class T>
struct Max {
  using Arch = plaq::Arch<TargetT, T>;
  static constexpr int maxima = 2;
  SiteArray<TargetT, T, 4> values;

  PLAQ_HD void operator()(const typename Arch::Site& site, int inner,
                          typename Arch::RealDouble (&most)[2]) const {
    typename Arch::Real v[4];
    values.load(inner, site, v);
    most[0] = to_double(v[0]);
    most[1] = to_double(v[1]);
  }
};

}  // namespace

template <class Target, class T>
void launch_count_visits(const Field& counts, int parity, const Domain& domain, const Queue& queue) {
  for_each(domain, queue, CountVisits<Target, T>{open<Target, T>(counts, parity)});
}
template <class Target, class T>
void launch_sum(const Field& values, int parity, const Domain& domain, SumBuffer& sums, int first,
                const Queue& queue, bool in_threads, int blocks) {
  const Sum<Target, T> sum{open<Target, T>(values, parity)};
  if (in_threads) {
    reduce(domain, queue, SumInThreads<Target, T>{sum}, sums, first, blocks);
  } else {
    reduce(domain, queue, sum, sums, first, blocks);
  }
}
template <class Target, class T>
std::array<double, 2> launch_max(const Field& values, int parity, const Domain& domain, const Queue& queue) {
  return reduce_max(domain, queue, Max<Target, T>{open<Target, T>(values, parity)});
}

template void launch_count_visits<BuildTarget, float>(const Field&, int, const Domain&, const Queue&);
template void launch_count_visits<BuildTarget, double>(const Field&, int, const Domain&, const Queue&);
template void launch_sum<BuildTarget, float>(const Field&, int, const Domain&, SumBuffer&, int, const Queue&,
                                             bool, int);
template void launch_sum<BuildTarget, double>(const Field&, int, const Domain&, SumBuffer&, int, const Queue&,
                                              bool, int);
template std::array<double, 2> launch_max<BuildTarget, float>(const Field&, int, const Domain&, const Queue&);
template std::array<double, 2> launch_max<BuildTarget, double>(const Field&, int, const Domain&,
                                                               const Queue&);

}  // namespace plaq::test
