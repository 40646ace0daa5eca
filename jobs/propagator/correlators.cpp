#include "jobs/propagator/correlators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "jobs/dirac/action_keys.hpp"
#include "kernels/quark/baryons.hpp"
#include "kernels/quark/mesons.hpp"
#include "kernels/quark/staggered_baryons.hpp"
#include "kernels/quark/staggered_mesons.hpp"

namespace plaq::jobs {
namespace {

// What BaryonContraction gives, `channels` of a baryon: two traces stay, and the matrix behind them becomes one
// channel [momentum][16 t + 4 i + j].
Correlators with_matrices_in_rows(const Correlators& found, int channels) {
  const auto per_baryon = static_cast<std::size_t>(channels);
  Correlators rows;
  for (std::size_t first = 0; first < found.size(); first += per_baryon) {
    rows.insert(rows.end(), {found[first], found[first + 1]});
    if (per_baryon == 2) continue;
    auto& matrix = rows.emplace_back(found[first].size());
    for (std::size_t p = 0; p < matrix.size(); ++p)
      for (std::size_t t = 0; t < found[first][p].size(); ++t)
        for (std::size_t k = 2; k < per_baryon; ++k) matrix[p].push_back(found[first + k][p][t]);
  }
  return rows;
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
  add_baryons();
  if (const auto names = names_of(ChannelKind::staggered_meson); !names.empty()) {
    std::vector<StaggeredChannel> mesons;
    for (const auto& name : names) mesons.push_back(staggered_channel(name));
    const auto contract = std::make_shared<StaggeredMesonContraction>(*context.grid, context.geometry, mesons,
                                                                      momenta_, context.queue);
    contractions_.push_back({names, [=](const Field& s, const Extents& at) { return (*contract)(s, at); }});
  }
  if (const auto names = names_of(ChannelKind::staggered_baryon); !names.empty()) {
    const int boundary = context.job.get<ActionKeys>().boundary[3];
    for (Channel& channel : channels_)
      if (channel.kind == ChannelKind::staggered_baryon && boundary == 1) channel.symmetry += "_periodic";
    const auto contract = std::make_shared<StaggeredBaryonContraction>(*context.grid, context.geometry,
                                                                       momenta_, context.queue);
    contractions_.push_back(
        {names, [=](const Field& s, const Extents& at) { return (*contract)(s, at, boundary); }});
  }
}

// The traces of the proton have a kernel of their own. All else is of BaryonContraction, whose proton has the same
// numbers but for rounding: it is there for its matrix alone.
void CorrelatorSet::add_baryons() {
  const std::vector<std::string> asked = baryons_of(channels_);
  const bool with_matrix = context_.job.get<CorrelatorKeys>().spin_matrix;
  const int boundary = context_.job.get<ActionKeys>().boundary[3];
  std::vector<Baryon> general;
  std::vector<std::string> names;
  for (const auto& name : asked) {
    const bool is_proton = name == "proton";
    if (is_proton) {
      const auto contract =
          std::make_shared<ProtonContraction>(*context_.grid, context_.geometry, momenta_, context_.queue);
      contractions_.push_back({ProtonContraction::channels(), [=](const Field& s, const Extents& at) {
                                 return (*contract)(s, at, boundary);
                               }});
    }
    if (is_proton && !with_matrix) continue;
    general.push_back(baryon(name));
    names.push_back(is_proton ? "" : name);
    names.push_back(is_proton ? "" : name + "_minus");
    if (!with_matrix) continue;
    channels_.push_back(spin_matrix_channel(name));
    names.push_back(channels_.back().name);
  }
  if (general.empty()) return;
  const auto contract = std::make_shared<BaryonContraction>(*context_.grid, context_.geometry, general,
                                                            with_matrix, momenta_, context_.queue);
  contractions_.push_back({names, [=](const Field& s, const Extents& at) {
                             return with_matrices_in_rows((*contract)(s, at, boundary), contract->channels());
                           }});
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
    add_correlator(results, *channel, momentum, sink, values, sources,
                   values.size() > static_cast<std::size_t>(context_.extents[3]));
  kept_.clear();
}

void add_correlator(Results& results, const Channel& channel, const Momentum& n, const std::string& sink,
                    const std::vector<std::complex<double>>& values, const QuarkSources& sources,
                    bool is_matrix) {
  std::vector<double> parts;
  std::vector<std::size_t> extents{values.size(), 2};
  std::vector<std::string> axes{"t", "real, imaginary"};
  if (is_matrix) {
    extents = {values.size() / 16, 4, 4, 2};
    axes = {"t", "sink spin", "source spin", "real, imaginary"};
  }
  for (const auto& c : values) parts.insert(parts.end(), {c.real(), c.imag()});
  results.dataset(
      fmt::format("/correlators/{}/p_{}_{}_{}/{}", channel.name, n[0], n[1], n[2], sink), extents,
      std::move(parts),
      {{"axes", axes},
       {"units", std::string("lattice units")},
       {"momentum", std::vector<std::int64_t>(n.begin(), n.end())},
       {"momentum_units", std::string("2 pi / L of each direction: x, y, z")},
       {"normalization", fmt::format("{}, summed {}, no volume factor", channel.formula, sources.summed())},
       {"symmetry", channel.symmetry},
       {"sink", sink},
       {"t", std::string("counts from the source")}});
}

}  // namespace plaq::jobs
