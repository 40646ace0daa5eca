#include "settings/gauge/fixing_tables.hpp"

#include <algorithm>
#include <limits>

namespace plaq::settings {
namespace {

constexpr std::int64_t filling_sites = std::int64_t{1} << 20;  // with fewer a GPU is not busy

constexpr double many = 1e9;

void check_temperatures(Problems& problems, const FixingSettings& settings) {
  if (settings.annealing.coldest > settings.annealing.hottest)
    problems.add("annealing.coldest", "must not be above hottest: the temperature falls");
}

void check_groups(Problems& problems, const CopyKeys& keys) {
  if (keys.groups > keys.copies) problems.add("fixing.groups", "more groups of ranks than gauge copies");
}

Table fixing() {
  return {"fixing",
          "The gauge, and the gauge copies that are looked at.",
          {choice(&FixingSettings::gauge, "gauge",
                  "Largest sum of Re tr U over all links (landau) or over those in space, time slice by time "
                  "slice (coulomb), or of |U_ii|^2 over all links (maximally_abelian).",
                  gauge_names())
               .need("\"landau\""),
           field(&FixingSettings::theta, "theta",
                 "Gauge precision to reach: average over sites of tr Delta Delta^dagger / 3, in Coulomb "
                 "gauge of the worst time slice; maximally Abelian: of sum |C_ij|^2 / 3. Judged in double.")
               .between(0, 1),
           choice(&FixingSettings::from_links, "start",
                  "Where the first copy starts: at the links as they are, or at random on the gauge orbit, "
                  "as all others do.",
                  {{"links", true}, {"random", false}})
               .otherwise("links"),
           field(&FixingSettings::seed, "seed", "Key of the random numbers; copy k has those of seed + k.")
               .within(0, static_cast<double>(std::numeric_limits<std::int32_t>::max())),
           field(&CopyKeys::copies, "copies",
                 "Gauge copies of each field; the one with the largest functional is kept.")
               .within(1, 100000),
           field(&CopyKeys::at_once, "at_once",
                 "Copies that are swept over side by side; 0: as many as keep a GPU busy.")
               .within(0, 1024),
           field(&CopyKeys::groups, "groups",
                 "Groups of ranks that take copies side by side, each with the whole lattice; 0: chosen.")
               .within(0, 100000),
           choice(&FixingSettings::precision, "precision",
                  "Of the sweeps: links and transformation in single, links in single and transformation in "
                  "double (mixed), or both in double. What a copy still lacks in theta is done in double.",
                  {{"single", FixingPrecision::single},
                   {"mixed", FixingPrecision::mixed},
                   {"double", FixingPrecision::full}}),
           field(&FixingSettings::measure_every, "measure_every",
                 "Sweeps from one look at functional and theta to the next.")
               .within(1, 1e6),
           field(&FixingSettings::reproject_every, "reproject_every",
                 "Sweeps from one projection of the transformation to SU(3) to the next.")
               .within(1, 1e6)}};
}

Table annealing() {
  constexpr auto annealing = &FixingSettings::annealing;
  using Schedule = AnnealingSchedule;
  return {
      "annealing",
      "First stage: simulated annealing, which leads to higher maxima.",
      {field(annealing, &Schedule::steps, "steps",
             "Heatbath sweeps, each followed by microcanonical ones; 0: no annealing.")
           .within(0, many),
       field(annealing, &Schedule::hottest, "hottest", "Temperature of the first step; it falls linearly.")
           .between(0, 1e6),
       field(annealing, &Schedule::coldest, "coldest", "Temperature of the last step.").between(0, 1e6),
       field(annealing, &Schedule::microcanonical, "microcanonical",
             "Microcanonical sweeps after each heatbath sweep.")
           .within(0, 1000)}};
}

Table stochastic() {
  return {"stochastic",
          "Second stage: stochastic relaxation.",
          {field(&FixingSettings::stochastic_sweeps, "sweeps",
                 "At most so many; fewer where theta is reached. 0: none.")
               .within(0, many),
           field(&FixingSettings::stochastic_probability, "probability",
                 "Of the square of the best SU(2) element instead of itself.")
               .within(0, 1)}};
}

Table overrelaxation() {
  return {
      "overrelaxation",
      "Last stage: overrelaxation until theta is reached.",
      {choice(&FixingSettings::in_subgroups, "method",
              "What is overrelaxed at a site: the element of SU(3) as a whole (group), or its subgroups of "
              "SU(2) one by one, as most programs do, which takes many times the sweeps.",
              {{"group", false}, {"subgroups", true}}),
       field(&FixingSettings::omega, "omega", "Overrelaxation parameter; 1: relaxation.")
           .within(1, 1.99)
           .without("adapted to how theta falls, on the first copy")
           .such_as("1.7"),
       field(&FixingSettings::max_sweeps, "max_sweeps", "At most so many from one start.").within(1, many),
       field(&FixingSettings::patience, "patience",
             "A copy whose theta does not halve in so many sweeps is stuck: it gets stochastic sweeps and an "
             "omega nearer to 1, and if that does not help another start.")
           .within(1, many),
       field(&FixingSettings::restarts, "restarts", "Other starts for a copy that remains stuck.")
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
      {{"annealing.hottest", "annealing.coldest"},
       "The temperature falls from hottest to coldest.",
       check_temperatures},
      {{"fixing.groups", "fixing.copies"}, "There are no more groups of ranks than copies.", check_groups}};
}

}  // namespace plaq::settings
