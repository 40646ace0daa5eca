#include "kernels/quark/baryons.hpp"

#include "core/launch/dispatch.hpp"
#include "kernels/quark/contraction_launch.hpp"

namespace plaq {

ProtonContraction::ProtonContraction(const ProcessGrid& grid, GeometryPtr geometry,
                                     std::vector<Momentum> momenta, const Queue& queue)
    : project_(grid, std::move(geometry), std::move(momenta), queue), density_(project_.make_density(2)) {}

Correlators ProtonContraction::operator()(const Field& up, const Field& down, const Extents& source,
                                          int time_boundary) {
  require(time_boundary == 1 || time_boundary == -1, "the sign of a boundary condition is neither 1 nor -1");
  const Location location = project_.queue().location();
  const Field u = as_double_propagator(up, *project_.geometry(), location);
  const Field d = &up == &down ? u : as_double_propagator(down, *project_.geometry(), location);
  dispatch(location, Precision::double_precision, [&](auto kind) {
    launch_proton_density<typename decltype(kind)::target>(u, d, density_, project_.queue());
  });
  Correlators result = project_(density_, source);
  const auto slices = static_cast<std::size_t>(project_.geometry()->global()[3]);
  for (auto& channel : result)
    for (auto& correlator : channel)
      for (std::size_t t = slices - static_cast<std::size_t>(source[3]); t < slices; ++t)
        correlator[t] *= time_boundary;
  return result;
}

}  // namespace plaq
