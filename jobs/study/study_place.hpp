// A point of a study on one gauge field: the lattice, its links, and what is measured on
// them at one mass after the other.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "comms/start/lattice_start.hpp"
#include "jobs/run/job_context.hpp"
#include "jobs/study/solves.hpp"
#include "jobs/study/study_spec.hpp"

namespace plaq::jobs {

class StudyPlace {
 public:
  /// Makes the lattice, and reads the gauge field if there is one. Collective over `ranks`, those of the
  /// point. `context`, `spec` and `gauge_files` must outlive this object.
  StudyPlace(const Communicator& ranks, const JobContext& context, const StudySpec& spec,
             const StudyTask& task, const std::vector<std::string>& gauge_files,
             const TransportChooser& choose);

  /// Measures all targets and solvers at the mass of the task, which is of this
  /// point and gauge field. Collective.
  /// @param memory_limit  as Bench has it
  std::vector<Row> measure(const StudyTask& task, double memory_limit);
  /// Attributes of the gauge field in results; none for random links.
  const Attributes& of_gauge() const { return of_gauge_; }

 private:
  void read_gauge(const std::string& file, const std::vector<std::string>& gauge_files);

  const JobContext context_;  // of this lattice
  const StudySpec& spec_;
  int nodes_ = 1;
  std::string file_;
  Attributes of_gauge_;
  Field gauge_;  // not smeared; no field where nobody needs it
  std::optional<FermionLinks> links_;
  std::vector<ActionPtr> actions_;  // of all masses, with the bounds of these links
  std::optional<Solves> solves_;
};

}  // namespace plaq::jobs
