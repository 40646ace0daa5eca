#include "observables/quark/four_quark_vertices.hpp"

#include <algorithm>

#include "core/launch/dispatch.hpp"
#include "core/system/dry_run.hpp"
#include "kernels/quark/four_quark.hpp"
#include "kernels/quark/momentum_projection.hpp"
#include "observables/quark/quark_loop_settings.hpp"
#include "observables/quark/wave_sums.hpp"

namespace plaq {
namespace {

constexpr int spin_colors = 12 * 12, spins_of_both = 256;

// Gamma of an operator: all currents whose names begin with its name.
std::vector<GammaMatrix> gammas_of(const std::string& name) {
  std::vector<GammaMatrix> gammas;
  for (const LoopCurrent& current : all_loop_currents())
    if (current.name == name || current.name.starts_with(name + "_")) gammas.push_back(current.gamma);
  return gammas;
}

}  // namespace

const std::vector<std::string>& four_quark_names() {
  static const std::vector<std::string> names = {"scalar", "pseudoscalar", "vector", "axial", "tensor"};
  return names;
}

std::vector<FourQuarkSpins> FourQuarkVertices::operator()(const Field& in, const Momentum4& n_in,
                                                          const Field& out, const Momentum4& n_out) const {
  const Phase phase("four-quark vertices");
  const MemoryName name("vertices of quarks");
  const GeometryPtr& geometry = lattice_.geometry;
  const Location location = lattice_.location();
  const Field from = as_double_propagator(in, *geometry, location),
              to = as_double_propagator(out, *geometry, location);
  Momentum4 twice{};
  for (std::size_t mu = 0; mu < 4; ++mu) twice[mu] = 2 * (n_in[mu] - n_out[mu]);
  Field bilinear(geometry, MomentumProjection::density_spec(spin_colors, location)),
      density(geometry, MomentumProjection::density_spec(spins_of_both, location));
  // sum_x exp(-2i (p_in - p_out) x) of the products of all Gamma, over the volume.
  const auto sums = [&](const std::vector<GammaMatrix>& gammas, bool crossed) {
    for (std::size_t i = 0; i < gammas.size(); ++i)
      dispatch(location, Precision::double_precision, [&](auto kind) {
        using Target = typename decltype(kind)::target;
        launch_open_bilinear<Target>({&to, &from, &bilinear, gamma5() * gammas[i]}, lattice_.queue);
        launch_four_quark<Target>({&bilinear, &density, crossed, i == 0}, lattice_.queue);
      });
    const auto found = wave_sums(lattice_, density, twice);
    FourQuarkSpins::Spins spins{};
    std::transform(found.begin(), found.end(), spins.begin(),
                   [&](const auto& sum) { return sum / static_cast<double>(geometry->global_volume()); });
    return spins;
  };
  std::vector<FourQuarkSpins> all;
  for (const std::string& one : four_quark_names()) {
    const auto gammas = gammas_of(one);
    all.push_back({sums(gammas, false), sums(gammas, true)});
  }
  return all;
}

}  // namespace plaq
