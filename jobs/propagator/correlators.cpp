#include "jobs/propagator/correlators.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/system/error.hpp"
#include "jobs/dirac/dirac_keys.hpp"

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

// How C(t) looks from the other side of the lattice: what a fit and an effective mass assume.
std::string symmetry_of(const std::string& channel) {
  if (is_baryon(channel)) return "none";
  if (is_staggered(channel)) return channel == "pion_ps" ? "cosh" : "cosh_oscillating";
  return channel == "axial_pseudoscalar" ? "sinh" : "cosh";
}

// phi as it stands in a formula: "(-1)^(x+y) + (-1)^(x+z)"; r's coordinates are x, y, z.
std::string phases_of(const StaggeredChannel& channel) {
  std::vector<std::string> terms;
  for (const Corner& corner : channel.corners) {
    std::string sum;
    for (std::size_t k = 0; k < 3; ++k) {
      if (corner[k] == 0) continue;
      if (!sum.empty()) sum += '+';
      sum += "xyz"[k];
    }
    terms.push_back(sum.empty() ? "1" : fmt::format("(-1)^({})", sum));
  }
  return fmt::format("{}", fmt::join(terms, " + "));
}

std::string formula_of(const std::string& channel) {
  if (is_staggered(channel))
    return fmt::format(
        "C(t) = sum_x exp(-i p r) phi(r) sum_ab |S_ab(x)|^2, r = x - x_source, phi = {}, S = M^-1 b, M = m + "
        "D/2, M^-1 = 2 (2m + D)^-1",
        phases_of(staggered_channel(channel)));
  if (is_baryon(channel))
    return "C(t) = sum_x exp(-i p (x - x_source)) tr[P <chi(x) chibar(source)>], chi = eps (u^T C gamma5 d) "
           "u, "
           "P = (1 +- gamma_t)/2; the boundary's sign in time is taken out";
  return "C(t) = sum_x exp(-i p (x - x_source)) sum_k w_k tr[G_k S(x) G'_k gamma5 S(x)^dagger gamma5]";
}

}  // namespace

std::vector<std::string> correlator_channels() {
  std::vector<std::string> names;
  for (const auto& channel : meson_channels()) names.push_back(channel.name);
  for (const auto& channel : ProtonContraction::channels()) names.push_back(channel);
  for (const auto& channel : staggered_channels()) names.push_back(channel.name);
  return names;
}

bool is_staggered(const std::string& channel) {
  const auto all = staggered_channels();
  return std::any_of(all.begin(), all.end(), [&](const auto& one) { return one.name == channel; });
}

std::vector<std::string> channels_of(const CorrelatorKeys& keys, ActionType type) {
  if (!keys.channels.empty()) return keys.channels;
  return {quark_kind(type) == QuarkKind::staggered ? "pion_ps" : "pion"};
}

bool is_baryon(const std::string& channel) {
  const auto baryons = ProtonContraction::channels();
  return std::find(baryons.begin(), baryons.end(), channel) != baryons.end();
}

CorrelatorPlan::CorrelatorPlan(const JobFile& job)
    : channels(channels_of(job.get<CorrelatorKeys>(), job.get<ActionKeys>().type)),
      momenta(momenta_up_to(job.get<CorrelatorKeys>().max_momentum_squared)) {
  for (const auto& channel : channels)
    if (is_baryon(channel))
      baryons = true;
    else if (is_staggered(channel))
      staggered.push_back(staggered_channel(channel));
    else
      mesons.push_back(meson_channel(channel));
}

CorrelatorSet::CorrelatorSet(const JobContext& context) : context_(context), plan_(context.job) {
  if (!plan_.mesons.empty())
    mesons_.emplace(*context.grid, context.geometry, plan_.mesons, plan_.momenta, context.queue);
  if (plan_.baryons) proton_.emplace(*context.grid, context.geometry, plan_.momenta, context.queue);
  if (!plan_.staggered.empty())
    staggered_.emplace(*context.grid, context.geometry, plan_.staggered, plan_.momenta, context.queue);
}

void CorrelatorSet::keep(const std::string& channel, const std::string& sink,
                         const std::vector<std::vector<std::complex<double>>>& by_momentum) {
  for (std::size_t p = 0; p < plan_.momenta.size(); ++p) {
    Kept& one = kept_.emplace_back(Kept{channel, sink, plan_.momenta[p], {}});
    for (const auto& c : by_momentum[p]) one.values.insert(one.values.end(), {c.real(), c.imag()});
  }
}

void CorrelatorSet::add(const std::string& sink, const Field& propagator, const Extents& position) {
  if (mesons_) {
    const Correlators found = (*mesons_)(propagator, position);
    for (std::size_t i = 0; i < found.size(); ++i) keep(mesons_->channels()[i].name, sink, found[i]);
  }
  if (staggered_) {
    const Correlators found = (*staggered_)(propagator, position);
    for (std::size_t i = 0; i < found.size(); ++i) keep(staggered_->channels()[i].name, sink, found[i]);
  }
  if (proton_) {
    const int boundary = context_.job.get<ActionKeys>().boundary[3];
    const Correlators found = (*proton_)(propagator, position, boundary);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const std::string channel = ProtonContraction::channels()[i];
      if (std::find(plan_.channels.begin(), plan_.channels.end(), channel) != plan_.channels.end())
        keep(channel, sink, found[i]);
    }
  }
}

void CorrelatorSet::move_to(Results& results, const QuarkSources& sources) {
  const auto slices = static_cast<std::size_t>(context_.extents[3]);
  for (auto& kept : kept_) {
    const Momentum& n = kept.momentum;
    results.dataset(fmt::format("/correlators/{}/p_{}_{}_{}/{}", kept.channel, n[0], n[1], n[2], kept.sink),
                    {slices, 2}, std::move(kept.values),
                    {{"axes", std::vector<std::string>{"t", "real, imaginary"}},
                     {"units", std::string("lattice units")},
                     {"momentum", std::vector<std::int64_t>(n.begin(), n.end())},
                     {"momentum_units", std::string("2 pi / L of each direction: x, y, z")},
                     {"normalization", fmt::format("{}, summed {}, no volume factor",
                                                   formula_of(kept.channel), sources.summed())},
                     {"symmetry", symmetry_of(kept.channel)},
                     {"sink", kept.sink},
                     {"t", std::string("counts from the source")}});
  }
  kept_.clear();
}

}  // namespace plaq::jobs
