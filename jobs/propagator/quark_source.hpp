// The sources of a propagator job: [source], with the smearing of [quark_smearing] left to the caller.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "jobs/propagator/source_files.hpp"
#include "jobs/results/results.hpp"
#include "jobs/schema/job_file.hpp"
#include "settings/quark/source_kind.hpp"

namespace plaq::jobs {

class QuarkSources {
 public:
  // Collective. Throws Error(job_file) where a source is not on the lattice, or where random sites or noise
  // belong to a trajectory that is not known, and what SourceFiles throws.
  QuarkSources(const JobFile& job, const EnsembleInput& input);

  int count() const { return count_; }
  // Distance of the columns that are solved for (Source::column_stride()).
  int column_stride() const { return first_->column_stride(); }
  // Null where they are made.
  const SourceFiles* files() const { return files_ ? &*files_ : nullptr; }
  // Collective. Source k of that gauge field, at its site. One from a file is read and verified, and is on
  // the time slice of the job, or on that of the file. Throws Error(job_file) if the file has the source on
  // another one.
  SourcePtr load(const JobContext& context, const std::string& gauge_file, int k);
  // Checksum of the last source that was read.
  const LinkChecksum& checksum() const { return checksum_; }

  // Phrase for the attribute `normalization`: the points of the source that a correlator is summed over.
  std::string summed() const;
  Attributes attributes() const;

 private:
  std::string columns_of_source() const;
  Extents checked_position(const LoadedSource& loaded, const std::string& file, Extents position) const;

  const JobFile& job_;
  SourceKeys keys_;
  SourcePtr first_;
  int count_;
  Extents extents_;
  std::map<std::string, FieldNumbers> numbers_;  // of each gauge field, where sources need them
  int spins_;
  std::optional<SourceFiles> files_;
  LinkChecksum checksum_;
};

}  // namespace plaq::jobs
