#include "settings/gauge/fixing_tables.hpp"

#include <algorithm>
#include <limits>

namespace plaq::settings {
namespace {

constexpr std::int64_t filling_sites = std::int64_t{1} << 20;  // with fewer a GPU is not busy

constexpr double many = 1e9;

void check_temperatures(Problems& problems, const FixingSettings& settings) {
  if (settings.annealing.coldest > settings.annealing.hottest)
    problems.add("annealing.coldest", "must be at most hottest, since the temperature falls");
}

void check_groups(Problems& problems, const CopyKeys& keys) {
  if (keys.groups > keys.copies)
    problems.add("fixing.groups",
                 "must be at most the number of gauge copies: a group of ranks without a copy would be idle");
}

Table fixing() {
  return {
      "fixing",
      "The gauge condition and the gauge copies.",
      {choice(&FixingSettings::gauge, "gauge",
              "The functional that is maximised. landau: sum of Re tr U over all links; coulomb: sum over "
              "spatial links, on each time slice alone; maximally_abelian: sum of |U_ii|^2 over all links.",
              gauge_names())
           .need("\"landau\""),
       field(&FixingSettings::theta, "theta",
             "Gauge precision to reach: the average over sites of tr Delta Delta^dagger / 3. Coulomb gauge: "
             "that of the worst time slice. Maximally Abelian gauge: the average of sum |C_ij|^2 / 3. theta "
             "is always computed in double precision.")
           .between(0, 1),
       choice(&FixingSettings::from_links, "start",
              "Start of the first copy. links: the links of the file; random: a random point on the gauge "
              "orbit. All other copies start at random.",
              {{"links", true}, {"random", false}})
           .otherwise("links"),
       field(&FixingSettings::seed, "seed", "Seed of the random numbers. Copy k uses seed + k.")
           .within(0, static_cast<double>(std::numeric_limits<std::int32_t>::max())),
       field(&CopyKeys::copies, "copies",
             "Number of gauge copies of each field. The copy with the largest functional is kept.")
           .within(1, 100000),
       field(&CopyKeys::at_once, "at_once",
             "Number of copies that one launch sweeps together. 0: as many as keep a GPU busy.")
           .within(0, 1024),
       field(&CopyKeys::groups, "groups",
             "Number of groups of ranks. Each group has the whole lattice and works on copies of its own. 0: "
             "plaq chooses.")
           .within(0, 100000),
       choice(&FixingSettings::precision, "precision",
              "Precision of the sweeps. single: links and transformation in single; mixed: links in single "
              "and transformation in double; double: both in double. If a copy cannot reach theta in this "
              "precision, its last sweeps are in double.",
              {{"single", FixingPrecision::single},
               {"mixed", FixingPrecision::mixed},
               {"double", FixingPrecision::full}}),
       field(&FixingSettings::measure_every, "measure_every",
             "Number of sweeps between two measurements of functional and theta.")
           .within(1, 1e6),
       field(&FixingSettings::reproject_every, "reproject_every",
             "Number of sweeps between two projections of the transformation onto SU(3).")
           .within(1, 1e6)}};
}

Table annealing() {
  constexpr auto annealing = &FixingSettings::annealing;
  using Schedule = AnnealingSchedule;
  return {"annealing",
          "First stage: simulated annealing, which finds higher maxima.",
          {field(annealing, &Schedule::steps, "steps",
                 "Number of heatbath sweeps. Microcanonical sweeps follow each of them. 0: no annealing.")
               .within(0, many),
           field(annealing, &Schedule::hottest, "hottest",
                 "Temperature of the first step. The temperature falls linearly.")
               .between(0, 1e6),
           field(annealing, &Schedule::coldest, "coldest", "Temperature of the last step.").between(0, 1e6),
           field(annealing, &Schedule::microcanonical, "microcanonical",
                 "Number of microcanonical sweeps after each heatbath sweep.")
               .within(0, 1000)}};
}

Table stochastic() {
  return {"stochastic",
          "Second stage: stochastic relaxation.",
          {field(&FixingSettings::stochastic_sweeps, "sweeps",
                 "Largest number of sweeps. The stage ends earlier when theta is reached. 0: no such stage.")
               .within(0, many),
           field(&FixingSettings::stochastic_probability, "probability",
                 "Probability with which an update takes the square of the best SU(2) element instead of the "
                 "element itself.")
               .within(0, 1)}};
}

Table overrelaxation() {
  return {
      "overrelaxation",
      "Last stage: overrelaxation until theta is reached.",
      {choice(&FixingSettings::in_subgroups, "method",
              "Update of a site. group: the SU(3) element as a whole; subgroups: its SU(2) subgroups one "
              "after the other, as in most programs. subgroups needs many times the sweeps.",
              {{"group", false}, {"subgroups", true}}),
       field(&FixingSettings::omega, "omega", "Overrelaxation parameter. 1: plain relaxation.")
           .within(1, 1.99)
           .without("plaq adapts omega to the decrease of theta on the first copy")
           .such_as("1.7"),
       field(&FixingSettings::max_sweeps, "max_sweeps", "Largest number of sweeps from one start.")
           .within(1, many),
       field(&FixingSettings::patience, "patience",
             "A copy is stuck if theta does not halve within this number of sweeps. It gets stochastic "
             "sweeps and an omega nearer to 1. If that does not help, the copy starts again elsewhere.")
           .within(1, many),
       field(&FixingSettings::restarts, "restarts", "Number of further starts for a copy that remains stuck.")
           .within(0, 1000)}};
}

}  // namespace

const Names<Gauge>& gauge_names() {
  static const Names<Gauge> names = {{"landau", Gauge::landau},
                                     {"coulomb", Gauge::coulomb},
                                     {"maximally_abelian", Gauge::maximally_abelian}};
  return names;
}

int copies_at_once(const CopyKeys& keys, std::int64_t local_volume, Location location) {
  if (keys.at_once > 0) return keys.at_once;
  if (location == Location::host) return 1;
  return static_cast<int>(
      std::clamp<std::int64_t>(filling_sites / local_volume, 1, std::min(64, keys.copies)));
}

std::vector<Table> fixing_tables() { return {fixing(), annealing(), stochastic(), overrelaxation()}; }

std::vector<Rule> fixing_rules() {
  return {
      {{"annealing.hottest", "annealing.coldest"}, "hottest must not be below coldest.", check_temperatures},
      {{"fixing.groups", "fixing.copies"},
       "There must not be more groups of ranks than copies.",
       check_groups}};
}

}  // namespace plaq::settings
