#include "kernels/quark/staggered_baryons.hpp"

#include "core/launch/dispatch.hpp"
#include "kernels/quark/baryons.hpp"
#include "kernels/quark/contraction_launch.hpp"

namespace plaq {

StaggeredBaryonContraction::StaggeredBaryonContraction(const ProcessGrid& grid, GeometryPtr geometry,
                                                       std::vector<Momentum> momenta, const Queue& queue)
    : project_(grid, std::move(geometry), std::move(momenta), queue), density_(project_.make_density(1)) {}

Correlators StaggeredBaryonContraction::operator()(const Field& s1, const Field& s2, const Field& s3,
                                                   const Extents& source, int time_boundary) {
  expect_boundary_sign(time_boundary);
  const Location location = project_.queue().location();
  const auto in_double = [&](const Field& s) {
    return as_double_propagator(s, *project_.geometry(), location, 1);
  };
  const Field first = in_double(s1);
  const bool one_quark = &s1 == &s2 && &s2 == &s3;
  const Field second = one_quark ? first : in_double(s2), third = one_quark ? first : in_double(s3);
  const StaggeredBaryonCall call{&first, one_quark ? &first : &second, one_quark ? &first : &third, source};
  dispatch(location, Precision::double_precision, [&](auto kind) {
    launch_staggered_baryon_density<typename decltype(kind)::target>(call, density_, project_.queue());
  });
  Correlators result = project_(density_, source);
  take_boundary_out(result, source[3], time_boundary);
  return result;
}

}  // namespace plaq
