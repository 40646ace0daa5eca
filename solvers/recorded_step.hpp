// On a device an iteration like an earlier one is recorded once and from then on done in one launch (a CUDA
// graph): on small lattices launching its many kernels would take longer than they do.
#pragma once

#include <functional>
#include <vector>

#include "core/queue_graph.hpp"
#include "solvers/batch.hpp"

namespace plaq {

class RecordedStep {
 public:
  // Does `work`, which queues and does not wait: applications of `a` and what else one method does with x, r
  // and its own vectors; it may differ from call to call by these arguments alone. The first time it is done
  // as it is, so that kernels are tuned; the second time it is recorded, where the operator's exchanges, the
  // sums and the queue allow that.
  void run(Batch& batch, LinearOperator& a, const Field& x, const Field& r, const ActiveSet& active,
           const ActiveSet& pending, const std::function<void()>& work);

 private:
  struct Key {
    const void *x, *r;
    std::vector<int> active, pending;
    int operator_state;
    bool operator==(const Key&) const = default;
  };
  struct Known {
    Key key;
    QueueGraph graph;
    Batch::Done cost;
  };
  static constexpr std::size_t most = 8;  // kept: by turns of the exchange, and with updates left or not

  void record(Known& known, Batch& batch, LinearOperator& a, const std::function<void()>& work);

  std::vector<Known> known_;
  bool refused_ = false;
};

}  // namespace plaq
