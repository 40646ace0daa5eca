#include "jobs/gaugefix/fixing_copies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "comms/communicator/collective.hpp"
#include "comms/halo/extended_halo.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "core/system/timer.hpp"
#include "io/bytes/byte_stream.hpp"
#include "io/transformation/transformation_file.hpp"
#include "jobs/files/stored_field.hpp"
#include "jobs/gaugefix/fixing_files.hpp"
#include "jobs/gaugefix/fixing_results.hpp"
#include "jobs/gaugefix/rank_groups.hpp"
#include "jobs/schema/common_keys.hpp"
#include "kernels/gauge/observables.hpp"
#include "kernels/gauge/temporal_gauge.hpp"
#include "settings/gauge/fixing_tables.hpp"

namespace plaq::jobs {
namespace {

constexpr Precision wide = Precision::double_precision;

}  // namespace

FixingCopies::FixingCopies(const JobContext& context)
    : context_(context),
      settings_(context.job.get<FixingSettings>()),
      groups_(context.grid->comm(), groups_of(context.job, context.extents, context.grid->size())),
      grid_(context.grid.get()),
      geometry_(context.geometry),
      copies_(context.job.get<CopyKeys>().copies) {
  transport_.transport = context.transport;
  if (groups_.count() > 1) {
    const int ranks = context.grid->size() / groups_.count();
    own_grid_ = std::make_unique<ProcessGrid>(groups_.comm(), choose_grid(ranks, context.extents));
    grid_ = own_grid_.get();
    const auto comms = context.job.get<CommsKeys>();
    geometry_ = grid_->geometry(context.extents, comms.sharing().forced);
    transport_ = start_transport(*grid_, context.location(), comms.faces());
  }
  at_once_ = copies_at_once(context.job.get<CopyKeys>(), geometry_->local_volume(), context.location());
  if (DryRun* dry = DryRun::current(); dry && copies_ > 1)
    dry->note(fmt::format("{} copies of each: {} at once on each of {} group{} of ranks.", copies_, at_once_,
                          groups_.count(), groups_.count() == 1 ? "" : "s"));
  if (copies_ > 1)
    log::info(fmt::format(
        "{} copies of a field: {} at once on each of {} group{} of ranks with process grid {}", copies_,
        at_once_, groups_.count(), groups_.count() == 1 ? "" : "s", to_string(grid_->ranks())));
}

bool FixingCopies::counts(const Results& results) const {
  const bool slices = settings_.gauge == Gauge::coulomb;
  if (number_in(results, slices ? "/copies/theta_worst_slice" : "/copies/theta") >= settings_.theta)
    return false;
  // One that was stuck might not be with more sweeps.
  return number_in(results, "/copies/converged") == 1 && number_in(results, "/copies/restarts") == 0 &&
         number_in(results, "/copies/stochastic") <= settings_.stochastic_sweeps;
}

void FixingCopies::know(int copy, const Results& results) {
  if (copy == 0) omega_ = number_in(results, "/copies/omega");
  if (number_in(results, "/copies/converged") == 0) return;
  const double functional = number_in(results, "/copies/functional");
  if (best_copy_ >= 0 && functional <= best_) return;
  best_ = functional;
  best_copy_ = copy;
}

void FixingCopies::begin(LoadedGauge& gauge) {
  const Phase phase("taking the links");
  // Rank 0 alone has these numbers.
  double numbers[3] = {best_, static_cast<double>(best_copy_), omega_};
  context_.grid->comm().broadcast(std::span(numbers));
  best_ = numbers[0], best_copy_ = static_cast<int>(numbers[1]), omega_ = numbers[2];
  run_.reset();
  found_.assign(static_cast<std::size_t>(copies_), {});
  known_.assign(static_cast<std::size_t>(copies_), false);
  links_ = Field(geometry_, gauge_spec(wide, context_.location()));
  if (groups_.count() == 1) copy(links_, gauge.field);
  gauge.field = {};
  if (groups_.count() > 1) {
    groups_.each([&] {  // each group has it on its own grid
      Field host(geometry_, gauge_spec(wide, Location::host));
      const Quiet quiet;
      read_gauge_file(gauge.report.info.path, *grid_, host, context_.job.get<GaugeReadOptions>());
      copy(links_, host);
    });
  }
  groups_.each([&] {
    run_ = std::make_unique<FixingRun>(*grid_, links_, settings_, context_.queue, transport_.transport,
                                       [&](const auto&) {
                                         const int signal = stop_.anywhere(grid_->comm());
                                         if (signal != 0)
                                           throw_stopped(signal, "copies that are done are kept");
                                       });
  });
  if (omega_ > 0) run_->know_omega(omega_);
}

Results FixingCopies::operator()(const LoadedGauge& gauge, int copy) {
  const auto at = static_cast<std::size_t>(copy);
  if (!known_[at]) fix(copy, gauge.report);
  if (copy + 1 == copies_) {
    if (best_copy_ < 0)
      throw Error(ErrorKind::not_converged,
                  fmt::format("{}: no gauge copy has reached theta = {:.1e}; more max_sweeps or restarts in "
                              "[overrelaxation], or annealing, may help",
                              gauge.report.info.path, settings_.theta));
    run_.reset();
    best_ = -1, best_copy_ = -1, omega_ = 0;
  }
  Results results;
  on_first_rank([&] {
    results.numbered_group("/gauge", attributes_of(gauge));
    results.append(found_[at]);
  });
  return results;
}

// The copies from `first` on that the groups take at once. Copy 0 goes first where it adapts omega.
void FixingCopies::fix(int first, const GaugeReadReport& report) {
  const Phase phase("sweeping");
  const bool adapts = !settings_.omega && first == 0;
  const int each = adapts ? 1 : at_once_;
  const int count = adapts ? 1 : std::min(copies_ - first, each * groups_.count());
  // Groups are as even as possible.
  const int groups = groups_.count(), mine = groups_.mine();
  int begin = first + count * mine / groups, end = first + count * (mine + 1) / groups;
  if (runs_dry()) begin = first, end = first + (count + groups - 1) / groups;  // a group that has most
  std::vector<CopyOutcome> outcomes;
  const Timer timer;
  groups_.each([&] {
    if (end > begin) outcomes = run_->run(begin, end - begin);
  });
  log::info(fmt::format("{} cop{} fixed in {:.3f} s", count, count == 1 ? "y" : "ies", timer.seconds()));
  if (adapts) {
    run_->know_omega(context_.grid->comm().max(outcomes.empty() ? 0 : outcomes.front().omega));
  }
  gather(first, count, outcomes);
  write_if_best(report);
}

// The results of all groups come to rank 0.
void FixingCopies::gather(int first, int count, const std::vector<CopyOutcome>& mine) {
  ByteWriter bytes;
  if (groups_.leads())
    for (const CopyOutcome& outcome : mine) {
      Results one;
      add_outcome(one, outcome);
      bytes.number(static_cast<std::uint32_t>(outcome.copy));
      bytes.text(to_bytes(one));
    }
  const auto texts = plaq::gather(context_.grid->comm(), bytes.bytes());
  on_first_rank([&] {
    for (const std::string& text : texts) {
      ByteReader reader(text);
      while (reader.left() > 0) {
        const auto copy = reader.number<std::uint32_t>();
        const auto packed = reader.text();
        auto results = packed ? results_from_bytes(*packed) : std::nullopt;
        require(copy && results, "results of a gauge copy came damaged");
        found_.at(*copy) = std::move(*results);
      }
    }
    for (int k = first; runs_dry() && k < first + count; ++k)
      found_[static_cast<std::size_t>(k)] = found_[static_cast<std::size_t>(first)];
  });
  for (int k = first; k < first + count; ++k) known_[static_cast<std::size_t>(k)] = true;
}

// The group that has the best of all writes it, where it is better than what is written.
void FixingCopies::write_if_best(const GaugeReadReport& report) {
  const FixingRun::Best& mine = run_->best();
  const Communicator& all = context_.grid->comm();
  const double functional = mine.copy >= 0 ? mine.functional : -1, best = all.max(functional);
  const int group =
      all.min(functional == best ? groups_.mine() : groups_.count());  // of equal ones the first
  if (best < 0 || (best_copy_ >= 0 && best <= best_)) return;
  groups_.each([&] {
    if (group == groups_.mine()) write(report);
  });
  best_ = best;
  best_copy_ = all.max(group == groups_.mine() ? mine.copy : -1);
}

// The stored field is measured once more, by the links as they are written.
void FixingCopies::write(const GaugeReadReport& report) {
  const Phase phase("writing a fixed field");
  const FixedFiles files = fixed_files(context_.job, report.info.path);
  if (files.field.empty() && files.transformation.empty()) return;
  const Queue& queue = context_.queue;
  const FixingRun::Best& best = run_->best();
  Field fixed(geometry_, links_.spec());
  copy(fixed, links_);
  transform_gauge(*grid_, fixed, best.g, queue, transport_.transport);
  const GaugeQuality quality =
      GaugeFixer(*grid_, fixed, settings_.gauge, FixingPrecision::full, 1, queue, transport_.transport)
          .quality()
          .front();
  const auto entries = fixing_entries(settings_, best.copy, quality);
  if (!files.field.empty()) {
    const auto extended = geometry_->extended(1);
    Field extended_halo(extended, links_.spec());
    copy(extended_halo, fixed);
    ExtendedHalo(*grid_, extended, extended_halo.spec(), transport_.transport).exchange(extended_halo, queue);
    const GaugeObservables o = measure_gauge(*grid_, extended_halo, queue);
    Field host(geometry_, gauge_spec(wide, Location::host));
    copy(host, fixed);
    write_gauge_file(files.field, *grid_, host, fixed_field_options(context_.job, report.info, entries),
                     o.plaquette.all, o.link_trace);
    if (groups_.leads())
      log::info(fmt::format("wrote {}: copy {}, functional {:.12f}, theta {:.2e}", files.field, best.copy,
                            quality.functional, quality.theta));
  }
  if (files.transformation.empty()) return;
  Field host(geometry_, gauge_frame_spec(wide, Location::host));
  copy(host, best.g);
  write_transformation(files.transformation, *grid_, host, {wide, entries});
  if (groups_.leads()) log::info(fmt::format("wrote {}", files.transformation));
}

}  // namespace plaq::jobs
