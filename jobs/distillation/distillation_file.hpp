// Files of numbers between modes of the Laplacian, one for each part of a job: HDF5 files that are laid out
// as result files are (jobs/results/output_file.hpp), but hold one dataset or few large ones.
#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "jobs/distillation/mode_files.hpp"
#include "jobs/results/output_file.hpp"

namespace plaq::jobs {

/// A dataset of complex numbers; its last axis is their real and imaginary part.
struct ComplexDataset {
  std::string path;
  std::vector<std::size_t> extents;  // without that axis
  std::vector<std::complex<double>> numbers;
  Attributes attributes;
};

/// DIRECTORY/FIELD.MIDDLE.ENDING, FIELD the name of the gauge file.
std::string distillation_file(const std::string& directory, const std::string& gauge_file,
                              const std::string& middle, const std::string& ending);

/// Throws Error(internal), on all ranks, unless rank 0 has room to make a file of so many bytes, which takes
/// three times as much host memory. A dry run notes it. `what`: what is in it. Collective.
void expect_room_for_file(const JobContext& context, std::uint64_t bytes, const std::string& what);

/// Writes what rank 0 has of these, whole or not at all, in place of an older file. The bytes do not depend
/// on the process grid. Collective. Throws Error(output_file).
/// @param context  the running job
/// @param path     the file
/// @param gauge    the gauge field
/// @param modes    modes of the Laplacian, of which the file has the checksum
/// @param datasets the numbers, on rank 0
void write_distillation_file(const JobContext& context, const std::string& path, const LoadedGauge& gauge,
                             const StoredModes& modes, std::vector<ComplexDataset> datasets);

}  // namespace plaq::jobs
