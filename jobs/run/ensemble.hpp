// The gauge fields of a job, all of one lattice: those that [gauge] files names.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "jobs/common/number_pattern.hpp"
#include "jobs/results/resume.hpp"
#include "jobs/run/job_context.hpp"

namespace plaq::jobs {

struct EnsembleInput {
  std::vector<std::string> files;  // in the order of the job
  Extents extents{};
  // On rank 0, of each: the checksum of its header, empty where there is none; that with size and plaquette.
  std::vector<std::string> checksums, fingerprints;
  std::vector<ChainNumbers> numbers;  // of each, on all ranks: by [gauge] numbering, else of its header
};

// The files that a pattern with * and ? means, in natural order (jobs/common/number_pattern.hpp); a file of
// that very name wins over the pattern, and a name without them means itself, there or not. Serial.
std::vector<std::string> files_matching(const std::string& pattern);
// The files of [gauge]: every one there, recognised, of the right size, of one lattice, named as [gauge]
// numbering says, and none of them twice. Throws Error(input_file), and Error(job_file) for a file that would
// count twice, by whatever names and also as a copy, or that has no name of that kind. Serial. `choose` may
// take names out of those that the patterns mean. `lattice`: of the fields, where the
// job has no [lattice] that says it.
using ChooseFiles = std::function<void(std::vector<std::string>&)>;
EnsembleInput inspect_ensemble(const JobFile& job, const ChooseFiles& choose = {},
                               std::optional<Extents> lattice = {});
// Collective. The same, found by rank 0.
EnsembleInput find_ensemble(const JobFile& job, const ChooseFiles& choose = {},
                            std::optional<Extents> lattice = {});

// In a dry run: how many there are.
void note_fields(const EnsembleInput& input);

// Files of a job with the keys `files` in [gauge] and `file` in [output]. `input` must outlive them.
JobFiles files_of_ensemble(const JobFile& job, const EnsembleInput& input);

// On rank 0: of each file the row that results have of it, by the groups /gauge/000000, ... with their
// attributes file and checksum; -1: none. Empty where results have a field that is not one of these.
std::vector<int> rows_of_ensemble(const std::vector<StoredObject>& results, const EnsembleInput& input);
// On rank 0: the files of which an output that grows has nothing.
std::vector<std::string> files_to_come(const EnsembleInput& input, const EarlierRun& earlier);

}  // namespace plaq::jobs
