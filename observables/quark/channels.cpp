#include "observables/quark/channels.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "kernels/quark/mesons.hpp"
#include "kernels/quark/staggered_mesons.hpp"

namespace plaq {
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

Channel meson(const std::string& name, bool one_quark) {
  return {name,
          ChannelKind::meson,
          one_quark
              ? "C(t) = sum_x exp(-i p (x - x_source)) sum_k w_k tr[G_k S(x) G'_k gamma5 S(x)^dagger gamma5]"
              : "C(t) = sum_x exp(-i p (x - x_source)) sum_k w_k tr[G_k S1(x) G'_k gamma5 S2(x)^dagger "
                "gamma5], S1 and S2 of the first and the second of `quarks`",
          name == "axial_pseudoscalar" ? "sinh" : "cosh",
          "",
          "",
          {0, 1}};
}

// A baryon's formula with the letters of its quarks.
struct NamedBaryon {
  std::string name, formula;
  std::vector<int> quarks;
};

Channel baryon_channel(const NamedBaryon& of, const std::string& suffix) {
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
          of.name,
          of.quarks,
          of.formula};
}

Channel staggered_meson(const StaggeredChannel& channel, bool one_quark) {
  const std::string& name = channel.name;
  const bool goldstone = name == "pion_ps";  // of one sign
  return {name,
          ChannelKind::staggered_meson,
          fmt::format("C(t) = sum_x exp(-i p r) phi(r) sum_ab {}, r = x - x_source, phi = {}, S = M^-1 "
                      "b, M = m + D/2, M^-1 = 2 (2m + D)^-1{}",
                      one_quark ? "|S_ab(x)|^2" : "S1_ab(x) S2_ab(x)^*", phases_of(channel),
                      one_quark ? "" : ", S1 and S2 of the first and the second of `quarks`"),
          goldstone ? "cosh" : "cosh_oscillating",
          goldstone ? ""
                    : fmt::format("the signs of {} average to 0 over the points of noise; take a point or a "
                                  "corner_wall source",
                                  name),
          "",
          {0, 1}};
}

// `density`: of S, or of S1, S2 and S3.
Channel staggered_baryon(const std::string& name, const std::string& density, std::vector<int> quarks) {
  return {name,
          ChannelKind::staggered_baryon,
          fmt::format("C(t) = sum_x exp(-i p r) (-1)^(t (x_0 + y_0 + z_0)) {}, r = x - x_source with x, y, z "
                      "even, x_source = (x_0, y_0, z_0, t_0), S = M^-1 b, M = m + D/2, M^-1 = 2 (2m + D)^-1; "
                      "the boundary's sign in time is taken out",
                      density),
          "baryon_oscillating",
          name +
              " needs three quarks from one point, which noise gives only for two; take a point or a "
              "corner_wall source",
          "",
          std::move(quarks)};
}

// Baryons of kernels/quark/baryon_terms.hpp that have a name.
std::vector<NamedBaryon> named_baryons(bool one_quark) {
  std::vector<NamedBaryon> all;
  for (const Baryon& one : baryons()) {
    const bool with_s = one.name.starts_with("lambda"), of_u = one.name.starts_with("delta");
    std::vector<int> quarks = {0, 1};
    if (with_s) quarks = {0, 1, 2};
    if (of_u) quarks = {0};
    all.push_back({one.name, one.formula + (with_s && one_quark ? ", u = d = s" : ""), quarks});
  }
  if (one_quark) return all;
  const std::string octet = octet_baryon().formula, decuplet = decuplet_baryon().formula;
  all.push_back({"sigma", octet + ", A = u, B = s", {0, 2}});
  all.push_back({"xi", octet + ", A = s, B = u", {2, 0}});
  all.push_back({"sigma_star", decuplet + ", A = u, B = s", {0, 2}});
  all.push_back({"xi_star", decuplet + ", A = s, B = u", {2, 0}});
  all.push_back({"omega", baryon("delta").formula + ", s in place of u", {2}});
  return all;
}

std::vector<Channel> make_channels(bool one_quark) {
  std::vector<Channel> channels;
  for (const auto& one : meson_channels()) channels.push_back(meson(one.name, one_quark));
  for (const auto& one : named_baryons(one_quark))
    for (const char* parity : {"", "_minus"}) channels.push_back(baryon_channel(one, parity));
  for (const auto& one : staggered_channels()) channels.push_back(staggered_meson(one, one_quark));
  channels.push_back(staggered_baryon("nucleon", "6 det S(x)", {0}));
  if (!one_quark)
    channels.push_back(staggered_baryon(
        "nucleon_uds", "eps_abc eps_a'b'c' S1_aa'(x) S2_bb'(x) S3_cc'(x), S1, S2, S3 of u, d, s of `quarks`",
        {0, 1, 2}));
  if (one_quark)
    for (Channel& channel : channels) channel.quarks = {0};
  return channels;
}

}  // namespace

const std::vector<Channel>& channels_of_one_quark() {
  static const std::vector<Channel> all = make_channels(true);
  return all;
}

const std::vector<Channel>& channels_of_flavours() {
  static const std::vector<Channel> all = make_channels(false);
  return all;
}

std::vector<std::string> names_of(const std::vector<Channel>& channels) {
  std::vector<std::string> names;
  for (const Channel& channel : channels) names.push_back(channel.name);
  return names;
}

std::vector<Channel> channels_named(const std::vector<std::string>& names,
                                    const std::vector<Channel>& among) {
  std::vector<Channel> channels;
  for (const auto& name : names)
    for (const Channel& channel : among)
      if (channel.name == name) channels.push_back(channel);
  return channels;
}

Baryon operator_of_baryon(const std::string& name) {
  if (name == "sigma" || name == "xi") return octet_baryon();
  if (name == "sigma_star" || name == "xi_star") return decuplet_baryon();
  return baryon(name == "omega" ? "delta" : name);
}

std::vector<std::string> baryons_of(const std::vector<Channel>& channels) {
  std::vector<std::string> names;
  for (const Channel& channel : channels)
    if (!channel.baryon.empty() && std::find(names.begin(), names.end(), channel.baryon) == names.end())
      names.push_back(channel.baryon);
  return names;
}

Channel spin_matrix_channel(const Channel& of) {
  return {of.baryon + "_matrix",
          ChannelKind::baryon,
          fmt::format("C(t)_ij = sum_x exp(-i p (x - x_source)) X_ij, X = {}; the boundary's sign in time is "
                      "taken out",
                      of.operators),
          "none",
          "",
          of.baryon,
          of.quarks};
}

}  // namespace plaq
