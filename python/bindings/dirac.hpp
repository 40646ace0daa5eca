// Dirac operators as Python has them, and what solves with them.
#pragma once

#include <nanobind/nanobind.h>

#include <map>
#include <memory>
#include <string>

#include "python/bindings/fields.hpp"
#include "python/bindings/keywords.hpp"
#include "quarks/operator/dirac_matrix.hpp"
#include "quarks/solve/propagator_solver.hpp"

namespace plaq::python {

// The tables [action], [action_smearing], [solver] and [multigrid] of job files, and the rules between them.
const settings::Schema& dirac_schema();

/// "DomainWall" of "domain_wall": the function of the package that makes it (python/plaq/operators.py).
std::string function_of(const std::string& type);

// M on a gauge field, of which it has its own copy.
class Dirac {
 public:
  // Collective. `type`: of [action], for messages.
  Dirac(const GaugeField& gauge, Keywords keys, const std::string& type);
  Dirac(const Dirac&) = delete;

  const LatticePtr& lattice() const { return lattice_; }
  const Action& action() const { return *action_; }
  const FermionLinks& links() const { return links_; }
  const Keywords& keys() const { return keys_; }
  const std::string& gauge_file() const { return gauge_file_; }
  // What is known of its solutions, but for their sources.
  const PropagatorNote& note() const { return note_; }

  // M in double precision with links of 18 reals, for batches of a size. Collective at the first call.
  LinearOperator& matrix(int batch);
  // Vectors that it acts on, zero: `columns` of them.
  QuarkField vector(int columns) const;

 private:
  LatticePtr lattice_;
  Keywords keys_;
  settings::Settings settings_;
  std::string gauge_file_;
  PropagatorNote note_;
  FermionLinks links_;
  ActionPtr action_;
  std::unique_ptr<DiracMatrix> matrix_;
  std::unique_ptr<HoppingTerm> exact_;
  std::map<int, std::unique_ptr<LinearOperator>> full_;
};
using DiracPtr = std::shared_ptr<Dirac>;

// Solves M x = b as propagator jobs do, by the same keys, to the same bits. What it sets up once serves all solves.
class DiracSolve {
 public:
  DiracSolve(DiracPtr dirac, const nanobind::dict& keys);
  DiracSolve(const DiracSolve&) = delete;

  // Writes columns first, first + 1, ... of the source into a batch. Called with the GIL released.
  using Fill = PropagatorSolver::FillSource;
  // Collective. Quark fields in four dimensions.
  // `source`: what is known of it.
  QuarkField solve(const Fill& fill, int columns, const PropagatorNote& source);
  std::string name() const;
  const DiracPtr& dirac() const { return dirac_; }

 private:
  PropagatorSolver& solver(int columns);

  DiracPtr dirac_;
  settings::Settings settings_;
  std::map<int, std::unique_ptr<PropagatorSolver>> solvers_;  // by columns
};

void bind_dirac(nanobind::module_& module);

}  // namespace plaq::python
