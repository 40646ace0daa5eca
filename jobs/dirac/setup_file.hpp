// The setup of multigrid on one gauge field, as a file keeps it (io/multigrid/multigrid_file.hpp): what it begins with, and
// how it is written after rounds. Vectors are in single precision, as in memory: a setup that was killed goes on from its
// file to the same bits.
#pragma once

#include <optional>
#include <string>

#include "io/multigrid/multigrid_fit.hpp"
#include "jobs/dirac/dirac_matrix.hpp"
#include "jobs/dirac/setup_keys.hpp"
#include "jobs/dirac/solver_spec.hpp"
#include "multigrid/setup/setup.hpp"

namespace plaq::jobs {

class SetupFile {
 public:
  // Collective. `settings`: those of the setup. Where `paths` name no file nothing is read or written. The grid must
  // outlive this object.
  SetupFile(const Background& links, const WilsonParameters& action, MultigridSettings settings,
            SetupPaths paths);

  // Collective. Of the field's own file
  //   same links and action     its setup, which goes on where it was not finished
  //   another mass              its setup, as it is; where it was not finished, refreshed
  //   other links, of hops or clover term   refreshed where SetupPaths say so, else an error
  //   another action, boundary, lattice, or number of vectors   an error: the file would be replaced
  // else, refreshed, that of the field before it, which must fit as well. Else from noise. With the vectors comes what was
  // chosen for their cycles; of files that say nothing about that what they have, where they are finished.
  // Throws Error(input_file), also for a file that is damaged. A dry run sets up from noise, which takes most.
  SetupStart read(Location location) const;
  // Writes the file when SetupPaths say that it is time, at the end, and at a signal. It must not outlive this object.
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
  WilsonParameters action_;
  MultigridSettings settings_;
  SetupPaths paths_;
  LinkChecksum links_;
  std::string clover_links_;  // checksum, where the clover term has its own
};

}  // namespace plaq::jobs
