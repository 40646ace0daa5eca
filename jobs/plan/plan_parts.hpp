// What planners are made of: the allocations of what jobs share. Each mirrors the function or class that it
// names.
#pragma once

#include <functional>
#include <initializer_list>

#include "comms/halo/extended_halo.hpp"
#include "comms/halo/halo.hpp"
#include "core/field/field.hpp"
#include "io/bytes/site_runs.hpp"
#include "io/gauge/gauge_file.hpp"
#include "io/propagator/propagator_file.hpp"
#include "jobs/dirac/solver_spec.hpp"
#include "jobs/plan/plan.hpp"
#include "jobs/run/ensemble.hpp"

namespace plaq::jobs {

// Goes in the order in which it came.
using Helds = std::vector<Plan::Held>;

Plan::Held hold_field(Plan& plan, std::string name, const Geometry& geometry, const FieldSpec& spec,
                      int count = 1);
// copy() between two fields.
void pass_copy(Plan& plan, const Geometry& to, const FieldSpec& to_spec, const Geometry& from,
               const FieldSpec& from_spec);
// ExtendedHalo of such fields.
Helds hold_extended_halo(Plan& plan, const Geometry& geometry, const FieldSpec& like);
// Halo of an operator.
Helds hold_halo(Plan& plan, const std::string& name, const Geometry& geometry, const HaloSpec& spec);
// Lists that a hopping term makes when one launch exchanges faces and computes; nothing at later ones, as the
// tables below. Until the geometry goes. `tuned`: its queue has the job's tuner.
Helds hold_fused_orders(Plan& plan, const Geometry& geometry, const HaloSpec& spec, bool tuned = true);
// choose_transport() for a grid that splits so.
void pass_transport_trial(Plan& plan, const Geometry& geometry);
// blas::Workspace, SumBuffer.
Helds hold_workspace(Plan& plan, int batch);
// Batch of a solver.
Helds hold_batch(Plan& plan, int batch);
// Scalars that a method holds beside its batch.
Helds hold_scalars(Plan& plan, const SolverSpec& spec, int batch);
Helds hold_sums(Plan& plan, int count);
// Neighbour tables and region lists that kernels of this precision make at their first launch; nothing at
// later ones. Kept: to the end.
Helds hold_tables(Plan& plan, const Geometry& geometry, Precision precision);
void keep_tables(Plan& plan, const Geometry& geometry, Precision precision);

// What moves between a file and memory at once (SiteFile).
void pass_site_file(Plan& plan, int record_bytes, const SiteOrder& order);
void pass_links_file(Plan& plan, const LinkFormat& links);

// measure_gauge, load_gauge, smear_links; the gauge field with its halo is what stays of load_gauge.
void pass_measure_gauge(Plan& plan, const Geometry& geometry, const FieldSpec& gauge);
Plan::Held plan_load_gauge(Plan& plan);
void pass_smear_links(Plan& plan, const Geometry& geometry, const FieldSpec& gauge);

// Sizes of files. The header of a gauge file is as long as its numbers happen to be.
std::uint64_t about_gauge_file_bytes(const GaugeWriteOptions& options, const Extents& extents);
std::uint64_t propagator_file_bytes(const PropagatorWriteOptions& options, const Extents& extents,
                                    PropagatorKind quarks = PropagatorKind::spinors);
// A journal with records of so many bytes beside the job itself.
PlannedFile planned_journal(const JobFile& job, const std::string& name, std::uint64_t records_bytes);
// HDF5 and the job file, and one dataset with so many characters in its attributes, beside its numbers.
std::uint64_t about_result_file_bytes(const JobFile& job);
std::uint64_t about_dataset_bytes(std::uint64_t characters);

// The extents that `read` finds in the file at `path`; where there is no such file, those of [lattice], with
// a note. Throws Error(input_file) when there is neither.
Extents planned_extents(Plan& plan, const std::string& path, const std::function<Extents()>& read);
// The gauge fields of a job over an ensemble. Where some are missing, [lattice] says the extents, and a
// pattern without files counts as one.
EnsembleInput planned_ensemble(Plan& plan, const ChooseFiles& choose = {});
bool file_exists(const std::string& path);
// The outlook of a job over them, which also writes `more`; none while some are missing.
void expect_ensemble(Plan& plan, const JobFiles& files, const EnsembleInput& input, const std::string& axis,
                     int parts, const std::vector<std::string>& more);

}  // namespace plaq::jobs
