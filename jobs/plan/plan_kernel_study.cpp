// The plan of a kernel study (jobs/kernel_study/kernel_study.cpp).
#include <fmt/format.h>

#include "jobs/kernel_study/kernel_study_keys.hpp"
#include "jobs/plan/plan_rates.hpp"
#include "jobs/run/pieces.hpp"

namespace plaq::jobs {
namespace {

using Form = WilsonSchur::Form;

void plan_memory(Plan& plan, const KernelStudyKeys& keys, std::vector<GeometryPtr>& geometries) {
  const auto lattice = [&](int sites) -> const Geometry& {
    const Extents extents = keys.with_time(sites);
    const Sharing sharing = share_other_lattice(plan.job(), extents, plan.ranks(), plan.ranks_per_node());
    geometries.push_back(Geometry::create({extents, sharing.grid, {0, 0, 0, 0}, sharing.forced}));
    pass_transport_trial(plan, *geometries.back());
    return *geometries.back();
  };
  if (keys.bandwidth && !keys.temporal_extents.empty()) pass_stream(plan);
  for (const int sites : keys.temporal_extents) {
    RatePlan rates(plan, lattice(sites), keys.parameters);
    for (const int rhs : keys.right_hand_sides)
      for (const RatedOperator op : keys.operators) {
        if (op == RatedOperator::hop)
          rates.pass_hop_rates(keys.storages, rhs);
        else
          rates.pass_schur_rates(op == RatedOperator::schur ? Form::symmetric : Form::asymmetric,
                                 keys.storages, rhs);
      }
  }
  if (!keys.methods.empty()) {
    RatePlan rates(plan, *plan.geometry(), keys.parameters);
    for (const LinkStorage& storage : keys.solved_storages) rates.pass_solver_rates(storage, keys.methods);
  }
  if (!keys.accurate_storages.empty())
    pass_accuracy(plan, lattice(keys.accuracy_extent), keys.accurate_storages);
}

void plan_files(Plan& plan, const KernelStudyKeys& keys) {
  const JobFile& job = plan.job();
  std::uint64_t datasets = 0, numbers = 0, names = 0, in_journal = 0;
  const auto add = [&](std::uint64_t pieces, std::uint64_t of_each, std::uint64_t count,
                       const std::vector<LinkStorage>& storages) {
    datasets += of_each;
    numbers += count;
    names += storages.size();
    in_journal += pieces * (400 + 250 * of_each) + 8 * count;
  };
  if (const auto extents = keys.temporal_extents.size()) {
    const auto rates = keys.right_hand_sides.size() * keys.operators.size() * keys.storages.size();
    add(extents, keys.bandwidth ? 9 : 7, extents * (keys.bandwidth ? 8 * rates + 1 : 7 * rates),
        keys.storages);
  }
  if (const auto storages = keys.solved_storages.size(); !keys.methods.empty())
    add(storages, 5, storages * (3 * keys.methods.size() + 2), keys.solved_storages);
  if (const auto curves = keys.accurate_storages.size(); curves > 0)
    add(1, 3, keys.epsilons.size() + curves * (keys.epsilons.size() + 1), keys.accurate_storages);
  // Of many names HDF5 makes another heap.
  const std::uint64_t heap = 2000 + 200 * (names > 9 ? names - 9 : 0);
  const std::string output = job.string("output", "file");
  plan.writes(
      {output, about_result_file_bytes(job) + heap + datasets * about_dataset_bytes(160) + 8 * numbers});
  plan.writes(planned_journal(job, output + ".journal", in_journal));
}

Outlook outlook_of(const Plan& plan, const KernelStudyKeys& keys) {
  return outlook([&]() -> Outlook {
    const StudyMachine machine = shape_of_machine(plan.location(), *plan.geometry(), keys.checked);
    const JobFiles files = files_of_kernel_study(plan.job(), machine);
    const EarlierFindings found = look_for_earlier_run(plan.job(), files);
    if (found.complete) return {Outlook::Kind::complete, fmt::format("{} is complete", files.output)};
    const auto names = keys.piece_names();
    const std::size_t known = count_known_pieces(found.records, names, fingerprint_of(machine));
    if (known == 0) return {};
    return {Outlook::Kind::goes_on,
            fmt::format("{} of {} pieces are done, says {}", known, names.size(), files.journal)};
  });
}

}  // namespace

void plan_kernel_study(Plan& plan) {
  const KernelStudyKeys keys(plan.job());
  plan.split(keys.extents);
  plan.expects(outlook_of(plan, keys));
  std::vector<GeometryPtr> geometries;
  plan_memory(plan, keys, geometries);
  plan_files(plan, keys);
  const std::size_t pieces = keys.piece_names().size();
  plan.note(fmt::format(
      "{} piece{}, one after the other: {} extent{} in time, {} storage{} of the solvers, "
      "{} accuracy curve{}.",
      pieces, pieces == 1 ? "" : "s", keys.temporal_extents.size(),
      keys.temporal_extents.size() == 1 ? "" : "s", keys.methods.empty() ? 0 : keys.solved_storages.size(),
      !keys.methods.empty() && keys.solved_storages.size() == 1 ? "" : "s", keys.accurate_storages.size(),
      keys.accurate_storages.size() == 1 ? "" : "s"));
}

}  // namespace plaq::jobs
