// What planners are made of: the allocations of what jobs share. Each mirrors the function or class that it
// names.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "comms/halo/extended_halo.hpp"
#include "comms/halo/halo.hpp"
#include "core/field/field.hpp"
#include "jobs/dirac/solver_spec.hpp"
#include "jobs/plan/plan.hpp"

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

// A journal with records of so many bytes beside the job itself.
PlannedFile planned_journal(const JobFile& job, const std::string& name, std::uint64_t records_bytes);
// HDF5 and the job file, and one dataset with so many characters in its attributes, beside its numbers.
std::uint64_t about_result_file_bytes(const JobFile& job);
std::uint64_t about_dataset_bytes(std::uint64_t characters);

// The outlook that `look` gives; where it throws an Error(output_file), the run would stop with it.
Outlook outlook(const std::function<Outlook()>& look);
bool file_exists(const std::string& path);

}  // namespace plaq::jobs
