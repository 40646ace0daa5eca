// Sources that come from files of propagators (io/propagator/propagator_file.hpp): column k of a file is the
// source b of column k; or column k has a file of its own, of a single quark field.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/field/field.hpp"
#include "io/propagator/propagator_file.hpp"
#include "jobs/results/results.hpp"
#include "jobs/run/ensemble.hpp"
#include "jobs/run/field_names.hpp"
#include "jobs/run/job_context.hpp"
#include "settings/quark/source_kind.hpp"

namespace plaq::jobs {

// Origin of the time slice that correlators count from, of a source from a file.
enum class SourceSlice { position, file };

struct FileSourceKeys {
  std::optional<std::vector<std::string>> files;  // one for each source
  SourceSlice slice = SourceSlice::position;
};

// The kinds of sources that there are in job files: those that are made, and those from files.
const SourceKinds& all_source_kinds();

// Fault of a name in [source] files; none if it is good.
std::optional<std::string> validate_source_name(const std::string& name);

// The source of one gauge field, read and verified.
struct LoadedSource {
  Field columns;             // on the host, in double precision, of all columns
  LinkChecksum checksum;     // of all columns, xored where they have files of their own
  std::optional<int> slice;  // the one time slice on which it is not 0; none where there are several
};

class SourceFiles {
 public:
  // Collective. Of each gauge field one file for every name in [source] files, of names with {column} one for
  // each column. Throws Error(job_file) for names that are of no trajectory, Error(input_file) unless each
  // stands for one file, a propagator or a single field of such quarks on that lattice.
  // In a dry run files may be still to come. Numbers are not looked at.
  SourceFiles(const JobFile& job, const EnsembleInput& input, PropagatorKind quarks);

  // The first one.
  const std::string& name(const std::string& gauge_file, int k) const {
    return names_.at(gauge_file).at(static_cast<std::size_t>(k)).front();
  }
  std::vector<std::string> all_names() const { return jobs::all_names(names_); }  // each once
  // On rank 0: whether the results of a source are of one of its gauge field's files as they are now, as far
  // as these have checksums.
  bool found_with(const Results& results) const;

  // Collective. Throws Error(input_file) for damage, numbers that are not finite, and columns that are 0.
  LoadedSource read(const JobContext& context, const std::string& gauge_file, int k) const;

 private:
  using Files = std::vector<std::string>;  // of a source: one, or one a column
  std::optional<LinkChecksum> checksum_of(const Files& files) const;

  PropagatorKind quarks_;
  FieldFiles names_;
  std::map<std::string, std::optional<LinkChecksum>>
      checksums_;  // by name, on rank 0, as the headers have them
};

inline constexpr const char* source_checksum_path = "/sources/checksum";
void add_source_checksum(Results& results, const LinkChecksum& checksum);

}  // namespace plaq::jobs
