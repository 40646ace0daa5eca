#include "core/field/field_views.hpp"
#include "core/launch/launch.hpp"
#include "kernels/quark/slice_products_launch.hpp"
#include "kernels/site/slice_products.hpp"

namespace plaq {
namespace {

// t is the slowest coordinate: a slice is a run of checkerboard indices.
Domain domain_of_slice(const Field& field, int t, int inner) {
  const int sites = field.layout().sites / field.geometry().local()[3];
  Domain domain = index_domain((t + 1) * sites, inner);
  domain.begin = t * sites;
  return domain;
}

}  // namespace

template <class Target, class S>
void launch_slice_dots(const ColorVectors& x, const ColorVectors& y, int first_slice, SumBuffer& sums,
                       const Queue& queue) {
  const int inner = x.size() * y.count;
  for (int parity = 0; parity < 2; ++parity) {
    const SliceDots<Target, S> kernel{spinor_view<Target, S>(*x.field, parity),
                                      spinor_view<Target, S>(*y.field, parity), x.first, y.first, y.count};
    // t is the slowest coordinate: a slice is a run of checkerboard indices.
    const Field& field = *y.field;
    reduce(index_domain(field.layout().sites, inner, field.geometry().local()[3]), queue, kernel, sums,
           first_slice * inner * SliceDots<Target, S>::sums);
  }
}

template <class Target, class S>
void launch_slice_axpys(const ColorVectors& x, const Complex<double>* c, double keep, const ColorVectors& y,
                        const std::vector<char>& wanted, const Queue& queue) {
  const std::size_t matrix = static_cast<std::size_t>(x.size()) * static_cast<std::size_t>(y.size());
  for (int parity = 0; parity < 2; ++parity) {
    SliceAxpys<Target, S> kernel{spinor_view<Target, S>(*x.field, parity),
                                 spinor_view<Target, S>(*y.field, parity),
                                 c,
                                 keep,
                                 x.first,
                                 x.count,
                                 y.first,
                                 y.count};
    for (int t = 0; t < y.field->geometry().local()[3]; ++t) {
      if (!wanted.empty() && !wanted[static_cast<std::size_t>(t)]) continue;
      kernel.coefficients = c + static_cast<std::size_t>(t) * matrix;
      for_each(domain_of_slice(*y.field, t, y.count), queue, kernel);
    }
  }
}

template void launch_slice_dots<BuildTarget, float>(const ColorVectors&, const ColorVectors&, int, SumBuffer&,
                                                    const Queue&);
template void launch_slice_dots<BuildTarget, double>(const ColorVectors&, const ColorVectors&, int,
                                                     SumBuffer&, const Queue&);
template void launch_slice_axpys<BuildTarget, float>(const ColorVectors&, const Complex<double>*, double,
                                                     const ColorVectors&, const std::vector<char>&,
                                                     const Queue&);
template void launch_slice_axpys<BuildTarget, double>(const ColorVectors&, const Complex<double>*, double,
                                                      const ColorVectors&, const std::vector<char>&,
                                                      const Queue&);

}  // namespace plaq
