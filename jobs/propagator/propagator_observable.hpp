// Observables of a propagator job, which it computes from the quark fields of each source. One file each has
// keys, rules and results. A new one is such a file and its line in propagator_observable.cpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "jobs/results/output_file.hpp"
#include "jobs/run/job_context.hpp"
#include "jobs/schema/job_file.hpp"
#include "kernels/quark/gaussian_smearing.hpp"
#include "observables/quark/propagator_note.hpp"
#include "quarks/solve/multi_mass_solver.hpp"

namespace plaq::jobs {

/// Needs of a measurement beside the quark fields.
struct QuarkNeeds {
  bool source = false;        // SourceQuarks::source
  bool midpoint = false;      // SourceQuarks::midpoint
  bool current = false;       // SourceQuarks::current, of one mass
  bool smearing = false;      // SourceQuarks::smearing
  bool smeared_sink = false;  // a call of measure_smeared()
  int solves = 0;             // more solves of all columns, by SourceQuarks::solver
};

/// The quark fields from one source on one gauge field.
struct SourceQuarks {
  const LoadedGauge& gauge;                  // without its field
  int number;                                // of the source
  Extents position;                          // of the source, from which correlators count
  PropagatorNote note;                       // of the source alone
  std::string summed;                        // over what a correlator is summed at the source
  MultiMassSolver& solver;                   // on the gauge field
  QuarkSmearing* smearing;                   // null unless the job smears
  std::vector<Field> quarks;                 // of each mass, with all columns
  Field source = {};                         // with all columns, as it was solved for
  Field midpoint = {};                       // the quark field in the middle of the fifth dimension
  Field current = {};                        // the current field of domain walls, in five dimensions
  PropagatorSolver* through_sink = nullptr;  // by action_through_sink(), where the current field is needed
  const Approximation* approximation = nullptr;  // of solves; null: they are to the tolerance
};

/// An observable at work in one job: its state from source to source.
class QuarkMeasurement {
 public:
  virtual ~QuarkMeasurement() = default;
  virtual QuarkNeeds needs() const { return {}; }

  /// Looks at a gauge field before the job lets go of its links. Collective.
  virtual void begin(const LoadedGauge& /*gauge*/) {}
  /// The results of a source, of the quark fields as they were solved. Collective.
  virtual Results measure(const SourceQuarks& quarks) = 0;
  /// More results of the source, after the job has smeared all quark fields at their sink. Collective.
  virtual Results measure_smeared(const SourceQuarks& /*quarks*/) { return {}; }

  /// Attributes of the gauge field that was begun last.
  virtual Attributes of_gauge() const { return {}; }
  /// Adds what the result file says of it for the whole job. On rank 0.
  virtual void describe(OutputFile& /*out*/) const {}
};

class PropagatorObservable {
 public:
  virtual ~PropagatorObservable() = default;
  /// The key that asks for it: "three_point.insertions".
  virtual const char* key() const = 0;
  virtual bool is_asked(const Settings& job) const = 0;
  /// False if a job must have one mass for it.
  virtual bool takes_many_masses() const { return false; }
  /// True if it has a value of a source that averages can be made of, and its own solves heed
  /// SourceQuarks::approximation.
  virtual bool takes_approximations() const { return false; }
  /// False if it needs all columns of a source, where noise diluted in spin alone has a third of them.
  virtual bool takes_some_columns() const { return false; }

  virtual std::vector<Key> correlator_keys() const { return {}; }  // in [correlators]
  virtual std::vector<Key> output_keys() const { return {}; }      // in [output]
  virtual std::vector<Table> tables() const { return {}; }         // of its own
  virtual std::vector<Rule> rules() const { return {}; }

  /// Throws Error(job_file) if the job asks for what the lattice of its gauge fields does not have.
  virtual void check(const Settings& /*job*/, const Extents& /*extents*/) const {}
  /// For a job that asks for it. `context` must outlive the measurement. Collective.
  virtual std::unique_ptr<QuarkMeasurement> measurement(const JobContext& context) const = 0;
};

/// All observables, in the order in which they measure and in which results have them.
const std::vector<const PropagatorObservable*>& propagator_observables();
/// The observables that a job asks for.
std::vector<const PropagatorObservable*> observables_of(const Settings& job);

}  // namespace plaq::jobs
