// Mesons of staggered quarks with spin and taste, [correlators] spin_tastes. Of one source:
//
//   /correlators/CHANNEL/p_X_Y_Z/SINK   [t][real, imaginary]  as in jobs/correlators/correlators.hpp
//   /spin_tastes/true_residual          [shift][column] of the solves for shifted sources, if there are any;
//                                       with many masses [mass][shift][column]
#include "observables/quark/taste_mesons.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/system/dry_run.hpp"
#include "jobs/correlators/correlators.hpp"
#include "jobs/propagator/mass_pairs.hpp"
#include "jobs/propagator/propagator_observable.hpp"
#include "jobs/schema/common_keys.hpp"
#include "kernels/gauge/link_copies.hpp"
#include "settings/gauge/link_smearing.hpp"
#include "settings/quark/source_kind.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq::jobs {
namespace {

struct TasteKeys {
  std::vector<std::string> spin_tastes;
};

void check_tastes(Problems& problems, const TasteKeys& keys, const Settings& job) {
  if (keys.spin_tastes.empty()) return;
  const KeyName key = "correlators.spin_tastes";
  if (action_of_any_mass(job)->spins() != 1) problems.add(key, "are of staggered quarks");
  std::set<std::string> found;
  for (const std::string& name : keys.spin_tastes) {
    if (!taste_channel(name))
      problems.add(key, fmt::format("\"{}\" is neither one of {} nor a pair SPIN-TASTE such as \"G5-G5X\"",
                                    name, fmt::join(taste_multiplets(), ", ")));
    if (!found.insert(name).second) problems.add(key, fmt::format("\"{}\" is there twice", name));
  }
  if (first_source(job)->is_noise())
    problems.add(key, "average to 0 over the points of noise; take a point or a corner_wall source");
}

std::vector<TasteChannel> taste_channels(const Settings& job) {
  std::vector<TasteChannel> channels;
  for (const std::string& name : job.get<TasteKeys>().spin_tastes) channels.push_back(*taste_channel(name));
  return channels;
}

class TasteMeasurement final : public QuarkMeasurement {
 public:
  explicit TasteMeasurement(const JobContext& context)
      : context_(context),
        keys_(context.job.get<CorrelatorKeys>()),
        momenta_(job_momenta(context.job, "correlators", keys_.max_momentum_squared, context.extents)),
        masses_(names_of_masses(context.job.get<ActionKeys>())),
        pairs_(context.job.get<MassPairKeys>().of(std::max<std::size_t>(1, masses_.size()))),
        mesons_(context, taste_channels(context.job), momenta_) {}

  QuarkNeeds needs() const override {
    return {.source = solves() > 0, .smearing = keys_.has_sink("smeared"), .solves = solves()};
  }
  void begin(const LoadedGauge& gauge) override {
    if (solves() == 0) return;
    const auto smearing = context_.job.get<LinkSmearing>();
    Field links = gauge.field;
    if (smearing.smears()) {
      links = Field(gauge.field.geometry_ptr(), gauge.field.spec());
      copy(links, gauge.field);
      smear_links(context_, links, smearing);
    }
    mesons_.set_links(links_without_halo(context_, links), context_.job.get<ActionKeys>().boundary);
  }
  Results measure(const SourceQuarks& from) override {
    Results results;
    Found found;
    std::vector<std::vector<double>> residuals(from.quarks.size());  // of each mass, [shift][column]
    const std::vector<Field> smeared = smeared_copies(from);
    for (const unsigned shift : mesons_.shifts()) {
      std::vector<Field> quarks = shift == 0 ? from.quarks : solve(from, shift, residuals);
      const Phase phase("contracting");
      if (keys_.has_sink("point")) add(found, "point", shift, quarks, from.quarks, from.position);
      if (smeared.empty()) continue;
      if (shift != 0)
        for (Field& quark : quarks) from.smearing->apply(quark);
      add(found, "smeared", shift, shift == 0 ? smeared : quarks, smeared, from.position);
    }
    write(results, found, from.summed);
    if (solves() > 0) write_residuals(results, residuals);
    return results;
  }

 private:
  using Found = std::map<std::pair<std::string, std::size_t>, Correlators>;  // by sink and pair of masses

  int solves() const {
    return static_cast<int>(std::count_if(mesons_.shifts().begin(), mesons_.shifts().end(),
                                          [](unsigned shift) { return shift != 0; }));
  }

  // M^-1 E b of each mass.
  std::vector<Field> solve(const SourceQuarks& from, unsigned shift,
                           std::vector<std::vector<double>>& residuals) const {
    const MemoryName name("quark fields of shifted sources");
    const Field b = mesons_.shifted(from.source, shift);
    std::vector<Field> quarks;
    for (const Field& quark : from.quarks) quarks.emplace_back(quark.geometry_ptr(), quark.spec());
    const PropagatorSolver::FillSource fill = [&](Field& part, int first_column) {
      for (int subfield = 0; subfield < part.subfields(); ++subfield)
        copy_subfield(part, subfield, b, first_column + subfield);
    };
    const std::string& file = from.gauge.report.info.path;
    std::vector<ColumnReport> reports;
    if (from.approximation != nullptr)
      reports.push_back(from.solver.only().approximate(quarks.front(), fill, *from.approximation, file));
    else
      reports = from.solver.solve(quarks, fill, file, nullptr, [](std::size_t, const PropagatorSolver&) {});
    for (std::size_t mass = 0; mass < reports.size(); ++mass)
      residuals[mass].insert(residuals[mass].end(), reports[mass].true_residuals.begin(),
                             reports[mass].true_residuals.end());
    return quarks;
  }

  // Quark fields with smeared sinks, where they are asked for.
  std::vector<Field> smeared_copies(const SourceQuarks& from) const {
    std::vector<Field> smeared;
    if (!keys_.has_sink("smeared")) return smeared;
    for (const Field& quark : from.quarks) {
      Field& copied = smeared.emplace_back(quark.geometry_ptr(), quark.spec());
      copy(copied, quark);
      from.smearing->apply(copied);
    }
    return smeared;
  }

  void add(Found& found, const std::string& sink, unsigned shift, const std::vector<Field>& x,
           const std::vector<Field>& s, const Extents& position) {
    for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
      const auto& [quark, antiquark] = pairs_[pair];
      mesons_.add(found.try_emplace({sink, pair}, mesons_.none()).first->second, shift, x[quark],
                  s[antiquark], position);
    }
  }

  void write(Results& results, const Found& found, const std::string& summed) const {
    for (const auto& [at, correlators] : found)
      for (std::size_t i = 0; i < correlators.size(); ++i)
        for (std::size_t p = 0; p < momenta_.size(); ++p) {
          const auto& [sink, pair] = at;
          std::vector<std::string> quarks;
          if (!masses_.empty()) quarks = {masses_[pairs_[pair].first], masses_[pairs_[pair].second]};
          add_correlator(
              results,
              {channel_of(mesons_.channels()[i]), quarks, sink, momenta_[p], false, correlators[i][p]},
              summed);
        }
  }

  void write_residuals(Results& results, const std::vector<std::vector<double>>& residuals) const {
    const auto shifts = static_cast<std::size_t>(solves());
    std::vector<std::size_t> extents = {shifts, residuals.front().size() / shifts};
    std::vector<std::string> axes = {"shift", "column"};
    if (!masses_.empty()) {
      extents.insert(extents.begin(), residuals.size());
      axes.insert(axes.begin(), "mass");
    }
    std::vector<double> all;
    for (const auto& one : residuals) all.insert(all.end(), one.begin(), one.end());
    Attributes attributes =
        described(axes, "1", "||b - M x|| / ||b|| of the quarks of shifted sources, as of /solves");
    std::vector<std::string> names;
    for (const unsigned shift : mesons_.shifts())
      if (shift != 0) names.push_back(directions_of(shift));
    attributes.emplace_back("shift", names);
    results.dataset("/spin_tastes/true_residual", extents, all, attributes);
  }

  const JobContext& context_;
  CorrelatorKeys keys_;
  std::vector<Momentum> momenta_;
  std::vector<std::string> masses_;  // names of the quarks, where there are many masses
  std::vector<std::pair<std::size_t, std::size_t>> pairs_;  // of masses
  TasteMesons mesons_;
};

class TasteObservable final : public PropagatorObservable {
 public:
  const char* key() const override { return "correlators.spin_tastes"; }
  bool is_asked(const Settings& job) const override { return !job.get<TasteKeys>().spin_tastes.empty(); }
  bool takes_many_masses() const override { return true; }
  bool takes_approximations() const override { return true; }
  std::vector<Key> correlator_keys() const override {
    return {
        field(&TasteKeys::spin_tastes, "spin_tastes",
              fmt::format(
                  "Staggered quarks: mesons with these spins and tastes, of the masses in pairs. SPIN-TASTE "
                  "is one of all 256 bilinears, such as \"G5-G5X\": spin and taste are G1, "
                  "GX, GY, GZ, GT, GXY, GYZ, GZX, GXT, GYT, GZT, G5X, G5Y, G5Z, G5T or G5. Sums over "
                  "directions: {}. Where spin and taste differ, quarks of source and sink are shifted along "
                  "links of [link_smearing], and each shift takes one more solve of the source.",
                  fmt::join(taste_multiplets(), ", ")))
            .such_as("[\"pion_i5\", \"GX-G1\"]")
            .without("no such mesons")};
  }
  std::vector<Rule> rules() const override {
    return {{{"correlators.spin_tastes", "action.type", "source.type"},
             "Spins and tastes are of staggered quarks, and do not allow noise.",
             check_tastes}};
  }
  std::unique_ptr<QuarkMeasurement> measurement(const JobContext& context) const override {
    return std::make_unique<TasteMeasurement>(context);
  }
};

}  // namespace

const PropagatorObservable& taste_mesons() {
  static const TasteObservable observable;
  return observable;
}

}  // namespace plaq::jobs
