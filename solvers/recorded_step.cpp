#include "solvers/recorded_step.hpp"

#include <algorithm>
#include <string>

#include "core/error.hpp"
#include "core/log.hpp"

namespace plaq {
namespace {

std::vector<int> slots_of(const ActiveSet& set) {
  std::vector<int> slots;
  for (int k = 0; k < set.count(); ++k) slots.push_back(set[k]);
  return slots;
}

const void* memory_of_vector(const Field& v) { return v.data(0, v.holds(0) ? 0 : 1); }

}  // namespace

void RecordedStep::run(Batch& batch, LinearOperator& a, const Field& x, const Field& r,
                       const ActiveSet& active, const ActiveSet& pending, const std::function<void()>& work) {
  const Queue& queue = batch.queue();
  // A profile wants to know of every step.
  if (refused_ || queue.location() != Location::device || queue.profiler() != nullptr ||
      !batch.grid().sums().total_stays_on_devices())
    return work();
  const int state = a.recordable(batch.size());
  if (state < 0) return work();
  Key key{memory_of_vector(x), memory_of_vector(r), slots_of(active), slots_of(pending), state};
  const auto found = std::find_if(known_.begin(), known_.end(), [&](const Known& k) { return k.key == key; });
  if (found == known_.end()) {
    if (known_.size() == most) known_.erase(known_.begin());
    known_.push_back({std::move(key), {}, {}});
    return work();
  }
  if (!found->graph) return record(*found, batch, a, work);
  found->graph.launch(queue);
  batch.add_done(found->cost);
}

void RecordedStep::record(Known& known, Batch& batch, LinearOperator& a, const std::function<void()>& work) {
  const Batch::Done before = batch.done();
  try {
    known.graph = QueueGraph(batch.queue(), work);
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::device) throw;
    log::debug(std::string("iterations are not recorded: ") + e.what());
    refused_ = true;
    batch.undo_to(before);
    return work();
  }
  known.cost = batch.done() - before;
  known.graph.launch(batch.queue());
  // What was recorded must leave exchanges as it found them, or it could not be repeated.
  if (a.recordable(batch.size()) != known.key.operator_state) {
    known.graph = {};
    refused_ = true;
  }
}

}  // namespace plaq
