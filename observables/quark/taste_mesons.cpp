#include "observables/quark/taste_mesons.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "kernels/field/symmetric_shift.hpp"
#include "kernels/gauge/boundary_signs.hpp"
#include "kernels/gauge/link_copies.hpp"

namespace plaq {
namespace {

// Exponents of phi eps.
std::array<int, 4> signs_of(const SpinTaste& one) {
  std::array<int, 4> n = one.phase();
  for (int& each : n) each = 1 - each;
  return n;
}

Corner corner_of(const SpinTaste& one) {
  const auto n = signs_of(one);
  return {n[0], n[1], n[2]};
}

// Sign of a term on a slice: s, and phi eps in time.
double sign_at(const SpinTaste& one, std::size_t t) {
  return one.sign() * (signs_of(one)[3] != 0 && t % 2 != 0 ? -1 : 1);
}

// "GX-G1: -(-1)^(y+z) and E_x"
std::string text_of(const SpinTaste& one) {
  unsigned in_phase = 0;
  for (std::size_t mu = 0; mu < 4; ++mu) in_phase |= static_cast<unsigned>(signs_of(one)[mu]) << mu;
  const std::string letters = directions_of(in_phase), shift = directions_of(one.shift());
  const std::string phase = letters.empty() ? "1" : fmt::format("(-1)^({})", fmt::join(letters, "+"));
  return fmt::format("{}: {}{} and {}", one.name(), one.sign() < 0 ? "-" : "", phase,
                     shift.empty() ? "1" : "E_" + shift);
}

// The phases in space of the bilinears of a shift, each once.
std::vector<StaggeredChannel> phases_of(const std::vector<TasteChannel>& channels, unsigned shift) {
  std::vector<StaggeredChannel> all;
  for (const TasteChannel& channel : channels)
    for (const SpinTaste& one : channel.terms) {
      const Corner corner = corner_of(one);
      const bool is_there = std::any_of(all.begin(), all.end(), [&](const StaggeredChannel& other) {
        return other.corners.front() == corner;
      });
      if (one.shift() == shift && !is_there) all.push_back({"", {corner}});
    }
  return all;
}

}  // namespace

Channel channel_of(const TasteChannel& channel) {
  std::vector<std::string> terms;
  for (const SpinTaste& one : channel.terms) terms.push_back(text_of(one));
  const bool goldstone = channel.terms.size() == 1 && channel.terms.front().name() == "G5-G5";
  return {
      channel.name,
      ChannelKind::staggered_meson,
      fmt::format("C(t) = sum_x exp(-i p r) sum_k phi_k(r) sum_ab [E_k M^-1 E_k b]_ab(x) S_ab(x)^*, r = x - "
                  "x_source, phi_k and symmetric shift E_k of {}; S = M^-1 b, M = m + D/2, M^-1 = 2 (2m + "
                  "D)^-1",
                  fmt::join(terms, ", ")),
      goldstone ? "cosh" : "cosh_oscillating",
      "",
      "",
      {0}};
}

TasteMesons::TasteMesons(const SharedLattice& lattice, std::vector<TasteChannel> channels,
                         const std::vector<Momentum>& momenta)
    : lattice_(lattice), channels_(std::move(channels)), momenta_(momenta.size()) {
  for (unsigned shift = 0; shift < 16; ++shift) {
    auto phases = phases_of(channels_, shift);
    if (phases.empty()) continue;
    shifts_.push_back(shift);
    contractions_.try_emplace(shift, *lattice_.grid, lattice_.geometry, std::move(phases), momenta,
                              lattice_.queue);
  }
  require(!shifts_.empty(), "mesons of no spin and taste");
}

void TasteMesons::set_links(const Field& links, const std::array<int, 4>& boundary) {
  const MemoryName name("links of point-split operators");
  links_ = with_boundary_signs(links, boundary);
  if (links_.location() != lattice_.location()) links_ = links_without_halo(lattice_, links_);
}

Field TasteMesons::shifted(const Field& chi, unsigned shift) const {
  require(shift == 0 || static_cast<bool>(links_), "point-split operators without links");
  const MemoryName name("point-split operators");
  return symmetric_shift(lattice_, chi, links_, shift);
}

Correlators TasteMesons::none() const {
  const auto slices = static_cast<std::size_t>(lattice_.geometry->global()[3]);
  return {channels_.size(), std::vector(momenta_, std::vector<std::complex<double>>(slices))};
}

void TasteMesons::add(Correlators& to, unsigned shift, const Field& x, const Field& s,
                      const Extents& position) {
  StaggeredMesonContraction& contract = contractions_.at(shift);
  const Correlators found = shift == 0 ? contract(x, s, position) : contract(shifted(x, shift), s, position);
  for (std::size_t i = 0; i < channels_.size(); ++i)
    for (const SpinTaste& one : channels_[i].terms) {
      if (one.shift() != shift) continue;
      const auto& phases = contract.channels();
      const auto at = std::find_if(phases.begin(), phases.end(), [&](const StaggeredChannel& phase) {
        return phase.corners.front() == corner_of(one);
      });
      const auto& values = found[static_cast<std::size_t>(at - phases.begin())];
      for (std::size_t p = 0; p < momenta_; ++p)
        for (std::size_t t = 0; t < values[p].size(); ++t) to[i][p][t] += sign_at(one, t) * values[p][t];
    }
}

}  // namespace plaq
