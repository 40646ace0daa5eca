#include "kernels/quark/baryons.hpp"

#include <algorithm>

#include "core/algebra/complex.hpp"
#include "core/launch/dispatch.hpp"
#include "kernels/quark/contraction_launch.hpp"

namespace plaq {
namespace {

BaryonSpins spins_of(const BaryonProduct& product, const BaryonTerm& term) {
  const GammaMatrix diquark_sink = transposed(product.sink.diquark),
                    diquark_source = source_diquark(product.source.diquark),
                    left = product.left * product.sink.outer, right = source_outer(product.source.outer);
  require(right.flip == 0, "a baryon's outer matrix that is not diagonal");
  BaryonSpins spins{};
  spins.diquark_sink_flip = diquark_sink.flip;
  spins.diquark_source_flip = diquark_source.flip;
  spins.left_flip = left.flip;
  for (std::size_t row = 0; row < 4; ++row) {
    spins.diquark_sink[row] = power_of_i(diquark_sink.phase[row]);
    spins.diquark_source[row] = power_of_i(diquark_source.phase[row]);
    spins.left[row] = power_of_i(left.phase[row]);
    spins.right[row] = power_of_i(right.phase[row]);
  }
  spins.separate_weight = term.separate_weight;
  spins.joined_weight = term.joined_weight;
  return spins;
}

}  // namespace

ProtonContraction::ProtonContraction(const ProcessGrid& grid, GeometryPtr geometry,
                                     std::vector<Momentum> momenta, const Queue& queue)
    : project_(grid, std::move(geometry), std::move(momenta), queue), density_(project_.make_density(2)) {}

Correlators ProtonContraction::operator()(const Field& up, const Field& down, const Extents& source,
                                          int time_boundary) {
  expect_boundary_sign(time_boundary);
  const Location location = project_.queue().location();
  const Field u = as_double_propagator(up, *project_.geometry(), location);
  const Field d = &up == &down ? u : as_double_propagator(down, *project_.geometry(), location);
  dispatch(location, Precision::double_precision, [&](auto kind) {
    launch_proton_density<typename decltype(kind)::target>(u, d, density_, project_.queue());
  });
  Correlators result = project_(density_, source);
  take_boundary_out(result, source[3], time_boundary);
  return result;
}

BaryonContraction::BaryonContraction(const ProcessGrid& grid, GeometryPtr geometry,
                                     std::vector<Baryon> baryons, bool with_matrix,
                                     std::vector<Momentum> momenta, const Queue& queue)
    : baryons_(std::move(baryons)),
      project_(grid, std::move(geometry), std::move(momenta), queue),
      density_(project_.make_density(with_matrix ? 18 : 2)) {
  require(!baryons_.empty(), "a contraction of no baryon");
}

void BaryonContraction::add_density(const Baryon& baryon, const std::array<const Field*, 3>& quarks) {
  std::array<int, 3> number{};
  for (std::size_t i = 0; i < 3; ++i)
    while (quarks[static_cast<std::size_t>(number[i])] != quarks[i]) ++number[i];
  BaryonCall call;
  call.density = &density_;
  call.overwrite = true;
  for (const BaryonProduct& product : baryon.products)
    for (const BaryonTerm& term : baryon_terms(product, number)) {
      for (std::size_t i = 0; i < 3; ++i) call.quarks[i] = quarks[static_cast<std::size_t>(term.quarks[i])];
      call.spins = spins_of(product, term);
      dispatch(project_.queue().location(), Precision::double_precision, [&](auto kind) {
        launch_baryon_density<typename decltype(kind)::target>(call, project_.queue());
      });
      call.overwrite = false;
    }
}

Correlators BaryonContraction::operator()(const Field& a, const Field& b, const Field& c,
                                          const Extents& source, int time_boundary) {
  expect_boundary_sign(time_boundary);
  const std::array<const Field*, 3> given{&a, &b, &c};
  std::array<Field, 3> in_double;
  std::array<const Field*, 3> quarks{};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto same =
        static_cast<std::size_t>(std::find(given.begin(), given.end(), given[i]) - given.begin());
    if (same == i)
      in_double[i] = as_double_propagator(*given[i], *project_.geometry(), project_.queue().location());
    quarks[i] = &in_double[same];
  }
  Correlators result;
  for (const Baryon& baryon : baryons_) {
    add_density(baryon, quarks);
    for (auto& channel : project_(density_, source)) result.push_back(std::move(channel));
  }
  take_boundary_out(result, source[3], time_boundary);
  return result;
}

}  // namespace plaq
