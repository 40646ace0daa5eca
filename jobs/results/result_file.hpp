// HDF5 files with results of plaq, as jobs/results/output_file.hpp writes them, read back for a look. Serial.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/bytes/checksum_trailer.hpp"
#include "jobs/results/results.hpp"

namespace plaq::jobs {

struct StoredObject {
  std::string path;  // "/correlators/pion"; "/" is the root
  bool dataset = false;
  std::string type;                       // of a dataset: "float64", "int64", "other"
  std::vector<std::size_t> extents;       // of a dataset, slowest first
  Attributes attributes;                  // those of a type that plaq writes
  std::optional<Dataset::Values> values;  // of a dataset of float64 or int64, where they were asked for
};

bool is_hdf5(const std::string& path);

struct StoredResults {
  ChecksumTrailer trailer;
  std::vector<StoredObject> objects;  // every group and dataset, a group before what it holds, by name
};

// Throws Error(input_file) when the file is damaged, cannot be read or was not written by plaq. It checks the
// checksum trailer before HDF5 sees the file.
// `part`: this object alone, with what it holds and the groups above it; the root is always there.
enum class StoredValues { left, read };
StoredResults read_result_file(const std::string& path, StoredValues values = StoredValues::left,
                               const std::string& part = "/");

// Attributes of the machine where times were measured, which decide them beside the job: "location = host;
// ranks = 2; ": of more attributes in the same order it is the beginning.
std::string fingerprint_of(const Attributes& machine);
// True if a result file has them in /machine.
bool has_machine(const std::vector<StoredObject>& found, const Attributes& machine);
// The differences, "threads_per_rank is 1 there and 2 here": empty where nothing does, or there is no
// /machine.
std::string machine_difference(const std::vector<StoredObject>& found, const Attributes& machine);

}  // namespace plaq::jobs
