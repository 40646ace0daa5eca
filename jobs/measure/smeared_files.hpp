// Smeared links that a measure job writes beside its results: DIRECTORY/KIND.FIELD.FORMAT, KIND being the
// type of the smearing and FIELD the name of the gauge file without the ending of its format.
#pragma once

#include <string>
#include <vector>

#include "jobs/run/ensemble.hpp"
#include "jobs/run/job_context.hpp"
#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {

struct SmearedFileKeys {
  bool fields = false;
  std::string directory = ".";
};

std::vector<Key> smeared_file_keys();  // of [output]
std::vector<Rule> smeared_file_rules();

// Names of all smeared gauge files that the job writes. Throws like names_of_made_files(). Serial.
std::vector<std::string> smeared_file_names(const JobFile& job, const std::vector<std::string>& gauge_files);
// Name of one smeared gauge file; empty: not written. Serial.
std::string smeared_file(const JobFile& job, const std::string& gauge_file);

// Takes what smearing others of these writes out of the names that patterns mean.
void leave_out_smeared_files(const JobFile& job, std::vector<std::string>& gauge_files);

// Collective. `smeared`: a field as LoadedGauge has it, with its observables. Nothing where it is not wanted.
void write_smeared_field(const JobContext& context, const Field& smeared, const GaugeFileInfo& original,
                         const GaugeObservables& observables);

}  // namespace plaq::jobs
