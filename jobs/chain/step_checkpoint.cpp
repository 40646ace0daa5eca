#include "jobs/chain/step_checkpoint.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <span>
#include <utility>

#include "comms/communicator/collective.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "core/system/machine.hpp"
#include "io/bytes/exists_on_first_rank.hpp"
#include "io/gauge/link_sum.hpp"

namespace plaq::jobs {

using StepClock = std::chrono::steady_clock;

StepCheckpoint::StepCheckpoint(const JobContext& context, const ChainPlan& plan, const StopRequest& stop,
                               OfChain chain)
    : context_(context),
      plan_(plan),
      stop_(stop),
      chain_(std::move(chain)),
      path_(plan.step_checkpoint_name()) {}

namespace {

// "trajectory 9" is before "trajectory 10".
bool is_before(const std::string& a, const std::string& b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

}  // namespace

std::string StepCheckpoint::step_name() const { return fmt::format("{} {}", plan_.kind.step, step_ + 1); }

StepTitle StepCheckpoint::title(const Field& links) const {
  Field plain(context_.geometry, links.spec());
  copy(plain, links);
  return {plan_.chain,
          step_name(),
          checksum_of_any_links(*context_.grid, plain).text(),
          "",
          "",
          std::string(version()),
          context_.job.physics_text()};
}

void StepCheckpoint::begin(std::int64_t step) {
  step_ = step;
  takes_signals_ = false;
  kept_at_ = StepClock::now();
}

void StepCheckpoint::end() {
  if (!plan_.kind.has_long_steps || runs_dry() || !std::exchange(may_exist_, false)) return;
  if (!exists_on_first_rank(path_, *context_.grid)) return;
  try {
    if (StepTitle::of(read_state_title(path_, *context_.grid)).chain != plan_.chain) return;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input_file) throw;
    return;
  }
  on_first_rank([&] {
    std::error_code ignored;  // as that of an earlier step it is not taken
    std::filesystem::remove(path_, ignored);
  });
}

std::optional<State> StepCheckpoint::kept(const Field& links) {
  if (runs_dry() || !may_exist_ || !exists_on_first_rank(path_, *context_.grid)) return std::nullopt;
  std::string why;
  try {
    const StepTitle found = StepTitle::of(read_state_title(path_, *context_.grid)), wanted = title(links);
    if (found.chain != wanted.chain)
      why = fmt::format("{}: it is of a job with other settings, chain {}, this one is chain {}", path_,
                        found.chain, wanted.chain);
    else if (found.step != wanted.step && is_before(found.step, wanted.step))
      return std::nullopt;  // a kill came before the file went
    else if (found.step != wanted.step)
      why = fmt::format("{}: it is of {}", path_, found.step);
    else if (found.links != wanted.links)
      why = fmt::format("{}: it is of other links before {}, with checksum {} and not {}", path_, found.step,
                        found.links, wanted.links);
    if (why.empty()) {
      State state = read_state(path_, *context_.grid, context_.geometry);
      log::info(fmt::format("going on within {}, from {}", step_name(), path_));
      return state;
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input_file) throw;
    why = error.what();
  }
  log::warning(fmt::format("{}; {} is made from its start", why, step_name()));
  return std::nullopt;
}

bool StepCheckpoint::wants_state(std::optional<double> minutes) {
  const bool first = !std::exchange(takes_signals_, true);
  const double since = std::chrono::duration<double>(StepClock::now() - kept_at_).count();
  const bool due = context_.rank() == 0 && ((minutes && since >= 60 * *minutes) || (runs_dry() && first));
  int wishes[2] = {stop_.here(), due ? 1 : 0};
  context_.grid->comm().max(std::span(wishes));
  signal_ = wishes[0];
  return wishes[0] != 0 || wishes[1] != 0;
}

// A state that cannot be written loses nothing but time.
void StepCheckpoint::keep(const State& state, const Field& links, const std::string& place) {
  const Phase phase("writing a checkpoint");
  std::string saved = chain_.what_is_saved();
  try {
    StepTitle whose = title(links);
    whose.place = place;
    whose.links_file = std::filesystem::path(chain_.keep_links(links)).filename().string();
    write_state(path_, *context_.grid, context_.geometry, whose.text(), state);
    saved += fmt::format(", and {} of {}", place, step_name());
    may_exist_ = true;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::output_file) throw;
    log::warning(fmt::format("{}\n{} has no checkpoint: a later run would make it from its start",
                             error.what(), step_name()));
  }
  kept_at_ = StepClock::now();
  if (signal_ != 0) throw_stopped(signal_, saved);
}

}  // namespace plaq::jobs
