// What a generate job remembers of its Markov chain, in PREFIX.history.h5:
//
//   /                   attributes: plaq_version, job_type, job, action, beta, seed, extents
//   /history/sweep      compound sweeps done; beside it the observables of jobs/observable_columns.hpp
//   /configurations     the saved fields: sweep, checksum, and their observables; attribute file_names
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/geometry.hpp"
#include "io/link_checksum.hpp"
#include "jobs/job_file.hpp"
#include "jobs/observable_columns.hpp"

namespace plaq::jobs {

class GenerateHistory {
 public:
  void add(std::int64_t sweep, const GaugeObservables& observables);
  void add_configuration(std::int64_t sweep, const LinkChecksum& checksum,
                         const GaugeObservables& observables);
  // Serial. Replaces the file whole.
  void write(const std::string& path, const JobFile& job, const Extents& extents) const;

 private:
  std::vector<std::int64_t> sweeps_, saved_sweeps_, checksums_;
  ObservableColumns observables_, saved_observables_;
};

}  // namespace plaq::jobs
