#include "solvers/krylov/captured_step.hpp"

#include <algorithm>
#include <string>

#include "comms/sums/sum_exchange.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"

namespace plaq {
namespace {

std::vector<int> members_of(const ActiveSet& set) {
  std::vector<int> members;
  for (int k = 0; k < set.count(); ++k) members.push_back(set[k]);
  return members;
}

const void* memory_of_vector(const Field& v) { return v.data(0, v.holds(0) ? 0 : 1); }

}  // namespace

// A negative state cannot be captured.
CapturedStep::Key CapturedStep::key_of(Batch& batch, const StepOf& of) {
  return {memory_of_vector(of.x),
          memory_of_vector(of.r),
          members_of(of.active),
          members_of(of.pending),
          of.positions,
          of.a.capturable(batch.size()),
          of.preconditioner == nullptr ? 0 : of.preconditioner->capturable(batch.size())};
}

void CapturedStep::run(Batch& batch, const StepOf& of, const std::function<void()>& work) {
  const Queue& queue = batch.queue();
  // A profile wants to know of every step; and what is part of something captured is captured there.
  if (refused_ || queue.location() != Location::device || queue.profiler() != nullptr || queue.capturing() ||
      !batch.grid().sums().total_stays_on_devices())
    return work();
  Key key = key_of(batch, of);
  if (key.operator_state < 0 || key.preconditioner_state < 0) return work();
  const auto found = std::find_if(known_.begin(), known_.end(), [&](const Known& k) { return k.key == key; });
  if (found == known_.end()) {
    if (known_.size() == most_) known_.erase(known_.begin());
    known_.push_back({std::move(key), {}, {}});
    return work();
  }
  if (!found->graph) return capture(*found, batch, of, work);
  found->graph.launch(queue);
  batch.add_done(found->cost);
}

void CapturedStep::capture(Known& known, Batch& batch, const StepOf& of, const std::function<void()>& work) {
  const Batch::Done before = batch.done();
  try {
    known.graph = QueueGraph(batch.queue(), work);
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::device) throw;
    log::debug(std::string("iterations are not captured: ") + e.what());
    refused_ = true;
    batch.undo_to(before);
    return work();
  }
  known.cost = batch.done() - before;
  known.graph.launch(batch.queue());
  // A captured iteration must leave exchanges as it found them, or it could not be repeated.
  if (key_of(batch, of) != known.key) {
    known.graph = {};
    refused_ = true;
  }
}

}  // namespace plaq
