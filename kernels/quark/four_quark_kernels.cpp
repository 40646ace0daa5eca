#include "core/field/field_views.hpp"
#include "core/launch/launch.hpp"
#include "kernels/quark/four_quark.hpp"
#include "kernels/site/four_quark.hpp"

namespace plaq {
namespace {

template <class Target>
SiteArray<Target, double, 2> open_array(const Field& density, int parity) {
  expect(density, location_of<Target>, Precision::double_precision, 1, 1);
  return SiteArray<Target, double, 2>(density.data(0, parity), density.subfield_stride());
}

template <class Target>
Domain open_sites(const Field& density, int parity, int inner) {
  return make_domain(density.geometry(), Region::all, parity, location_of<Target>, inner);
}

}  // namespace

template <class Target>
void launch_open_bilinear(const OpenBilinearCall& call, const Queue& queue) {
  constexpr double re[4] = {1, 0, -1, 0}, im[4] = {0, 1, 0, -1};
  for (int parity = 0; parity < 2; ++parity) {
    OpenBilinear<Target> product{spinor_view<Target, double>(*call.eta, parity),
                                 spinor_view<Target, double>(*call.phi, parity),
                                 open_array<Target>(*call.density, parity),
                                 call.middle.flip,
                                 {},
                                 {}};
    for (int a = 0; a < 4; ++a) {
      product.re[a] = re[call.middle.phase[static_cast<std::size_t>(a)]];
      product.im[a] = im[call.middle.phase[static_cast<std::size_t>(a)]];
    }
    for_each(open_sites<Target>(*call.density, parity, call.phi->subfields()), queue, product);
  }
}

template <class Target>
void launch_four_quark(const FourQuarkCall& call, const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity)
    for_each(open_sites<Target>(*call.density, parity, 16), queue,
             AddFourQuark<Target>{open_array<Target>(*call.bilinear, parity),
                                  open_array<Target>(*call.density, parity), call.crossed, call.overwrite});
}

template void launch_open_bilinear<BuildTarget>(const OpenBilinearCall&, const Queue&);
template void launch_four_quark<BuildTarget>(const FourQuarkCall&, const Queue&);

}  // namespace plaq
