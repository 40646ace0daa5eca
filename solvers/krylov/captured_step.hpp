// CUDA graphs of iterations. On a device an iteration like an earlier one is captured once and then takes one
// launch: on small lattices the launches of its many kernels would take longer than the kernels.
#pragma once

#include <functional>
#include <vector>

#include "core/launch/queue_graph.hpp"
#include "solvers/krylov/batch.hpp"

namespace plaq {

// Data that the launches of an iteration depend on.
struct StepOf {
  LinearOperator& a;
  const Field &x, &r;
  const ActiveSet &active, &pending;  // those iterated, and those with something left to do before
  std::vector<int> positions{};       // in their search spaces, or other numbers that launches depend on
  LinearOperator* preconditioner = nullptr;
};

class CapturedStep {
 public:
  // `most` iterations are kept: by turns of the exchange, with updates left or not, and by position.
  explicit CapturedStep(int most = 8) : most_(static_cast<std::size_t>(most)) {}

  // Does `work`, which queues and does not wait: applications of the operators and what else one method does
  // with x, r and its own vectors; it may differ from call to call by `of` alone. The first time it is done
  // as it is, so that kernels are tuned; the second time it is captured, where the operators' exchanges, the
  // sums and the queue allow that.
  void run(Batch& batch, const StepOf& of, const std::function<void()>& work);

 private:
  struct Key {
    const void *x, *r;
    std::vector<int> active, pending, positions;
    int operator_state, preconditioner_state;
    bool operator==(const Key&) const = default;
  };
  struct Known {
    Key key;
    QueueGraph graph;
    Batch::Done cost;
  };

  static Key key_of(Batch& batch, const StepOf& of);
  void capture(Known& known, Batch& batch, const StepOf& of, const std::function<void()>& work);

  std::size_t most_;
  std::vector<Known> known_;
  bool refused_ = false;
};

}  // namespace plaq
