// A lattice as Python has it: its extents, the ranks that share it, and where its fields are.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>

#include "comms/watchdog/watchdog.hpp"
#include "jobs/run/job_context.hpp"
#include "plaq/lattice.hpp"
#include "python/bindings/call.hpp"

namespace plaq::python {

// What jobs call their context, without a job: its keys are those of [lattice], [comms] and [run].
const settings::Schema& lattice_schema();

class Lattice {
 public:
  // Collective over `ranks`.
  Lattice(jobs::JobFile keys, Communicator ranks);
  Lattice(const Lattice&) = delete;

  const jobs::JobContext& context() const { return *context_; }
  const ProcessGrid& grid() const { return *context_->grid; }
  const GeometryPtr& geometry() const { return context_->geometry; }
  const Queue& queue() const { return context_->queue; }
  Location location() const { return context_->location(); }
  Communicator ranks() const { return ranks_; }

  // Made with the GIL held; collective work of this lattice is done while it lives.
  Call call() const { return Call(ranks_); }

 private:
  jobs::JobFile keys_;
  Communicator ranks_;
  std::optional<jobs::JobContext> context_;
  std::optional<Watchdog> watchdog_;
};
using LatticePtr = std::shared_ptr<Lattice>;

/// The lattice as the C++ interface has it, which keeps `lattice`.
plaq::Lattice shared_lattice(const LatticePtr& lattice);

void bind_lattice(nanobind::module_& module);

}  // namespace plaq::python
