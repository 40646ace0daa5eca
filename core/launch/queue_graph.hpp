// Work of a queue that was captured once and can be done again in one launch: a CUDA graph.
#pragma once

#include <functional>
#include <memory>

#include "core/launch/queue.hpp"

namespace plaq {

class QueueGraph {
 public:
  QueueGraph() = default;
  // Calls `work`, which queues on a queue of a device and on others that wait for it and that it waits for;
  // nothing of it is done. Throws Error(device) where that cannot be captured; the queue is usable then.
  QueueGraph(const Queue& queue, const std::function<void()>& work);
  explicit operator bool() const { return graph_ != nullptr; }
  // Does it, on the queue.
  void launch(const Queue& queue) const;

 private:
  std::shared_ptr<void> graph_;  // cudaGraphExec_t
};

}  // namespace plaq
