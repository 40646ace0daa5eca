#include "jobs/chain/chain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <span>

#include "comms/communicator/collective.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "core/system/timer.hpp"
#include "core/system/trace_counts.hpp"
#include "jobs/results/resume.hpp"
#include "jobs/run/job_context.hpp"

namespace plaq::jobs {
using Kind = ChainEvent::Kind;
using Clock = std::chrono::steady_clock;

Chain::Chain(const JobContext& context, const ChainPlan& plan, Journal* journal)
    : context_(context),
      plan_(plan),
      journal_(journal),
      host_(context.geometry, gauge_spec(Precision::double_precision, Location::host)),
      update_(plan.kind.make(context)),
      step_checkpoint_(context, plan, stop_,
                       {[this](const Field& links) {
                          if (now_.kept != sweep_) write_checkpoint(links);
                          return now_.file;
                        },
                        [this] { return what_is_saved(); }}),
      seconds_(plan, context.rank() == 0) {
  resume();
  kept_at_ = Clock::now();
}

void Chain::resume() {
  ChainHistory history;
  std::vector<ChainState> states;
  on_first_rank([&] {
    history = history_of(journal_->path(), journal_->records());
    states = find_states(plan_, history.events);
    DryRun* dry = DryRun::current();
    if (dry == nullptr || history.events.empty() || dry->outlook().kind != Outlook::Kind::begins) return;
    if (states.empty())
      dry->expect({Outlook::Kind::begins,
                   fmt::format("{} is of this job, but no links are there to go on from", journal_->path())});
    else
      dry->expect({Outlook::Kind::goes_on, fmt::format("{} of {} {} are done, says {}", states.front().sweep,
                                                       plan_.last, plan_.kind.steps, journal_->path())});
  });
  states.resize(context_.grid->comm().broadcast(states.size()));
  for (ChainState& state : states) {
    state.sweep = context_.grid->comm().broadcast(state.sweep);
    state.file = broadcast(context_.grid->comm(), state.file);
    state.steps.resize(context_.grid->comm().broadcast(state.steps.size()));
    for (std::vector<double>& numbers : state.steps) {
      numbers.resize(plan_.kind.columns.size());
      context_.grid->comm().broadcast(std::span(numbers));
    }
  }
  visited_ = std::any_of(states.begin(), states.end(), [&](const auto& state) { return resume_from(state); });
  if (!visited_) start();
  seconds_.begin(visited_ ? sweep_ : 0);
  on_first_rank([&] {
    if (!visited_ && !history.events.empty() && !runs_dry())
      log::warning(
          fmt::format("{} knows {} {}, but no file has exact links to go on from: the chain starts again, "
                      "and comes to the same fields",
                      journal_->path(), history.events.back().sweep, plan_.kind.steps));
    const std::int64_t last = visited_ ? sweep_ : -1;
    for (std::size_t i = 0; i < history.events.size(); ++i) {
      if (history.events[i].sweep > last) {
        journal_->truncate(history.records_before[i]);
        break;
      }
      events_.push_back(history.events[i]);
    }
    begin_job(*journal_, context_.job);
  });
}

// False, with a warning, where the file does not keep what it promised.
bool Chain::resume_from(const ChainState& state) {
  sweep_ = state.sweep;
  now_.kept = state.sweep;
  now_.file = state.file;
  if (state.file.empty()) return true;
  try {
    update_->take(load_gauge(context_, state.file).field);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input_file) throw;
    log::warning(fmt::format("{}\nthe chain goes on from an earlier {}", error.what(), plan_.kind.step));
    sweep_ = 0;
    now_.kept = -1;
    return false;
  }
  if (!state.steps.empty()) update_->go_on_after(state.steps);
  log::info(fmt::format("going on after {} {}, from {}", sweep_, plan_.kind.steps, state.file));
  return true;
}

void Chain::start() {
  const auto keys = context_.job.get<GaugeStartKeys>();
  if (!keys.file.empty()) {
    update_->take(load_gauge(context_, keys.file).field);
    update_->reunitarize();  // a file in single precision is off by its rounding
  } else {
    update_->start(keys.start);
  }
}

void Chain::run() {
  Progress progress(context_.job.type(), static_cast<double>(std::max<std::int64_t>(1, plan_.last - sweep_)),
                    Progress::Settings::standard(context_.rank()));
  const std::int64_t begin = sweep_;
  TraceCounts* counts = TraceCounts::current();
  TraceCounts::Sections before, after;  // of the last step
  if (counts != nullptr) {
    counts->expect_fields(plan_.update.configurations);
    counts->begin_field();
  }
  for (;; ++sweep_) {
    if (!visited_) visit(progress);
    if (sweep_ == plan_.last) {
      // A longer chain has no other exact links to go on from.
      if (!plan_.saves_exactly() && !visited_) write_checkpoint(update_->links());
      break;
    }
    const bool nothing_new = runs_dry() && sweep_ > begin + 2;  // one sweep takes what another does
    if (!visited_ && !nothing_new) pause(progress);
    visited_ = false;
    if (counts != nullptr && plan_.saves(sweep_)) counts->begin_field();
    if (!nothing_new) {
      if (counts != nullptr) before = counts->sections();
      advance();
      if (counts != nullptr) after = counts->sections();
    } else if (counts != nullptr) {
      counts->repeat(before, after);
    }
    progress.advance_to(static_cast<double>(sweep_ + 1 - begin), note_);
  }
  step_checkpoint_.end();
  progress.finish(note_);
}

void Chain::visit(Progress& progress) {
  if (plan_.measures(sweep_) || plan_.saves(sweep_)) measure(update_->links());
  if (plan_.measures(sweep_)) record({Kind::measured, sweep_, observables_, {}, 0});
  if (plan_.saves(sweep_)) save(progress);
}

// From sweep_ to the one after it.
void Chain::advance() {
  const Phase phase("updating");
  const PerformanceRegion section(plan_.kind.step, LoopsInside::own);
  std::vector<double> numbers = steps_on();
  seconds_.append(sweep_ + 1, update_->seconds());
  if (plan_.kind.columns.empty()) return;
  context_.expect_intact_faces();
  ChainEvent event{Kind::updated, sweep_ + 1};
  event.numbers = std::move(numbers);
  record(std::move(event));
}

// A signal ends a long step at its next place, or at once before the first one: then it is made again from
// the links before it.
std::vector<double> Chain::steps_on() {
  step_checkpoint_.begin(sweep_);
  const InterruptibleWork work([this](const Communicator& ranks) {
    if (step_checkpoint_.takes_signals()) return;
    if (const int signal = stop_.anywhere(ranks)) throw_stopped(signal, what_is_saved());
  });
  try {
    return update_->advance(sweep_, step_checkpoint_);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::stopped && now_.kept != sweep_) write_checkpoint(update_->links());
    throw;
  }
}

std::string Chain::what_is_saved() const {
  return fmt::format("the chain is saved after {} of {} {}", sweep_, plan_.last, plan_.kind.steps);
}

void Chain::measure(const Field& links) {
  if (now_.measured == sweep_) return;
  const Phase phase("measuring");
  const Timer timer;
  observables_ = measure_gauge(*context_.grid, links, context_.queue);
  context_.expect_intact_faces();
  note_ = fmt::format("plaquette {:.6f}{}", observables_.plaquette.all, update_->note());
  now_.measured = sweep_;
  seconds_.add_observables(timer.seconds());
}

void Chain::record(ChainEvent event) {
  on_first_rank([&] {
    journal_->append(to_record(event));
    events_.push_back(event);
  });
}

void Chain::save(Progress& progress) {
  const std::string path = plan_.configuration_name(sweep_);
  const LinkChecksum checksum =
      write_links(path, update_->links(), plan_.saved_at(context_.job, context_.extents, sweep_));
  ChainEvent event{Kind::saved, sweep_, observables_, checksum, 0};
  on_first_rank([&] { event.bytes = runs_dry() ? 0 : std::filesystem::file_size(path); });
  record(event);
  if (plan_.saves_exactly()) kept(path);
  progress.clear();
  log::info(fmt::format("wrote {}: plaquette {:.12f}, checksum {}", path, observables_.plaquette.all,
                        checksum.text()));
}

// `links`: before the present step.
void Chain::write_checkpoint(const Field& links) {
  measure(links);
  write_links(plan_.checkpoint_name(), links, plan_.checkpoint_at(context_.job, context_.extents, sweep_));
  // So that the journal has findings: it may have no others yet.
  const bool first = journal_ && !has_findings(journal_->records());
  if (context_.grid->comm().broadcast(first)) record({Kind::checkpoint, sweep_, {}, {}, 0});
  kept(plan_.checkpoint_name());
}

// A file has the present links, exactly.
void Chain::kept(const std::string& path) {
  now_.kept = sweep_;
  now_.file = path;
  kept_at_ = Clock::now();
  step_checkpoint_.end();
}

// Between two sweeps: keeps the links when it is time to, and stops when a signal came.
void Chain::pause(Progress& progress) {
  const double since = std::chrono::duration<double>(Clock::now() - kept_at_).count();
  const bool thermalized = sweep_ == plan_.first && sweep_ > 0;
  int wishes[2] = {stop_.here(), context_.rank() == 0 && (since >= 60 * plan_.output.checkpoint_minutes ||
                                                          thermalized || runs_dry())
                                     ? 1
                                     : 0};
  context_.grid->comm().max(std::span(wishes));
  if ((wishes[0] || wishes[1]) && now_.kept != sweep_) write_checkpoint(update_->links());
  if (wishes[0] == 0) return;
  progress.clear();
  throw_stopped(wishes[0], what_is_saved());
}

LinkChecksum Chain::write_links(const std::string& path, const Field& links,
                                const GaugeWriteOptions& options) {
  const Phase phase("writing a gauge field");
  const Timer timer;
  context_.queue.synchronize();
  copy(host_, links);
  const LinkChecksum checksum = write_gauge_file(path, *context_.grid, host_, options,
                                                 observables_.plaquette.all, observables_.link_trace);
  seconds_.add_files(timer.seconds());
  return checksum;
}

}  // namespace plaq::jobs
