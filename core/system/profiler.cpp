#include "core/system/profiler.hpp"

#include <algorithm>
#include <utility>

#include "core/system/runs_dry.hpp"

namespace plaq {

StepTimes OperatorEvents::times() const {
  const auto seconds = [](const Event& from, const Event& to) { return 1e-3 * from.milliseconds_to(to); };
  StepTimes t;
  auto& s = t.seconds;
  s[StepTimes::interior] = seconds(interior_begun, interior_done);
  s[StepTimes::total] = s[StepTimes::interior];
  if (!exchanged) return t;
  s[StepTimes::total] = seconds(halo.begun, boundary_done);
  s[StepTimes::pack] = seconds(halo.begun, halo.packed);
  s[StepTimes::exposed] = std::max(0.0, seconds(interior_done, boundary_begun));
  s[StepTimes::boundary] = seconds(boundary_begun, boundary_done);
  s[StepTimes::moving] = seconds(halo.begun, halo.arrived);
  return t;
}

void RunningMedian::add(double value) {
  constexpr std::size_t most = 4096;
  if (seen_++ % spacing_ != 0) return;
  if (kept_.size() == most) {  // every other one goes
    for (std::size_t i = 0; i < most / 2; ++i) kept_[i] = kept_[2 * i];
    kept_.resize(most / 2);
    spacing_ *= 2;
    if ((seen_ - 1) % spacing_ != 0) return;
  }
  kept_.push_back(value);
}

double RunningMedian::median() const {
  if (kept_.empty()) return 0;
  std::vector<double> values = kept_;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::shared_ptr<OperatorEvents> Profiler::take() {
  harvest();
  if (unused_.empty()) return std::make_shared<OperatorEvents>(location_);
  auto events = std::move(unused_.back());
  unused_.pop_back();
  events->exchanged = true;
  return events;
}

void Profiler::keep(std::string_view name, std::shared_ptr<OperatorEvents> events,
                    const std::vector<Traffic>& sent) {
  auto at = operators_.find(name);
  if (at == operators_.end()) at = operators_.emplace(name, Operator()).first;
  for (const Traffic& t : sent) at->second.bytes[t.transport] += t.bytes;
  pending_.push_back({&at->second, std::move(events)});
}

void Profiler::keep(const LevelPart& part, std::shared_ptr<OperatorEvents> events) {
  events->exchanged = false;
  pending_.push_back({&parts_[part], std::move(events)});
}

void Profiler::add_solve(double seconds, double operators) {
  ++solves_.count;
  solves_.seconds += seconds;
  solves_.operators += operators;
}

// Queues run side by side, so that a later application may be past before an earlier one; it waits its turn.
void Profiler::harvest() {
  while (!pending_.empty() && pending_.front().events->done()) {
    Operator& of = *pending_.front().of;
    const StepTimes times = pending_.front().events->times();
    ++of.applications;
    for (std::size_t k = 0; k < StepTimes::count; ++k) {
      of.sum.seconds[k] += times.seconds[k];
      of.each[k].add(times.seconds[k]);
    }
    unused_.push_back(std::move(pending_.front().events));
    pending_.pop_front();
  }
}

const std::map<std::string, Profiler::Operator, std::less<>>& Profiler::operators() {
  harvest();
  return operators_;
}

const std::map<LevelPart, Profiler::Operator>& Profiler::parts() {
  harvest();
  return parts_;
}

double Profiler::operator_seconds() {
  double sum = 0;
  for (const auto& [name, of] : operators()) sum += of.sum.seconds[StepTimes::total];
  return sum;
}

ProfiledPart::ProfiledPart(const Queue& queue, const LevelName& of, const char* part)
    : range_(part), queue_(queue), of_(of), part_(part) {
  Profiler* profiler = profiler_of(queue);
  if (profiler == nullptr || runs_dry()) return;
  events_ = profiler->take();
  events_->interior_begun.record(queue);
}

ProfiledPart::~ProfiledPart() {
  if (!events_) return;
  events_->interior_done.record(queue_);
  queue_.profiler()->keep({of_, part_}, std::move(events_));
}

}  // namespace plaq
