// The sources of a propagator job: [source], with the smearing of [quark_smearing] left to the caller.
#pragma once

#include <optional>

#include "jobs/propagator/propagator_keys.hpp"
#include "jobs/propagator/source_files.hpp"
#include "jobs/results/results.hpp"
#include "jobs/schema/job_file.hpp"
#include "kernels/quark/sources.hpp"

namespace plaq::jobs {

class QuarkSources {
 public:
  // Collective. Throws Error(job_file) where the position is not on the lattice, and what SourceFiles throws.
  QuarkSources(const JobFile& job, const EnsembleInput& input);

  int count() const { return keys_.sources(); }
  // Source k is at position + k * shift, around the lattice. Time slice and reference point of the phases
  // where the source is no point; of a corner wall one of its points.
  Extents position(int k) const;
  // Null where they are made.
  const SourceFiles* files() const { return files_ ? &*files_ : nullptr; }
  // Collective. Reads source k of that gauge field where it comes from a file; until then there is none, nor after
  // forget(). Where correlators count from. Throws Error(job_file) where that is another time slice than the one that
  // has the source.
  Extents load(const JobContext& context, const std::string& gauge_file, int k);
  const LinkChecksum& checksum() const { return loaded_.checksum; }
  void forget() { loaded_.columns = {}; }
  // Columns first_column to first_column + b.subfields() - 1 of source k.
  void fill(Field& b, int k, int first_column) const;

  // What a correlator is summed over at the source: for the attribute `normalization`.
  std::string summed() const;
  Attributes attributes() const;

 private:
  void fill_from_file(Field& b, int first_column) const;

  SourceKeys keys_;
  std::string job_file_;
  Extents extents_;
  std::optional<SourceFiles> files_;
  LoadedSource loaded_;
  int spins_;
};

}  // namespace plaq::jobs
