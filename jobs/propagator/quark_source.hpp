// The sources of a propagator job: [source], with the smearing of [quark_smearing] left to the caller.
#pragma once

#include "jobs/propagator/propagator_keys.hpp"
#include "jobs/results/results.hpp"
#include "jobs/schema/job_file.hpp"
#include "kernels/quark/sources.hpp"

namespace plaq::jobs {

class QuarkSources {
 public:
  // Throws Error(job_file) where the position is not on the lattice.
  QuarkSources(const JobFile& job, const Extents& extents);

  int count() const { return keys_.count; }
  // Source k is at position + k * shift, around the lattice. Time slice and reference point of the phases
  // where the source is no point; of a corner wall one of its points.
  Extents position(int k) const;
  // Columns first_column to first_column + b.subfields() - 1 of source k.
  void fill(Field& b, int k, int first_column) const;

  // What a correlator is summed over at the source: for the attribute `normalization`.
  std::string summed() const;
  Attributes attributes() const;

 private:
  SourceKeys keys_;
  Extents extents_;
  int spins_;
};

}  // namespace plaq::jobs
