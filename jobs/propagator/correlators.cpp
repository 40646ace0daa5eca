#include "jobs/propagator/correlators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "jobs/dirac/action_keys.hpp"
#include "kernels/quark/baryons.hpp"
#include "kernels/quark/mesons.hpp"
#include "kernels/quark/staggered_mesons.hpp"

namespace plaq::jobs {
namespace {

// All n with n.n <= most, in a fixed order: by n.n, then as numbers.
std::vector<Momentum> momenta_up_to(int most) {
  std::vector<Momentum> found;
  const auto square = [](const Momentum& n) { return n[0] * n[0] + n[1] * n[1] + n[2] * n[2]; };
  int edge = 0;
  while ((edge + 1) * (edge + 1) <= most) ++edge;
  for (int x = -edge; x <= edge; ++x)
    for (int y = -edge; y <= edge; ++y)
      for (int z = -edge; z <= edge; ++z)
        if (square({x, y, z}) <= most) found.push_back({x, y, z});
  std::stable_sort(found.begin(), found.end(),
                   [&](const Momentum& a, const Momentum& b) { return square(a) < square(b); });
  return found;
}

}  // namespace

CorrelatorSet::CorrelatorSet(const JobContext& context)
    : context_(context),
      channels_(channels_of(context.job)),
      momenta_(momenta_up_to(context.job.get<CorrelatorKeys>().max_momentum_squared)) {
  const auto names_of = [&](ChannelKind kind) {
    std::vector<std::string> names;
    for (const Channel& channel : channels_)
      if (channel.kind == kind) names.push_back(channel.name);
    return names;
  };
  if (const auto names = names_of(ChannelKind::meson); !names.empty()) {
    std::vector<MesonChannel> mesons;
    for (const auto& name : names) mesons.push_back(meson_channel(name));
    const auto contract =
        std::make_shared<MesonContraction>(*context.grid, context.geometry, mesons, momenta_, context.queue);
    contractions_.push_back({names, [=](const Field& s, const Extents& at) { return (*contract)(s, at); }});
  }
  if (!names_of(ChannelKind::baryon).empty()) {
    const auto contract =
        std::make_shared<ProtonContraction>(*context.grid, context.geometry, momenta_, context.queue);
    const int boundary = context.job.get<ActionKeys>().boundary[3];
    contractions_.push_back({ProtonContraction::channels(), [=](const Field& s, const Extents& at) {
                               return (*contract)(s, at, boundary);
                             }});
  }
  if (const auto names = names_of(ChannelKind::staggered_meson); !names.empty()) {
    std::vector<StaggeredChannel> mesons;
    for (const auto& name : names) mesons.push_back(staggered_channel(name));
    const auto contract = std::make_shared<StaggeredMesonContraction>(*context.grid, context.geometry, mesons,
                                                                      momenta_, context.queue);
    contractions_.push_back({names, [=](const Field& s, const Extents& at) { return (*contract)(s, at); }});
  }
}

void CorrelatorSet::add(const std::string& sink, const Field& propagator, const Extents& position) {
  for (const Contraction& contraction : contractions_) {
    const Correlators found = contraction.apply(propagator, position);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const auto asked = std::find_if(channels_.begin(), channels_.end(), [&](const Channel& channel) {
        return channel.name == contraction.channels[i];
      });
      for (std::size_t p = 0; p < momenta_.size() && asked != channels_.end(); ++p)
        kept_.push_back({&*asked, sink, momenta_[p], found[i][p]});
    }
  }
}

void CorrelatorSet::move_to(Results& results, const QuarkSources& sources) {
  for (const auto& [channel, sink, momentum, values] : kept_)
    add_correlator(results, *channel, momentum, sink, values, sources);
  kept_.clear();
}

void add_correlator(Results& results, const Channel& channel, const Momentum& n, const std::string& sink,
                    const std::vector<std::complex<double>>& values, const QuarkSources& sources) {
  std::vector<double> parts;
  for (const auto& c : values) parts.insert(parts.end(), {c.real(), c.imag()});
  results.dataset(
      fmt::format("/correlators/{}/p_{}_{}_{}/{}", channel.name, n[0], n[1], n[2], sink), {values.size(), 2},
      std::move(parts),
      {{"axes", std::vector<std::string>{"t", "real, imaginary"}},
       {"units", std::string("lattice units")},
       {"momentum", std::vector<std::int64_t>(n.begin(), n.end())},
       {"momentum_units", std::string("2 pi / L of each direction: x, y, z")},
       {"normalization", fmt::format("{}, summed {}, no volume factor", channel.formula, sources.summed())},
       {"symmetry", channel.symmetry},
       {"sink", sink},
       {"t", std::string("counts from the source")}});
}

}  // namespace plaq::jobs
