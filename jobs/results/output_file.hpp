// HDF5 files with the results of a job. Serial: one rank writes. Layout, as far as a job has these:
//
//   /                        attributes: layout_version, plaq_version, job (what of the job decides
//                            the results, as TOML: JobFile::physics_text), job_type
//   /gauge/000000, ...       attributes of the gauge fields: file, checksum, plaquette, link_trace
//   /correlators/CHANNEL/... what docs/result-files.md says, as everything else
//
// Every dataset has the attributes `units` and `axes` (slowest index first). Strings are UTF-8 of variable
// length. Equal contents give equal bytes (jobs/results/hdf5_image.hpp). A checksum trailer
// (io/bytes/checksum_trailer.hpp) follows the HDF5 bytes.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/lattice/geometry.hpp"
#include "io/bytes/temporary_file.hpp"
#include "jobs/results/hdf5_image.hpp"
#include "jobs/results/results.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {

// Version of the layout in docs/result-files.md. Files of version 1 have no such attribute and the same
// contents as 2.
inline constexpr std::int64_t layout_version = 2;

// Built in memory and written whole by commit(), so that every failure of the disk is met by plaq and not by
// HDF5: no damaged file is left under the name, an old one stays. For results that are small beside a field.
// Errors: output_file, with the path and the reason.
class OutputFile {
 public:
  OutputFile(std::string path, bool overwrite);  // fails at once where the file cannot be made
  explicit OutputFile(const OutputKeys& keys) : OutputFile(keys.file, keys.overwrite) {}

  // A dataset at `where` ("/correlators/pion"; groups are made as needed) with `extents`, the slowest first,
  // whose product is the number of values; no extents: one number.
  void dataset(const std::string& where, Dataset::Values values, std::vector<std::size_t> extents,
               const Attributes& attributes = {});
  // All of it: a group that is there already gets further attributes.
  void write(const Results& results);
  // All there is to be, in place of what was added.
  void replace(Hdf5Objects objects) { objects_ = std::move(objects); }
  // An empty group, with the groups above it.
  void group(const std::string& where, const Attributes& attributes = {});
  // An attribute of a group or dataset that exists; "/" is the root.
  void attribute(const std::string& where, const std::string& name, const Attribute& value);

  void commit();  // nothing can be added afterwards

 private:
  [[noreturn]] void fail(const std::string& what) const;
  Hdf5Object& make(const std::string& where);

  TemporaryFile file_;
  Hdf5Objects objects_;
  bool open_ = true;
};

// Describes the job of a result file, in attributes of the root: plaq_version, job_type, job, extents
// (docs/result-files.md). On rank 0.
void describe_job(OutputFile& out, const JobFile& job, const Extents& extents);

}  // namespace plaq::jobs
