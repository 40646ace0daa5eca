// The fields that a gaugefix job writes beside its results: DIRECTORY/GAUGE.FIELD.FORMAT, GAUGE being landau,
// coulomb or maximally_abelian and FIELD the name of the gauge file without the ending of its format, and
// DIRECTORY/GAUGE.FIELD.g.lime.
#pragma once

#include <string>
#include <vector>

#include "gaugefix/run/fixing_settings.hpp"
#include "io/gauge/gauge_file.hpp"
#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {

struct FixedFileKeys {
  bool fields = true, transformations = false;
  std::string directory = ".";
};

/// The schema of gaugefix jobs.
const Schema& gaugefix_schema();

struct FixedFiles {
  std::string field, transformation;  // empty: not written
};
FixedFiles fixed_files(const JobFile& job, const std::string& gauge_file);
// The field alone; empty: not written.
std::string fixed_field(const JobFile& job, const std::string& gauge_file);

// Takes what fixing others of these files writes out of the names that patterns mean: a job may find there
// what it wrote before.
void leave_out_fixed_files(const JobFile& job, std::vector<std::string>& gauge_files);

// Names of the fixed fields of all gauge files. Throws Error(job_file) if two would have one name. Serial.
std::vector<std::string> fixed_file_names(const JobFile& job, const std::vector<std::string>& gauge_files);
// Lines of headers that say how a field was fixed: GAUGE_FIXED, GAUGE_FUNCTIONAL, GAUGE_THETA, ...
std::vector<HeaderEntry> fixing_entries(const FixingSettings& settings, int copy,
                                        const GaugeQuality& quality);
// Options to store a fixed field: with the entries of the header of its original, and these lines.
GaugeWriteOptions fixed_field_options(const JobFile& job, const GaugeFileInfo& original,
                                      const std::vector<HeaderEntry>& fixing);

}  // namespace plaq::jobs
