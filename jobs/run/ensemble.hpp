// Many gauge fields of one lattice, one after the other: what a job finds in each is kept in its journal, so
// that a run that was killed or stopped goes on with the next field, or the next part (source) of one.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "jobs/common/number_pattern.hpp"
#include "jobs/results/resume.hpp"
#include "jobs/run/loaded_gauge.hpp"

namespace plaq::jobs {

struct EnsembleInput {
  std::vector<std::string> files;  // in the order of the job
  Extents extents{};
  // On rank 0, of each: the checksum of its header, empty where there is none; that with size and plaquette.
  std::vector<std::string> checksums, fingerprints;
  std::vector<ChainNumbers> numbers;  // of each, on rank 0: by [gauge] numbering, else of its header
};

// The files that a pattern with * and ? means, in natural order (jobs/common/natural_order.hpp); a file of that very
// name wins over the pattern, and a name without them means itself, there or not. Serial.
std::vector<std::string> files_matching(const std::string& pattern);
// The files of [gauge]: every one there, recognised, of the right size, of one lattice, named as [gauge] numbering says,
// and none of them twice. Throws Error(input_file), and Error(job_file) for a file that would count twice, by whatever
// names and also as a copy, or that has no name of that kind. Serial. `choose` may take names out of those that the patterns mean.
using ChooseFiles = std::function<void(std::vector<std::string>&)>;
EnsembleInput inspect_ensemble(const JobFile& job, const ChooseFiles& choose = {});
// Collective. The same, found by rank 0.
EnsembleInput find_ensemble(const JobFile& job, const ChooseFiles& choose = {});

// In a dry run: how many there are.
void note_fields(const EnsembleInput& input);

// Of a job with the keys `files` in [gauge] and `file` in [output]. `input` must outlive it.
JobFiles files_of_ensemble(const JobFile& job, const EnsembleInput& input);

struct EnsembleTask {
  const char* title = "";  // of the progress
  // What is computed and kept of each field at a time: `parts` pieces, stacked with `axis` ("source", "mass")
  // to those of the field; numbered groups are the same in all. No axis: one piece, which is that of the
  // field.
  std::string axis;
  int parts = 1;
  // On rank 0, before `begin` of a field: its parts that an earlier run has found.
  std::function<void(int part, const Results&)> known;
  // Whether links are read. Where they are not, LoadedGauge has the path on all ranks, the header on rank 0, and no field.
  bool links = true;
  std::function<void(LoadedGauge&)> begin;                 // collective; before parts of a field are computed
  std::function<Results(LoadedGauge&, int part)> compute;  // collective; rank 0's results are kept
  // On rank 0: adds to the results of a field what its parts make together. Null: nothing.
  std::function<void(Results&)> complete;
  std::function<void(const std::string& file, const Results&)> report;  // on rank 0, for every file in order
  // On rank 0: whether a part in the journal is still of use, files of its own included.
  std::function<bool(const std::string& file, int part)> holds;
  // On rank 0: whether what an earlier run found of a part is to be taken as it is. Null: always.
  std::function<bool(const Results&)> counts;
};

// Collective. The results of all files, stacked with the axis "configuration", on rank 0; empty elsewhere. With them are
// /configurations/trajectory and replica, where numbers are known. A part is not computed again when the journal has it
// under the file's name and fingerprint, nor a field that an output which grows has. `earlier`: on rank 0. An Error that stops it says what is kept; a StopRequest is one of kind stopped.
Results run_ensemble(const JobContext& context, const EnsembleInput& input, const EarlierRun& earlier,
                     const EnsembleTask& task);

// On rank 0: of each file the row that results have of it, by the groups /gauge/000000, ... with their attributes file and
// checksum; -1: none. Empty where results have a field that is not one of these.
std::vector<int> rows_of_ensemble(const std::vector<StoredObject>& results, const EnsembleInput& input);
// On rank 0: the files of which an output that grows has nothing.
std::vector<std::string> files_to_come(const EnsembleInput& input, const EarlierRun& earlier);

}  // namespace plaq::jobs
