#include "jobs/campaign/worker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>

#include "comms/communicator/stop_request.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "core/system/progress.hpp"
#include "io/bytes/temporary_file.hpp"
#include "jobs/campaign/task_results.hpp"
#include "jobs/campaign/task_rows.hpp"
#include "jobs/common/commands.hpp"
#include "jobs/common/path_registry.hpp"
#include "jobs/results/resume.hpp"
#include "jobs/schema/job_types.hpp"

namespace plaq::jobs {
namespace {

namespace fs = std::filesystem;

constexpr double between_looks =
    2;  // seconds: directories of thousands of files are not read after each item

// Names of files in work/*/ that begin with `name`: an output, its journal.
std::vector<fs::path> earlier_work(const std::string& name) {
  std::vector<fs::path> found;
  std::error_code failure;
  for (fs::directory_iterator worker("work", failure), end; !failure && worker != end;
       worker.increment(failure))
    for (const std::string ending : {"", ".journal"}) {
      std::error_code unused;
      fs::path file = worker->path() / (name + ending);
      if (fs::is_regular_file(file, unused)) found.push_back(std::move(file));
    }
  return found;
}

}  // namespace

void make_campaign_directories(const Campaign& campaign) {
  for (const char* name : {"leases", "log", "work", "results"}) make_directory(name);
  for (const Task& task : campaign.tasks) make_directory("rows/" + task.name);
  for (const std::string& directory : campaign.written_directories()) make_directory(directory);
}

std::string lease_name(const Campaign& campaign, const Item& item) {
  return campaign.tasks[static_cast<std::size_t>(item.task)].name + '@' + item.configuration;
}

std::optional<Item> item_of_lease(const Campaign& campaign, const std::string& name) {
  const auto at = name.find('@');
  if (at == std::string::npos) return std::nullopt;
  const int task = campaign.find(name.substr(0, at));
  if (task < 0) return std::nullopt;
  return Item{task, name.substr(at + 1)};
}

Worker::Worker(const Campaign& campaign, WorkerSettings settings)
    : campaign_(campaign),
      settings_(std::move(settings)),
      directory_("work/" + settings_.name),
      state_((make_campaign_directories(campaign), campaign)),
      rows_(campaign),
      leases_("leases", Holder::of_this_process(settings_.name), campaign.workers.lease_timeout),
      log_(settings_.name) {
  make_directory(directory_);
  Event begin;
  begin.ranks = settings_.ranks;
  begin.nodes = settings_.nodes;
  log_.write(begin);
  refreshed_ = now_seconds();
}

Worker::~Worker() = default;

double Worker::time_left() const {
  if (!settings_.ends_at) return std::numeric_limits<double>::infinity();
  return *settings_.ends_at - now_seconds() - campaign_.workers.reserve;
}

void Worker::give_up(int code, const std::string& why) {
  code_ = code;
  why_ = why;
}

std::string Worker::output_of(const Item& item) const {
  return fmt::format("{}/{}.{}.h5", directory_, campaign_.tasks[static_cast<std::size_t>(item.task)].name,
                     item.configuration);
}

Event Worker::event(EventKind kind, const Item& item) const {
  Event event;
  event.kind = kind;
  event.item = item_name(campaign_, item);
  event.rung = rung_;
  event.ranks = settings_.ranks;
  event.nodes = settings_.nodes;
  return event;
}

Worker::Next Worker::next() {
  if (code_ != 0) return Next::ends;
  if (now_seconds() - refreshed_ > between_looks) {
    state_.refresh();
    refreshed_ = now_seconds();
  } else {
    state_.refresh_histories();
  }
  Next found = look();
  // The state may be some seconds old, and an item that has just been left out changes the rest of the work.
  bool known = false;
  while (found != Next::item && code_ == 0 && !(known && choice_.to_leave_out.empty())) {
    state_.refresh();
    refreshed_ = now_seconds();
    known = true;
    found = look();
  }
  if (found == Next::ends && code_ == 0) conclude();
  return found;
}

Worker::Next Worker::look() {
  if (const NodeHistory& here = state_.node(node_name());
      static_cast<int>(here.failed.size()) >= campaign_.retry.node) {
    give_up(here.last_code,
            fmt::format("{} items in a row failed on {}, which is avoided now; when it is sound again: plaq "
                        "campaign retry . --node {}",
                        here.failed.size(), node_name(), node_name()));
    return Next::ends;
  }
  const auto& held = leases_.look();
  Chooser chooser;
  chooser.node = node_name();
  chooser.time_left = time_left();
  chooser.ranks = settings_.ranks;
  chooser.others_live = std::any_of(held.begin(), held.end(), [&](const auto& one) {
    return one.second.node != chooser.node && item_of_lease(campaign_, one.first);
  });
  chooser.taken = [&](const Item& item) { return leases_.held(lease_name(campaign_, item)); };
  if (!settings_.tasks.empty())
    chooser.wanted = [&](int task) {
      return settings_.tasks.contains(campaign_.tasks[static_cast<std::size_t>(task)].name);
    };
  choice_ = choose(campaign_, state_, chooser);
  const Choice& choice = choice_;
  if (!choice.to_leave_out.empty()) leave_out(choice.to_leave_out);
  if (!choice.items.empty() && time_left() <= 0) {
    give_up(exit_code(ErrorKind::stopped), "no time is left to begin anything");
    return Next::ends;
  }
  for (const Item& item : choice.items) {
    rows_.expect_one_more(state_, item.task);
    if (!take(item)) continue;
    begin(item);
    return Next::item;
  }
  // Is anybody else at work, and does anything hang on it: that it is done, or that its worker may be gone?
  const bool hangs = std::any_of(held.begin(), held.end(), [&](const auto& one) {
    return item_of_lease(campaign_, one.first) && (choice.waits || leases_.is_uncertain(one.first));
  });
  if (hangs && time_left() > 0) return Next::waits;
  return Next::ends;
}

// Nothing is left that this worker could do: why, where not all of it is done.
void Worker::conclude() {
  const auto names = [&](const std::vector<int>& tasks) {
    std::string text;
    for (const int t : tasks)
      text += (text.empty() ? "" : ", ") + campaign_.tasks[static_cast<std::size_t>(t)].name;
    return text;
  };
  const Choice& choice = choice_;
  if (choice.no_time)
    return give_up(exit_code(ErrorKind::stopped),
                   "what is left would take longer than the time that is left");
  if (choice.waits && time_left() <= 0)
    return give_up(exit_code(ErrorKind::stopped),
                   "no time is left to wait for what other workers have in hand");
  if (choice.left_out.empty() && !choice.without.empty() && state_.configurations().empty())
    return give_up(exit_code(ErrorKind::input_file),
                   fmt::format("{}; so there is nothing to do for {}", campaign_.nothing_found(),
                               names(choice.without)));
  if (!choice.without.empty())
    log::warning(fmt::format("no trajectory is one that {} wants ('every')", names(choice.without)));
  if (choice.taken > 0)
    log::info(fmt::format("{} of the items that are left are in the hands of other workers", choice.taken));
  std::string missing;
  if (!choice.left_out.empty())
    missing =
        fmt::format("{} items are left out (plaq campaign quarantine . says why)", choice.left_out.size());
  if (const std::size_t waiting = choice.waiting.size(); waiting > 0) {
    const Item& first = choice.waiting.front();
    missing += fmt::format("{}{} items wait for others that are not done, such as {}",
                           missing.empty() ? "" : "; ", waiting, item_name(campaign_, first));
  }
  if (!missing.empty()) return give_up(exit_incomplete, missing);
  if (choice.taken == 0) log::info("nothing is left to do");
}

void Worker::leave_out(const std::vector<Item>& items) {
  std::vector<Exclusion> exclusions;
  for (const Item& item : items) {
    auto reason = reason_to_leave_out(campaign_, state_, item);
    if (!reason) continue;
    reason->by = settings_.name;
    reason->when = time_text(now_seconds());
    log::warning(fmt::format("{} is left out ({}): {}", item_name(campaign_, item), reason->reason,
                             reason->message.substr(0, reason->message.find('\n'))));
    exclusions.push_back(std::move(*reason));
  }
  add_to_quarantine(exclusions, settings_.name);
  state_.refresh_histories();
}

// Logs that a worker died with an item in hand. Silent if it died before it began the
// item or after it had logged the end.
void Worker::tell_lost(const Item& item, const std::string& worker) {
  state_.refresh_histories();
  if (!state_.in_hand(item, worker)) return;
  Event lost = event(EventKind::lost, item);
  lost.rung = 0;
  lost.from = worker;
  log_.write(lost);
}

// Other workers may have done the item meanwhile: the state is read again once the item is ours.
bool Worker::take(const Item& item) {
  auto lease = leases_.take(lease_name(campaign_, item));
  if (!lease) return false;
  const bool done = has_row(campaign_, item);
  if (!lease->taken_from.empty()) tell_lost(item, lease->taken_from);
  if (done) {
    if (!lease->taken_from.empty()) remove_work(fs::path(output_of(item)).filename().string());
    state_.note_done(item);
    return false;
  }
  lease_.emplace(std::move(*lease));
  state_.refresh_histories();
  if (state_.status(item) == ItemStatus::ready && !reason_to_leave_out(campaign_, state_, item)) return true;
  lease_.reset();
  return false;
}

void Worker::begin(const Item& item) {
  item_ = item;
  rung_ = state_.history(item).rung;
  const Task& task = campaign_.tasks[static_cast<std::size_t>(item.task)];
  JobFile::Overrides extra;
  // Files beside the results that an earlier start of this item left are not a stranger's.
  if (task.reads_fields && state_.was_begun(item) &&
      find_job_type(task.job_type)->schema().find("output", "overwrite") != nullptr)
    extra.emplace_back("output.overwrite=true");
  job_ = campaign_.job(task, state_.find(item.configuration), rung_, output_of(item), extra);
  job_.owns_output = task.reads_fields;
  if (task.reads_fields) adopt_earlier_work(output_of(item));
  log_.write(event(EventKind::start, item));
  heart_ = std::make_unique<Heart>(*lease_, campaign_.workers.heartbeat);
}

// An item that another worker began, and this one goes on with: from a copy of the results or journal of this
// job that has most. The job itself knows whether it can go on from there.
void Worker::adopt_earlier_work(const std::string& output) const {
  if (fs::exists(output) || fs::exists(output + ".journal")) return;
  const std::string text = job_.parse().physics_text();
  fs::path best;
  std::pair<bool, std::uintmax_t> most;  // of this very job, bytes
  for (const fs::path& file : earlier_work(fs::path(output).filename().string())) {
    std::error_code failure;
    const auto size = fs::file_size(file, failure);
    const auto job = job_of_file(file.string());
    if (failure || !job || std::pair(*job == text, size) <= most) continue;
    most = {*job == text, size};
    best = file;
  }
  if (best.empty()) return;
  try {
    // Whole or not at all: a copy that is cut off would be all that the next worker finds.
    copy_atomically(best.string(), best.extension() == ".journal" ? output + ".journal" : output);
  } catch (const Error& error) {
    log::warning(fmt::format("{} cannot be gone on from: {}", best.string(), error.what()));
  }
}

// Also what killed workers left of it: temporaries, locks.
void Worker::remove_work(const std::string& name) const {
  std::error_code failure, ignored;
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator at("work", failure), end; !failure && at != end;
       at.increment(failure)) {
    const std::string file = at->path().filename().string();
    if (file == name || file == name + ".journal" || file.starts_with('.' + name + '.'))
      files.push_back(at->path());
  }
  for (const fs::path& file : files) fs::remove(file, ignored);
}

void Worker::publish(const Item& item) {
  publish_row(campaign_, item, output_of(item), rung_);
  remove_work(fs::path(output_of(item)).filename().string());
}

void Worker::finish(const ItemOutcome& outcome) {
  const Item item = *std::exchange(item_, std::nullopt);
  const bool lost = heart_->lost() || !lease_->held();
  heart_.reset();
  Event recorded = event(EventKind::done, item);
  recorded.seconds = outcome.seconds;
  recorded.code = outcome.code;
  const std::string name = item_name(campaign_, item);
  if (lost) {
    // The new holder does the item.
    recorded.kind = EventKind::dropped;
    std::error_code ignored;
    for (const std::string ending : {"", ".journal"}) fs::remove(output_of(item) + ending, ignored);
    log::warning(fmt::format(
        "{}: another worker has taken it over: this one gave no sign of life for too long", name));
  } else if (outcome.code == 0) {
    publish(item);
    state_.note_done(item);
    log::info(fmt::format("{}: done in {}", name, duration_text(outcome.seconds)));
  } else if (outcome.code == exit_code(ErrorKind::stopped)) {
    recorded.kind = EventKind::stopped;
    log::info(fmt::format("{}: stopped after {}", name, duration_text(outcome.seconds)));
  } else {
    recorded.kind = EventKind::failed;
    recorded.message = outcome.message;
    log::warning(fmt::format("{}: failed ({}): {}", name, outcome.code, outcome.message));
  }
  // The log is written before the lease goes, so that the next holder of the item knows it.
  log_.write(recorded);
  lease_.reset();
  // The state of CUDA or MPI cannot be trusted any more.
  if (recorded.kind == EventKind::failed &&
      (outcome.code == exit_code(ErrorKind::device) || outcome.code == exit_code(ErrorKind::comms)))
    give_up(outcome.code, outcome.message);
}

// Leases of workers that died after what they had in hand was done, with its files in work/, or was left out:
// nobody else asks for these.
void Worker::clear_after_the_dead() {
  leases_.look();
  for (const Leases::Look& one : leases_.looks()) {
    if (leases_.held(one.name)) continue;
    const auto item = item_of_lease(campaign_, one.name);
    const bool is_done = item && has_row(campaign_, *item);
    // The loss of an item that is still to be done counts once somebody takes it.
    if (item && !is_done && state_.status(*item) != ItemStatus::excluded) continue;
    const auto lease = leases_.take(one.name);
    if (!lease || !item) continue;
    tell_lost(*item, lease->taken_from);
    if (is_done) remove_work(fs::path(output_of(*item)).filename().string());
  }
}

void Worker::end() {
  const bool stopped = code_ == exit_code(ErrorKind::stopped) || code_ == exit_incomplete;
  if (!why_.empty()) stopped ? log::warning(why_) : log::error(why_);
  state_.refresh();
  std::exception_ptr failure;
  if (code_ == 0 || code_ == exit_incomplete) {
    const StopRequest stop;
    try {
      write_complete_results(campaign_, state_,
                             {settings_.name, [&] { return stop.here() == 0 && time_left() > 0; }});
    } catch (const Error& error) {
      failure = std::current_exception();
      give_up(exit_code(error.kind()), error.what());
    }
    clear_after_the_dead();
  }
  Event end;
  end.kind = EventKind::end;
  end.code = code_;
  end.message = why_;
  log_.write(end);
  std::error_code ignored;
  fs::remove(directory_, ignored);  // where it is empty
  if (failure) std::rethrow_exception(failure);
}

}  // namespace plaq::jobs
