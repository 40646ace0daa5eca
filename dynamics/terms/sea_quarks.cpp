#include "dynamics/terms/sea_quarks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "quarks/action/domain_wall_action.hpp"
#include "quarks/action/staggered_action.hpp"

namespace plaq {

double StaggeredSea::heaviest_mass() const {
  double mass = parameters.mass;
  for (const Partner& partner : partners) mass = std::max(mass, partner.mass);
  return mass;
}

std::optional<SeaKind> sea_kind_of(const Action& action) {
  if (const auto* wilson = parameters_of<WilsonParameters>(action)) return *wilson;
  if (const auto* staggered = parameters_of<StaggeredParameters>(action)) return StaggeredSea{*staggered};
  if (const auto* hisq = parameters_of<HisqParameters>(action))
    return StaggeredSea{hisq->staggered, hisq->epsilon};
  if (const auto* walls = parameters_of<DomainWallChoice>(action)) return walls->parameters(any_bounds);
  return std::nullopt;
}

double SeaQuarks::mass() const {
  if (staggered()) return staggered()->parameters.mass;
  return walls() ? walls()->mass : wilson()->mass;
}

int SeaQuarks::all_flavours() const {
  int sum = flavours;
  if (staggered())
    for (const StaggeredSea::Partner& partner : staggered()->partners) sum += partner.flavours;
  return sum;
}

std::vector<double> SeaQuarks::ladder(const std::vector<double>& heavier_masses) const {
  std::vector<double> masses;
  if (staggered())
    for (const double mass : heavier_masses)
      if (mass > staggered()->heaviest_mass()) masses.push_back(mass);
  return masses;
}

// x is A = m^2 - D_eo D_oe/4 of the lightest mass, and x + m_k^2 - m^2 that of m_k.
std::vector<PowerProduct> SeaQuarks::targets(const std::vector<double>& heavier_masses) const {
  if (!staggered()) return {PowerProduct(-root_power())};
  const double n = 4.0 * pseudofermions, p = root_power(), lightest = mass();
  const auto shift = [&](double mass) { return (mass - lightest) * (mass + lightest); };
  std::vector<PowerFactor> light{{-flavours / n, 0}};
  for (const StaggeredSea::Partner& partner : staggered()->partners)
    light.push_back({-partner.flavours / n, shift(partner.mass)});
  std::vector<PowerProduct> all;
  std::optional<double> last;
  for (const double mass : ladder(heavier_masses)) {
    std::vector<PowerFactor> step{{-p, shift(mass)}};
    if (last) step.push_back({p, *last});
    all.emplace_back(std::move(step));
    last = shift(mass);
  }
  if (last) light.push_back({p, *last});
  all.emplace_back(std::move(light));
  return all;
}

std::vector<SeaQuarks> joint_quarks(const std::vector<SeaQuarks>& quarks) {
  std::vector<SeaQuarks> joint;
  for (SeaQuarks next : quarks) {
    const auto same = std::find_if(joint.begin(), joint.end(), [&](const SeaQuarks& other) {
      return other.staggered() && next.staggered() && other.staggered()->epsilon == next.staggered()->epsilon;
    });
    if (same == joint.end()) {
      joint.push_back(next);
      continue;
    }
    if (next.mass() < same->mass()) {
      std::swap(std::get<StaggeredSea>(next.kind).parameters, std::get<StaggeredSea>(same->kind).parameters);
      std::swap(next.flavours, same->flavours);
      std::swap(next.pseudofermions, same->pseudofermions);
    }
    std::get<StaggeredSea>(same->kind).partners.push_back({next.mass(), next.flavours, next.pseudofermions});
  }
  return joint;
}

void name_quarks(std::vector<SeaQuarks>& quarks) {
  for (std::size_t k = 0; k < quarks.size(); ++k)
    quarks[k].name = quarks.size() == 1 ? "quarks" : fmt::format("quarks_{}", k + 1);
}

}  // namespace plaq
