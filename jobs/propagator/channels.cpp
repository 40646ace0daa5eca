#include "jobs/propagator/channels.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "jobs/dirac/action_keys.hpp"
#include "jobs/propagator/propagator_keys.hpp"
#include "kernels/quark/baryons.hpp"
#include "kernels/quark/mesons.hpp"
#include "kernels/quark/staggered_mesons.hpp"

namespace plaq::jobs {
namespace {

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

Channel meson(const std::string& name) {
  return {name,
          ChannelKind::meson,
          "C(t) = sum_x exp(-i p (x - x_source)) sum_k w_k tr[G_k S(x) G'_k gamma5 S(x)^dagger gamma5]",
          name == "axial_pseudoscalar" ? "sinh" : "cosh",
          "",
          ""};
}

Channel baryon_channel(const Baryon& of, const std::string& suffix) {
  // The proton's text as it was before there were others.
  const std::string formula =
      of.name == "proton"
          ? "C(t) = sum_x exp(-i p (x - x_source)) tr[P <chi(x) chibar(source)>], chi = eps (u^T C gamma5 d) "
            "u, P = (1 +- gamma_t)/2; the boundary's sign in time is taken out"
          : fmt::format(
                "C(t) = sum_x exp(-i p (x - x_source)) tr[P X], X = {}, P = (1 +- gamma_t)/2; the "
                "boundary's sign in time is taken out",
                of.formula);
  const std::string name = of.name + suffix;
  return {name,
          ChannelKind::baryon,
          formula,
          "none",
          name + " needs three quarks from one point, which noise gives only for two; take a point source",
          of.name};
}

Channel staggered_meson(const StaggeredChannel& channel) {
  const std::string& name = channel.name;
  const bool goldstone = name == "pion_ps";  // of one sign
  return {
      name,
      ChannelKind::staggered_meson,
      fmt::format("C(t) = sum_x exp(-i p r) phi(r) sum_ab |S_ab(x)|^2, r = x - x_source, phi = {}, S = M^-1 "
                  "b, M = m + D/2, M^-1 = 2 (2m + D)^-1",
                  phases_of(channel)),
      goldstone ? "cosh" : "cosh_oscillating",
      goldstone ? ""
                : fmt::format("the signs of {} average to 0 over the points of noise; take a point or a "
                              "corner_wall source",
                              name),
      ""};
}

Channel staggered_nucleon() {
  return {"nucleon",
          ChannelKind::staggered_baryon,
          "C(t) = sum_x exp(-i p r) (-1)^(t (x_0 + y_0 + z_0)) 6 det S(x), r = x - x_source with x, y, z "
          "even, x_source = (x_0, y_0, z_0, t_0), S = M^-1 b, M = m + D/2, M^-1 = 2 (2m + D)^-1; the "
          "boundary's sign in time is taken out",
          "baryon_oscillating",
          "nucleon needs three quarks from one point, which noise gives only for two; take a point or a "
          "corner_wall source",
          ""};
}

}  // namespace

const std::vector<Channel>& all_channels() {
  static const std::vector<Channel> all = [] {
    std::vector<Channel> channels;
    for (const auto& one : meson_channels()) channels.push_back(meson(one.name));
    for (const auto& one : baryons())
      for (const char* parity : {"", "_minus"}) channels.push_back(baryon_channel(one, parity));
    for (const auto& one : staggered_channels()) channels.push_back(staggered_meson(one));
    channels.push_back(staggered_nucleon());
    return channels;
  }();
  return all;
}

std::vector<std::string> channel_names() {
  std::vector<std::string> names;
  for (const Channel& channel : all_channels()) names.push_back(channel.name);
  return names;
}

std::vector<Channel> channels_of(const JobFile& job) {
  std::vector<std::string> names = job.get<CorrelatorKeys>().channels;
  if (names.empty()) names = {action_of_any_mass(job)->default_channel()};
  std::vector<Channel> channels;
  for (const auto& name : names)
    for (const Channel& channel : all_channels())
      if (channel.name == name) channels.push_back(channel);
  return channels;
}

std::vector<std::string> baryons_of(const std::vector<Channel>& channels) {
  std::vector<std::string> names;
  for (const Channel& channel : channels)
    if (!channel.baryon.empty() && std::find(names.begin(), names.end(), channel.baryon) == names.end())
      names.push_back(channel.baryon);
  return names;
}

Channel spin_matrix_channel(const std::string& name) {
  return {name + "_matrix",
          ChannelKind::baryon,
          fmt::format("C(t)_ij = sum_x exp(-i p (x - x_source)) X_ij, X = {}; the boundary's sign in time is "
                      "taken out",
                      baryon(name).formula),
          "none",
          "",
          name};
}

}  // namespace plaq::jobs
