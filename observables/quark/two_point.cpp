#include "observables/quark/two_point.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/system/error.hpp"
#include "kernels/quark/baryons.hpp"
#include "kernels/quark/mesons.hpp"
#include "kernels/quark/staggered_baryons.hpp"
#include "kernels/quark/staggered_mesons.hpp"

namespace plaq {
namespace {

// Rearranges what BaryonContraction gives, `channels` of a baryon: two traces stay, and the matrix behind
// them becomes one channel [momentum][16 t + 4 i + j].
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

const std::vector<int>& quarks_of(const std::vector<Channel>& channels, const std::string& name) {
  const auto at = std::find_if(channels.begin(), channels.end(),
                               [&](const Channel& channel) { return channel.name == name; });
  require(at != channels.end(), "a contraction of a channel that nobody wants");
  return at->quarks;
}

}  // namespace

CorrelatorSet::CorrelatorSet(const SharedLattice& lattice, CorrelatorPlan plan)
    : lattice_(lattice), plan_(std::move(plan)) {
  add_mesons();
  add_baryons();
  add_staggered_mesons();
  add_staggered_baryons();
  // Time reflection takes a source elsewhere on a lattice that has an edge.
  if (plan_.boundary == 0)
    for (Channel& channel : plan_.channels) channel.symmetry = "none";
}

std::vector<std::string> CorrelatorSet::names_of_kind(ChannelKind kind) const {
  std::vector<std::string> names;
  for (const Channel& channel : plan_.channels)
    if (channel.kind == kind) names.push_back(channel.name);
  return names;
}

void CorrelatorSet::add_mesons() {
  const auto names = names_of_kind(ChannelKind::meson);
  if (names.empty()) return;
  std::vector<MesonChannel> mesons;
  for (const auto& name : names) mesons.push_back(meson_channel(name));
  const auto contract = std::make_shared<MesonContraction>(*lattice_.grid, lattice_.geometry, mesons,
                                                           plan_.momenta, lattice_.queue);
  contractions_.push_back(
      {names, quarks_of(plan_.channels, names.front()), true,
       [=](const Quarks& q, const Extents& at) { return (*contract)(*q[0], *q[1], at); }});
}

// The traces of the proton have a kernel of their own. All else is of BaryonContraction, whose proton has the
// same numbers but for rounding: it is there for its matrix alone.
void CorrelatorSet::add_baryons() {
  const std::vector<Channel> asked = plan_.channels;
  std::vector<std::vector<int>> kinds;  // of quarks, which are contracted together
  for (const auto& name : baryons_of(asked)) {
    const auto of = std::find_if(asked.begin(), asked.end(),
                                 [&](const Channel& channel) { return channel.baryon == name; });
    if (std::find(kinds.begin(), kinds.end(), of->quarks) == kinds.end()) kinds.push_back(of->quarks);
  }
  for (const auto& quarks : kinds) add_baryons_of(quarks, asked);
}

void CorrelatorSet::add_baryons_of(const std::vector<int>& quarks, const std::vector<Channel>& asked) {
  const int boundary = plan_.boundary;
  std::vector<Channel> mine;
  std::copy_if(asked.begin(), asked.end(), std::back_inserter(mine),
               [&](const Channel& channel) { return channel.quarks == quarks; });
  std::vector<Baryon> general;
  std::vector<std::string> names;
  for (const auto& name : baryons_of(mine)) {
    const bool is_proton = name == "proton";
    if (is_proton) {
      const auto contract = std::make_shared<ProtonContraction>(*lattice_.grid, lattice_.geometry,
                                                                plan_.momenta, lattice_.queue);
      contractions_.push_back(
          {ProtonContraction::channels(), quarks, false,
           [=](const Quarks& q, const Extents& at) { return (*contract)(*q[0], *q[1], at, boundary); }});
    }
    if (is_proton && !plan_.spin_matrix) continue;
    general.push_back(operator_of_baryon(name));
    names.push_back(is_proton ? "" : name);
    names.push_back(is_proton ? "" : name + "_minus");
    if (!plan_.spin_matrix) continue;
    const auto of = std::find_if(mine.begin(), mine.end(),
                                 [&](const Channel& channel) { return channel.baryon == name; });
    plan_.channels.push_back(spin_matrix_channel(*of));
    names.push_back(plan_.channels.back().name);
  }
  if (general.empty()) return;
  const auto contract = std::make_shared<BaryonContraction>(*lattice_.grid, lattice_.geometry, general,
                                                            plan_.spin_matrix, plan_.momenta, lattice_.queue);
  contractions_.push_back({names, quarks, false, [=](const Quarks& q, const Extents& at) {
                             return with_matrices_in_rows((*contract)(*q[0], *q[1], *q[2], at, boundary),
                                                          contract->channels());
                           }});
}

void CorrelatorSet::add_staggered_mesons() {
  const auto names = names_of_kind(ChannelKind::staggered_meson);
  if (names.empty()) return;
  std::vector<StaggeredChannel> mesons;
  for (const auto& name : names) mesons.push_back(staggered_channel(name));
  const auto contract = std::make_shared<StaggeredMesonContraction>(*lattice_.grid, lattice_.geometry, mesons,
                                                                    plan_.momenta, lattice_.queue);
  contractions_.push_back(
      {names, quarks_of(plan_.channels, names.front()), true,
       [=](const Quarks& q, const Extents& at) { return (*contract)(*q[0], *q[1], at); }});
}

void CorrelatorSet::add_staggered_baryons() {
  const auto names = names_of_kind(ChannelKind::staggered_baryon);
  if (names.empty()) return;
  const int boundary = plan_.boundary;
  for (Channel& channel : plan_.channels)
    if (channel.kind == ChannelKind::staggered_baryon && boundary == 1) channel.symmetry += "_periodic";
  const auto contract = std::make_shared<StaggeredBaryonContraction>(*lattice_.grid, lattice_.geometry,
                                                                     plan_.momenta, lattice_.queue);
  for (const std::string& name : names)
    contractions_.push_back(
        {{name}, quarks_of(plan_.channels, name), false, [=](const Quarks& q, const Extents& at) {
           return (*contract)(*q[0], *q[1], *q[2], at, boundary);
         }});
}

void CorrelatorSet::add(const std::string& sink, const Field& propagator, const Extents& position) {
  const Field* quark = &propagator;
  for (const Contraction& contraction : contractions_)
    contract(contraction, sink, {quark, quark, quark}, {}, position);
}

void CorrelatorSet::add(const std::string& sink, const QuarkContent& content, const Extents& position) {
  for (const Contraction& contraction : contractions_) {
    if (contraction.of_mesons != (content.fields.size() == 2)) continue;
    Quarks quarks{};
    std::vector<std::string> names;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto number =
          static_cast<std::size_t>(contraction.quarks[std::min(i, contraction.quarks.size() - 1)]);
      quarks[i] = content.fields.at(number);
      if (i < contraction.quarks.size()) names.push_back(content.names.at(number));
    }
    const bool is_there = std::any_of(kept_.begin(), kept_.end(), [&](const TwoPointFunction& kept) {
      return kept.sink == sink && kept.quarks == names &&
             std::find(contraction.channels.begin(), contraction.channels.end(), kept.channel.name) !=
                 contraction.channels.end();
    });
    if (!is_there) contract(contraction, sink, quarks, names, position);
  }
}

void CorrelatorSet::contract(const Contraction& contraction, const std::string& sink, const Quarks& quarks,
                             const std::vector<std::string>& names, const Extents& position) {
  const Correlators found = contraction.apply(quarks, position);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto asked =
        std::find_if(plan_.channels.begin(), plan_.channels.end(),
                     [&](const Channel& channel) { return channel.name == contraction.channels[i]; });
    for (std::size_t p = 0; p < plan_.momenta.size() && asked != plan_.channels.end(); ++p)
      kept_.push_back({*asked, names, sink, plan_.momenta[p],
                       found[i][p].size() > static_cast<std::size_t>(lattice_.geometry->global()[3]),
                       found[i][p]});
  }
}

std::vector<TwoPointFunction> CorrelatorSet::take() { return std::exchange(kept_, {}); }

}  // namespace plaq
