#include "observables/quark/spin_taste.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace plaq {
namespace {

using Exponents = std::array<int, 4>;

struct NamedGamma {
  const char* name;
  Exponents exponents;
};
constexpr NamedGamma gammas[] = {
    {"G1", {0, 0, 0, 0}},  {"GX", {1, 0, 0, 0}},  {"GY", {0, 1, 0, 0}},  {"GZ", {0, 0, 1, 0}},
    {"GT", {0, 0, 0, 1}},  {"GXY", {1, 1, 0, 0}}, {"GYZ", {0, 1, 1, 0}}, {"GZX", {1, 0, 1, 0}},
    {"GXT", {1, 0, 0, 1}}, {"GYT", {0, 1, 0, 1}}, {"GZT", {0, 0, 1, 1}}, {"G5X", {0, 1, 1, 1}},
    {"G5Y", {1, 0, 1, 1}}, {"G5Z", {1, 1, 0, 1}}, {"G5T", {1, 1, 1, 0}}, {"G5", {1, 1, 1, 1}}};

std::optional<Exponents> exponents_of(const std::string& name) {
  for (const NamedGamma& one : gammas)
    if (name == one.name) return one.exponents;
  return std::nullopt;
}

std::string gamma_name(const Exponents& exponents) {
  for (const NamedGamma& one : gammas)
    if (exponents == one.exponents) return one.name;
  return {};
}

int total(const Exponents& exponents) { return exponents[0] + exponents[1] + exponents[2] + exponents[3]; }

std::optional<SpinTaste> pair_named(const std::string& name) {
  const std::size_t dash = name.find('-');
  if (dash == std::string::npos) return std::nullopt;
  const auto spin = exponents_of(name.substr(0, dash)), taste = exponents_of(name.substr(dash + 1));
  if (!spin || !taste) return std::nullopt;
  return SpinTaste{*spin, *taste};
}

// Names of the pairs of a multiplet, x, y, z in turn.
const std::vector<std::pair<std::string, std::vector<std::string>>>& multiplets() {
  static const std::vector<std::pair<std::string, std::vector<std::string>>> all = {
      {"pion_5", {"G5-G5"}},
      {"pion_05", {"G5T-G5T"}},
      {"pion_i5", {"G5-G5X", "G5-G5Y", "G5-G5Z"}},
      {"pion_ij", {"G5T-GYZ", "G5T-GZX", "G5T-GXY"}},
      {"pion_i0", {"G5-GXT", "G5-GYT", "G5-GZT"}},
      {"pion_i", {"G5T-GX", "G5T-GY", "G5T-GZ"}},
      {"pion_0", {"G5-GT"}},
      {"pion_s", {"G5T-G1"}},
      {"rho_i", {"GX-GX", "GY-GY", "GZ-GZ"}},
      {"rho_i0", {"GXT-GXT", "GYT-GYT", "GZT-GZT"}},
      {"rho_is", {"GX-G1", "GY-G1", "GZ-G1"}},
      {"rho_0", {"GXT-GT", "GYT-GT", "GZT-GT"}}};
  return all;
}

}  // namespace

unsigned SpinTaste::shift() const {
  unsigned directions = 0;
  for (std::size_t mu = 0; mu < 4; ++mu)
    if (spin[mu] != taste[mu]) directions |= 1u << mu;
  return directions;
}

std::array<int, 4> SpinTaste::phase() const {
  std::array<int, 4> n{};
  int before = 0;  // directions of the shift below mu
  for (std::size_t mu = 0; mu < 4; ++mu) {
    n[mu] = (total(spin) + spin[mu] + before) % 2;
    before += spin[mu] != taste[mu] ? 1 : 0;
  }
  return n;
}

int SpinTaste::sign() const { return (total(spin) + spin[3]) % 2 == 0 ? -1 : 1; }

std::string SpinTaste::name() const { return gamma_name(spin) + "-" + gamma_name(taste); }

std::string directions_of(unsigned shift) {
  std::string letters;
  for (std::size_t mu = 0; mu < 4; ++mu)
    if ((shift >> mu & 1u) != 0) letters += "xyzt"[mu];
  return letters;
}

std::vector<std::string> taste_multiplets() {
  std::vector<std::string> names;
  for (const auto& [name, pairs] : multiplets()) names.push_back(name);
  return names;
}

std::optional<TasteChannel> taste_channel(const std::string& name) {
  if (const auto one = pair_named(name)) return TasteChannel{name, {*one}};
  for (const auto& [multiplet, pairs] : multiplets()) {
    if (multiplet != name) continue;
    TasteChannel channel{name, {}};
    for (const std::string& pair : pairs) channel.terms.push_back(*pair_named(pair));
    return channel;
  }
  return std::nullopt;
}

}  // namespace plaq
