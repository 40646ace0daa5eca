// HDF5 files with the results of a job. Serial: one rank writes. Layout, as far as a job has these:
//
//   /                        attributes: plaq_version, job (what of the job decides the results, as TOML:
//                            JobFile::physics_text), job_type
//   /gauge                   attributes of the gauge field: file, checksum, plaquette (a group a field where
//                            there are several)
//   /correlators/pion        [t] double: sum over the sites of a time slice of tr S(x,0)^dagger S(x,0), t
//                            counting from the source; attributes units, normalization, axes, momentum
//   /solves/...              [column] iterations, true residuals
//
// Every dataset has the attributes `units` and `axes` (slowest index first). Strings are UTF-8 of variable
// length. Equal contents give equal bytes: no time stamps are stored. Behind the HDF5 bytes follows a seal
// (io/bytes/file_seal.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/bytes/temporary_file.hpp"
#include "jobs/results/results.hpp"
#include "jobs/schema/common_keys.hpp"

namespace plaq::jobs {

// Built in memory and written whole by commit(), so that every failure of the disk is met by plaq and not by
// HDF5: no damaged file is left under the name, an old one stays. For results that are small beside a field.
// Errors: output_file, with the path and HDF5's reason.
class OutputFile {
 public:
  OutputFile(std::string path, bool overwrite);  // fails at once where the file cannot be made
  explicit OutputFile(const OutputKeys& keys) : OutputFile(keys.file, keys.overwrite) {}
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // A dataset at `where` ("/correlators/pion"; groups are made as needed) with `extents`, the slowest first,
  // whose product is the number of values; no extents: one number.
  void dataset(const std::string& where, std::span<const double> values, std::vector<std::size_t> extents,
               const Attributes& attributes = {});
  void dataset(const std::string& where, std::span<const std::int64_t> values,
               std::vector<std::size_t> extents, const Attributes& attributes = {});
  // All of it: a group that is there already gets further attributes.
  void write(const Results& results);
  // An empty group, with the groups above it.
  void group(const std::string& where, const Attributes& attributes = {});
  // An attribute of a group or dataset that exists; "/" is the root.
  void attribute(const std::string& where, const std::string& name, const Attribute& value);

  void commit();  // nothing can be added afterwards

 private:
  [[noreturn]] void fail(const std::string& what);
  std::int64_t check(std::int64_t result, const std::string& what);
  void add_dataset(const std::string& where, const void* values, std::size_t count,
                   const std::vector<std::size_t>& extents, std::int64_t memory_type, std::int64_t file_type,
                   const Attributes& attributes);
  bool has(const std::string& where) const;
  void add_attribute(std::int64_t object, const std::string& where, const std::string& name,
                     const Attribute& value);

  TemporaryFile file_;
  std::int64_t hdf5_ = -1;
};

}  // namespace plaq::jobs
