#include "core/field/field_views.hpp"
#include "core/launch/launch.hpp"
#include "kernels/gauge/algebra_field.hpp"
#include "kernels/gauge/momenta_launch.hpp"
#include "kernels/site/molecular_dynamics.hpp"

namespace plaq {
namespace {

template <class Target>
Domain momenta_links(const Field& field, int parity) {
  return make_domain(field.geometry(), Region::all, parity, location_of<Target>, 4);
}

// The largest value over both parities of functor(parity); not a number where one is.
template <class Target, class Functor>
double largest_of(const Field& field, const Queue& queue, const Functor& functor) {
  double largest = 0;
  for (int parity = 0; parity < 2; ++parity) {
    const auto found = reduce_max(momenta_links<Target>(field, parity), queue, functor(parity));
    if (!(found[0] <= largest) && largest == largest) largest = found[0];
  }
  return largest;
}

}  // namespace

template <class Target>
void MomentaLaunch<Target>::draw(Field& momenta, std::uint64_t seed, std::uint32_t trajectory,
                                 const Queue& queue) {
  const auto& shape = momenta.geometry().shape();
  for (int parity = 0; parity < 2; ++parity)
    for_each(
        momenta_links<Target>(momenta, parity), queue,
        MomentumDraw<Target, double>{shape, algebra_view<Target, double>(momenta), seed, trajectory, parity});
}

template <class Target>
void MomentaLaunch<Target>::squares(const Field& algebra, const Queue& queue, SumBuffer& sums) {
  for (int parity = 0; parity < 2; ++parity)
    reduce(momenta_links<Target>(algebra, parity), queue,
           AlgebraSquare<Target, double>{algebra_view<Target, double>(algebra), parity}, sums);
}

template <class Target>
void MomentaLaunch<Target>::products(const Field& a, const Field& b, const Queue& queue, SumBuffer& sums) {
  for (int parity = 0; parity < 2; ++parity)
    reduce(momenta_links<Target>(a, parity), queue,
           AlgebraProduct<Target, double>{algebra_view<Target, double>(a), algebra_view<Target, double>(b),
                                          parity},
           sums);
}

template <class Target>
double MomentaLaunch<Target>::largest_square(const Field& algebra, const Queue& queue) {
  return largest_of<Target>(algebra, queue, [&](int parity) {
    return AlgebraSquare<Target, double>{algebra_view<Target, double>(algebra), parity};
  });
}

template <class Target>
double MomentaLaunch<Target>::largest_distance(const Field& links, const Field& others, const Queue& queue) {
  return largest_of<Target>(links, queue, [&](int parity) {
    return LinkDistance<Target, double>{gauge_view<Target, double>(links), gauge_view<Target, double>(others),
                                        parity};
  });
}

template <class Target>
void MomentaLaunch<Target>::add(Field& to, const Field& from, double factor, const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity)
    for_each(momenta_links<Target>(to, parity), queue,
             AlgebraAdd<Target, double>{algebra_view<Target, double>(to), algebra_view<Target, double>(from),
                                        factor, parity});
}

template <class Target>
void MomentaLaunch<Target>::project(Field& algebra, const Field& matrices, const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity)
    for_each(momenta_links<Target>(algebra, parity), queue,
             AlgebraProjection<Target, double>{algebra_view<Target, double>(algebra),
                                               gauge_view<Target, double>(matrices), parity});
}

template <class Target>
void MomentaLaunch<Target>::expand(Field& matrices, const Field& algebra, const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity)
    for_each(momenta_links<Target>(algebra, parity), queue,
             AlgebraMatrix<Target, double>{gauge_view<Target, double>(matrices),
                                           algebra_view<Target, double>(algebra), parity});
}

template <class Target>
void MomentaLaunch<Target>::drift(Field& links, const Field& momenta, double step, const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity)
    for_each(momenta_links<Target>(links, parity), queue,
             LinkDrift<Target, double>{gauge_view<Target, double>(links),
                                       algebra_view<Target, double>(momenta), step, parity});
}

template struct MomentaLaunch<BuildTarget>;

}  // namespace plaq
