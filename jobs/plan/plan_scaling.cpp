// The plan of a scaling study (jobs/scaling/scaling.cpp) on so many ranks.
#include <fmt/format.h>

#include <algorithm>

#include "jobs/dirac/action_keys.hpp"
#include "jobs/dirac/solver_spec.hpp"
#include "jobs/plan/plan_dirac.hpp"
#include "jobs/plan/plan_rates.hpp"
#include "jobs/run/pieces.hpp"
#include "jobs/scaling/scaled_fixing.hpp"
#include "jobs/scaling/scaling_keys.hpp"
#include "kernels/dirac/staggered/staggered.hpp"
#include "solvers/krylov/make_method.hpp"

namespace plaq::jobs {
namespace {

using Form = WilsonSchur::Form;
using Points = std::vector<ScalingPoint>;

GeometryPtr geometry_of(const ScalingPoint& point, const ScalingKeys& keys) {
  return Geometry::create({point.global(), point.grid, {0, 0, 0, 0}, keys.forced});
}

void plan_point(Plan& plan, const ScalingKeys& keys, const Geometry& geometry) {
  pass_transport_trial(plan, geometry);
  RatePlan rates(plan, geometry, keys.parameters);
  for (const std::string& op : keys.operators)
    for (const int rhs : keys.right_hand_sides) {
      if (scaled_operator(op).iterates) {
        for (const LinkStorage& storage : keys.storages) rates.pass_method_rate(op, storage, rhs);
      } else if (scaled_operator(op).fixes_gauge) {
        std::vector<FixingPrecision> precisions;
        for (const ScaledStorage& storage : keys.storages) precisions.push_back(fixing_precision(storage));
        rates.pass_sweep_rates(precisions, rhs);
      } else if (op == "hop") {
        rates.pass_hop_rates(link_storages(keys.storages), rhs);
      } else {
        rates.pass_schur_rates(op == "schur" ? Form::symmetric : Form::asymmetric,
                               link_storages(keys.storages), rhs);
      }
    }
}

void plan_files(Plan& plan, const ScalingKeys& keys, std::size_t points, std::size_t missing) {
  constexpr std::uint64_t about_points = 9, of_each = 14;
  const JobFile& job = plan.job();
  const std::uint64_t rows = points * keys.size(), numbers = points * 16 + rows * of_each;
  const std::string output = job.string("output", "file");
  // The heap of names; attributes with the name of each point.
  const std::uint64_t heap = 2000 + 90 * points + 40 * (keys.operators.size() + keys.storages.size());
  plan.writes({output, about_result_file_bytes(job) + heap +
                           (about_points + of_each) * about_dataset_bytes(220) + 8 * numbers});
  PlannedFile journal = planned_journal(job, output + ".journal", points * 6000 + 8 * numbers);
  journal.temporary = missing == 0;
  plan.writes(journal);
  const bool model =
      job.string("model", "machine") != "none" || !job.strings("model", "measurements").empty();
  if (const auto name = job.optional_string("output", "json"))
    plan.writes({*name, 300 + rows * (model ? 990 : 890) + 90 * missing});
  if (const auto name = job.optional_string("output", "table"))
    plan.writes({*name, 200 + rows * (model ? 125 : 107) + 60 * missing});
}

void send_faces(Plan& plan, const std::string& what, const HaloSpec& spec) {
  const HaloFaces faces(*plan.geometry(), spec);
  for (int mu = 0; mu < 4; ++mu) {
    if (!plan.geometry()->partitioned(mu)) continue;
    const auto ahead = faces.message_bytes[static_cast<std::size_t>(2 * mu)],
               behind = faces.message_bytes[static_cast<std::size_t>(2 * mu + 1)];
    plan.sends({what, mu, ahead == behind ? 2 : 1, ahead});
    if (ahead != behind) plan.sends({what, mu, 1, behind});
  }
}

// Messages and predicted times of the point that is shown, in the first storage.
void describe_shown(Plan& plan, const ScalingKeys& keys) {
  const ScaledStorage& storage = keys.storages.front();
  const int rhs = keys.right_hand_sides.front();
  if (std::any_of(keys.operators.begin(), keys.operators.end(),
                  [](const auto& op) { return scaled_operator(op).fixes_gauge; })) {
    send_faces(
        plan, fmt::format("half a sweep in {}, {} cop{}", name_of(storage), rhs, rhs == 1 ? "y" : "ies"),
        gauge_fixer_specs(Gauge::landau, fixing_precision(storage), rhs, plan.location())
            .halo);
    if (keys.has_dirac())
      plan.note(
          "Times of gauge fixing are not predicted: the model knows Dirac operators and their solvers.");
  }
  if (!keys.has_dirac()) return;
  const bool staggered = columns_of(keys.parameters) == 3;
  const int slices = slices_of(keys.parameters);
  send_faces(
      plan,
      fmt::format("a hopping term in {}, {} right-hand side{}", name_of(storage), rhs, rhs == 1 ? "" : "s"),
      staggered ? StaggeredHopping::halo_spec(storage.precision, rhs, plan.location(),
                                              std::holds_alternative<AsqtadParameters>(keys.parameters))
                : WilsonHopping::halo_spec(storage.precision, rhs * slices, plan.location()));
  const auto method = std::find_if(keys.operators.begin(), keys.operators.end(),
                                   [](const auto& op) { return scaled_operator(op).iterates; });
  const std::string name = method == keys.operators.end() ? "cg" : *method;
  plan.iterates({{OperatorKind::even_odd, keys.clover(), storage, rhs, false, false,
                  static_cast<ModelQuarks>(keys.parameters.index()), slices},
                 staggered && name == "cg" ? "hermitian-cg" : name,
                 MethodSettings{}.restart_length});
}

Outlook outlook_of(const Plan& plan, const ScalingKeys& keys, const Points& points) {
  return outlook([&]() -> Outlook {
    const Attributes machine = scaling_machine(plan.location(), keys);
    const JobFiles files = files_of_scaling(plan.job(), machine);
    const EarlierFindings found = look_for_earlier_run(plan.job(), files);
    if (found.complete) return {Outlook::Kind::complete, fmt::format("{} is complete", files.output)};
    std::vector<std::string> names;
    for (const ScalingPoint& point : points) names.push_back(point.name());
    const std::size_t known = count_known_pieces(found.records, names, fingerprint_of(machine));
    if (known == 0) return {};
    return {Outlook::Kind::goes_on,
            fmt::format("{} of {} points are done, says {}", known, names.size(), files.journal)};
  });
}

}  // namespace

void plan_scaling(Plan& plan) {
  const ScalingKeys keys(plan.job());
  const Points all = keys.points();
  Points here;
  std::copy_if(all.begin(), all.end(), std::back_inserter(here),
               [&](const ScalingPoint& point) { return point.ranks() <= plan.ranks(); });
  if (here.empty()) throw no_point(plan.job(), plan.ranks(), all.front(), needs_ranks(all.front()));
  std::vector<GeometryPtr> geometries;  // each point makes its own
  for (const ScalingPoint& point : here) geometries.push_back(geometry_of(point, keys));
  const auto shown = std::max_element(here.begin(), here.end(),
                                      [](const auto& a, const auto& b) { return a.ranks() < b.ranks(); });
  plan.lies_on(geometries[static_cast<std::size_t>(shown - here.begin())]);
  describe_shown(plan, keys);
  plan.expects(outlook_of(plan, keys, all));
  for (std::size_t i = 0; i < here.size(); ++i) {
    plan.moves_faces_by(here[i].transport);
    plan_point(plan, keys, *geometries[i]);
  }
  plan_files(plan, keys, here.size(), all.size() - here.size());
  plan.note(
      fmt::format("{} of {} points can be measured on {} rank{}, one after the other; memory is the most "
                  "that any takes. Shown above: {}.",
                  here.size(), all.size(), plan.ranks(), plan.ranks() == 1 ? "" : "s", shown->name()));
  if (here.size() < all.size())
    plan.note(fmt::format("All of them take {} ranks: a later run on more adds what is missing.",
                          keys.most_ranks()));
}

}  // namespace plaq::jobs
