#include "jobs/study/subjects.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "jobs/common/wrap.hpp"
#include "jobs/rates/solver_rates.hpp"
#include "jobs/study/field_checksum.hpp"
#include "jobs/study/sweeps.hpp"
#include "multigrid/cycle/cycle_in_precision.hpp"
#include "solvers/krylov/make_method.hpp"

namespace plaq::jobs {
namespace {

using Storages = std::vector<StudyStorage>;

constexpr int usual_solves = 5;  // each is of many iterations

// What `exchanges` exchanges of the hopping term add to what was timed; an application has `of_apply` of
// them.
void add_exchanges(Measured& measured, const ProcessGrid& grid, RatedApplication& application,
                   double exchanges, int of_apply) {
  measured.exchange = exchange_times(grid, application, of_apply);
  const Halo& halo = application.halo();
  if (!halo.exchanges()) return;
  measured.exchanges = exchanges;
  measured.bytes_sent = exchanges * static_cast<double>(halo.bytes_sent());
}

std::vector<Measured> measure_operator(const SubjectProblem& p, std::string_view key,
                                       const Storages& storages, int rhs) {
  const bool hop = key == "hop", symmetric = key == "schur";
  const std::vector<LinkStorage> links(storages.begin(), storages.end());
  const auto rates = hop ? p.action->hop_rates(links, rhs) : p.action->schur_rates(symmetric, links, rhs);
  std::vector<Measured> all(rates.begin(), rates.end());
  for (std::size_t i = 0; i < all.size() && p.looks_closer; ++i) {
    const auto one = hop ? p.action->hop(links[i], rhs) : p.action->schur(symmetric, links[i], rhs);
    one->apply();
    all[i].checksum = field_checksum(p.rates.grid, one->result());
    add_exchanges(all[i], p.rates.grid, *one, hop ? 1 : 2, hop ? 1 : 2);
  }
  return all;
}

constexpr std::string_view gcr_multigrid = "gcr_multigrid";

// A method on an even-odd operator, with cycles as its preconditioner where the subject has them.
class RatedMethod {
 public:
  RatedMethod(const SubjectProblem& p, std::string_view key, LinearOperator& schur, Precision precision,
              int rhs) {
    if (key == gcr_multigrid) {
      RatedMultigrid& rated = multigrid_of(p);
      cycle_ = std::make_unique<CycleInPrecision>(p.rates.grid, rated.multigrid->hierarchy().cycle(0, rhs),
                                                  precision, rhs);
      setup_seconds_ = rated.seconds;
      key = "gcr";
    } else if (key == "cg" && p.action->positive()) {
      key = "hermitian-cg";
    }
    MethodSettings settings;
    settings.preconditioner = cycle_.get();
    method_ = plaq::make_method(key, schur, rhs, settings);
  }
  KrylovMethod& method() { return *method_; }
  double setup_seconds() const { return setup_seconds_; }

 private:
  static RatedMultigrid& multigrid_of(const SubjectProblem& p) {
    return p.action->multigrid(p.multigrid != nullptr ? *p.multigrid : MultigridOptions());
  }

  std::unique_ptr<CycleInPrecision> cycle_;
  std::unique_ptr<KrylovMethod> method_;
  double setup_seconds_ = 0;
};

// The method in one precision, as it is inside of others.
std::vector<Measured> measure_method(const SubjectProblem& p, std::string_view key, const Storages& storages,
                                     int rhs) {
  const ProcessGrid& grid = p.rates.grid;
  const int usual = p.rates.samples > 0 ? p.rates.samples : usual_solves;
  const bool symmetric = key != gcr_multigrid;  // cycles are of the asymmetric form
  std::vector<Measured> all;
  for (const StudyStorage& storage : storages) {
    const TapeLabel label(name_of(storage));
    Measured measured = p.action->schur_rates(symmetric, {storage}, rhs).front();
    const auto schur = p.action->schur(symmetric, storage, rhs);
    const Field b = schur->random(43);
    Field x(b.geometry_ptr(), b.spec());
    RatedMethod rated(p, key, schur->schur(), storage.precision, rhs);
    measured.setup_seconds = rated.setup_seconds();
    std::vector<double> microseconds;
    SolverRate rate;
    for (int i = 0; i < (p.solves > 0 ? p.solves : usual); ++i) {
      rate = solver_rate(grid, rated.method(), b, p.iterations, &x);
      microseconds.push_back(1e6 * rate.seconds / rate.iterations);
    }
    measured.samples = samples_of(microseconds);
    measured.work = {rate.flops / rate.iterations / grid.size(), 0};
    if (p.looks_closer) {
      measured.checksum = field_checksum(grid, x);
      const double applications = static_cast<double>(rate.applications) / rate.iterations;
      add_exchanges(measured, grid, *schur, 2 * applications, 2);
    }
    all.push_back(measured);
  }
  return all;
}

std::vector<Measured> measure_landau(const SubjectProblem& p, std::string_view key, const Storages& storages,
                                     int copies) {
  return measure_sweeps(p, Gauge::landau, gauge_update(key), storages, copies);
}

}  // namespace

const std::vector<Subject>& subjects() {
  constexpr auto op = SubjectKind::dirac_operator, method = SubjectKind::method, sweep = SubjectKind::sweep;
  static const std::vector<Subject> all = {
      {"hop", op, "the action's hopping term on one parity, of domain walls on all slices", measure_operator},
      {"schur", op, "its symmetric even-odd operator", measure_operator},
      {"schur_asymmetric", op, "its asymmetric one", measure_operator},
      {"gauge_fixing", sweep, "overrelaxation of all sites to Landau gauge in SU(3) as a whole",
       measure_landau},
      {"gauge_fixing_su2", sweep, "the same in its subgroups of SU(2)", measure_landau},
      {"cg", method, "conjugate gradients, of Wilson quarks on the normal equations", measure_method},
      {"cgne", method, "the same for M M^dagger", measure_method},
      {"bicgstab", method, "stabilised bi-conjugate gradients", measure_method},
      {"gcr", method, "generalised conjugate residuals", measure_method},
      {"mr", method, "minimal residual steps", measure_method},
      {gcr_multigrid, method,
       "gcr preconditioned by multigrid, of Wilson and clover quarks, on the asymmetric even-odd operator",
       measure_method}};
  return all;
}

bool Subject::uses_multigrid() const { return key == gcr_multigrid; }

bool Subject::takes(const StudyStorage& storage) const {
  if (!fixes_gauge()) return !storage.mixed;
  return storage.reals == 12 && storage.precision != Precision::half_precision;
}

const Subject& subject(std::string_view key) {
  const auto at =
      std::find_if(subjects().begin(), subjects().end(), [&](const Subject& one) { return one.key == key; });
  require(at != subjects().end(), "a subject of a study has no key");
  return *at;
}

std::vector<std::string> subject_keys(bool iterates) {
  std::vector<std::string> keys;
  for (const Subject& one : subjects())
    if (one.iterates() == iterates) keys.emplace_back(one.key);
  return keys;
}

std::string subject_meanings(bool iterates) {
  std::string text;
  for (const Subject& one : subjects())
    if (one.iterates() == iterates)
      text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", one.key, one.meaning);
  return text;
}

std::string subject_name(std::string_view key, const ActionPtr& parameters) {
  if (key == "hop") return parameters->hop_name() + "_hop";
  if (subject(key).kind != SubjectKind::dirac_operator) return std::string(key);
  return parameters->name() + (key == "schur" ? "_schur" : "_schur_asy");
}

std::vector<Measured> measure_all(const SubjectProblem& problem, const ActionPtr& parameters,
                                  const SubjectLists& lists) {
  std::vector<Measured> all(lists.size());
  for (std::size_t k = 0; k < lists.subjects.size(); ++k)
    for (std::size_t r = 0; r < lists.right_hand_sides.size(); ++r) {
      const Subject& what = subject(lists.subjects[k]);
      const int rhs = lists.right_hand_sides[r];
      const TapeLabel label(subject_name(what.key, parameters) + ", " +
                            counted(rhs, what.fixes_gauge() ? "copy" : "right-hand side"));
      const auto found = what.measure(problem, what.key, lists.storages, rhs);
      for (std::size_t s = 0; s < found.size(); ++s) all[lists.at(k, s, r)] = found[s];
    }
  return all;
}

}  // namespace plaq::jobs
