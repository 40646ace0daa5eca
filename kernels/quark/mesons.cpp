#include "kernels/quark/mesons.hpp"

#include "core/algebra/complex.hpp"
#include "core/launch/dispatch.hpp"
#include "kernels/quark/contraction_launch.hpp"

namespace plaq {
namespace {

MesonTerm make_term(const GammaPair& pair, int channel) {
  const GammaMatrix sink = gamma5() * pair.sink, source = pair.source * gamma5();
  MesonTerm term;
  for (std::size_t row = 0; row < 4; ++row) {
    term.sink[row] = power_of_i(sink.phase[row]);
    term.source[row] = scale(pair.weight, power_of_i(source.phase[row]));
  }
  term.sink_flip = sink.flip;
  term.channel = channel;
  return term;
}

}  // namespace

std::vector<MesonChannel> meson_channels() {
  const GammaMatrix one = unit_gamma(), x = gamma(0), y = gamma(1), z = gamma(2), t = gamma(3), g5 = gamma5();
  const double third = 1.0 / 3;
  return {
      {"pion", {{g5, g5, 1}}},
      {"rho", {{x, x, third}, {y, y, third}, {z, z, third}}},
      {"rho_x", {{x, x, 1}}},
      {"rho_y", {{y, y, 1}}},
      {"rho_z", {{z, z, 1}}},
      {"a0", {{one, one, -1}}},
      {"a1", {{x * g5, x * g5, third}, {y * g5, y * g5, third}, {z * g5, z * g5, third}}},
      {"b1", {{x * y, x * y, third}, {y * z, y * z, third}, {x * z, x * z, third}}},
      {"axial_pseudoscalar", {{t * g5, g5, 1}}},
  };
}

MesonChannel meson_channel(const std::string& name) {
  for (const auto& channel : meson_channels())
    if (channel.name == name) return channel;
  throw Error(ErrorKind::internal, "internal error: there is no meson channel " + name);
}

std::size_t MesonContraction::term_bytes(const std::vector<MesonChannel>& channels) {
  std::size_t pairs = 0;
  for (const auto& channel : channels) pairs += channel.pairs.size();
  return pairs * sizeof(MesonTerm);
}

MesonContraction::MesonContraction(const ProcessGrid& grid, GeometryPtr geometry,
                                   std::vector<MesonChannel> channels, std::vector<Momentum> momenta,
                                   const Queue& queue)
    : channels_(std::move(channels)), project_(grid, std::move(geometry), std::move(momenta), queue) {
  require(!channels_.empty(), "a contraction of no channel");
  std::vector<MesonTerm> terms;
  for (int flip = 0; flip < 4; ++flip) {
    begin_[static_cast<std::size_t>(flip)] = static_cast<int>(terms.size());
    for (std::size_t channel = 0; channel < channels_.size(); ++channel)
      for (const GammaPair& pair : channels_[channel].pairs)
        if (pair.source.flip == flip) terms.push_back(make_term(pair, static_cast<int>(channel)));
  }
  begin_[4] = static_cast<int>(terms.size());
  const std::size_t bytes = term_bytes(channels_);
  terms_ = Buffer(queue.location(), bytes);
  copy_bytes(terms_.data(), terms_.location(), terms.data(), Location::host, bytes);
  density_ = project_.make_density(static_cast<int>(channels_.size()));
}

MesonContraction::~MesonContraction() = default;

Correlators MesonContraction::operator()(const Field& s1, const Field& s2, const Extents& source) {
  const Location location = project_.queue().location();
  const Field first = as_double_propagator(s1, *project_.geometry(), location);
  const Field second = &s1 == &s2 ? first : as_double_propagator(s2, *project_.geometry(), location);
  MesonCall call{&first, &second, &density_, terms_.as<MesonTerm>(), {}};
  for (std::size_t i = 0; i < 5; ++i) call.begin[i] = begin_[i];
  dispatch(location, Precision::double_precision,
           [&](auto kind) { launch_meson_density<typename decltype(kind)::target>(call, project_.queue()); });
  return project_(density_, source);
}

}  // namespace plaq
