// The file of a multigrid setup on one gauge field (io/multigrid/multigrid_file.hpp). Vectors are in single
// precision, as in memory, so that a setup that was killed continues from its file to the same bits.
#pragma once

#include <optional>
#include <string>

#include "io/multigrid/multigrid_fit.hpp"
#include "multigrid/setup/setup.hpp"
#include "quarks/multigrid/multigrid_options.hpp"
#include "quarks/operator/dirac_matrix.hpp"
#include "quarks/solve/solver_settings.hpp"

namespace plaq {

class SetupFile {
 public:
  /// `settings` are those of the setup. If `paths` name no file, nothing is read or written. The grid must
  /// outlive this object. Collective.
  SetupFile(const FermionLinks& links, const Action& action, MultigridSettings settings, SetupPaths paths);

  /// Reads what a setup begins with. If the field's own file exists and is of
  ///   - the same links and action: its setup, which continues if it was not finished;
  ///   - another mass: its setup as it is, refreshed if it was not finished;
  ///   - other links, of hops or clover term: its setup, refreshed, if SetupPaths allow that; else an error;
  ///   - another action, boundary, lattice, or number of vectors: an error,
  ///     because the file would be replaced.
  /// If it does not exist, the setup of the field before is refreshed, which must fit as well. Without that
  /// the setup begins with noise. With the vectors come the parameters that were chosen for their cycles.
  /// Files without these give the parameters that they were made with, if they are finished. A dry run begins
  /// with noise, which takes most memory. Collective. Throws Error(input_file), also for a damaged file.
  SetupStart read(Location location) const;
  /// Writes the file at a signal, at the end, and when the time between checkpoints is over. The result must
  /// not outlive this object.
  MultigridSetup::AfterRound keep();

 private:
  MultigridFileInfo usable(const std::string& path) const;
  MultigridFitReport fit(const MultigridFileInfo& file) const;
  SetupStart read_vectors(const MultigridFileInfo& file, Location location) const;
  std::vector<CycleParameters> chosen_cycles(const MultigridFileInfo& file) const;
  SetupStart read_own(Location location) const;
  SetupStart read_before(Location location) const;
  int vectors() const;
  bool stays() const;
  void write(const SetupReport& report, const Field& vectors) const;

  const ProcessGrid& grid_;
  GeometryPtr geometry_;
  int Ls_;
  std::vector<HeaderEntry> operator_;  // as MultigridSetupInfo has it
  MultigridSettings settings_;
  SetupPaths paths_;
  LinkChecksum links_;
};

}  // namespace plaq
