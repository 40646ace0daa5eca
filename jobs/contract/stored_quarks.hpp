// The propagators of a contract job: which files they are, whether they belong together, and what is in them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/field/field.hpp"
#include "io/propagator/propagator_file.hpp"
#include "jobs/contract/contract_keys.hpp"
#include "jobs/correlators/correlators.hpp"
#include "jobs/results/results.hpp"
#include "jobs/run/ensemble.hpp"
#include "jobs/run/field_names.hpp"
#include "jobs/run/job_context.hpp"
#include "observables/quark/quarks_together.hpp"

namespace plaq::jobs {

// The quarks of one source, at the job's location. Those with the same bits are one field.
struct LoadedQuarks {
  std::vector<Field> fields;
  std::vector<LinkChecksum> checksums;
};

class StoredQuarks {
 public:
  // Collective. Finds a file for every gauge field, source and quark, and reads their headers. Throws
  // Error(job_file) for names that are of no trajectory and for sources whose position nothing says;
  // Error(input_file) unless each name stands for one file, a propagator of such quarks on that lattice, and
  // all of a source are of one gauge field, that of [gauge], and of one source, as far as the files say it.
  // In a dry run files may be to come.
  StoredQuarks(const JobFile& job, const EnsembleInput& input);

  int sources() const { return keys_.count; }
  std::size_t count() const { return quarks_.names.size(); }
  std::vector<std::string> all_names() const { return jobs::all_names(names_); }  // each once
  const Extents& position(const std::string& gauge_file, int k) const {
    return sites_.at(gauge_file).at(index(k));
  }

  // Collective. Throws Error(input_file) for damage and for numbers that are not finite.
  LoadedQuarks read(const JobContext& context, const std::string& gauge_file, int k) const;

  // On rank 0. /quarks/checksum and mass of a source; and whether results are of its files as they are now,
  // as far as these have checksums.
  void add_to(Results& results, const std::string& gauge_file, int k, const LoadedQuarks& loaded) const;
  bool found_with(const Results& results) const;

  Attributes attributes() const;         // of /quarks
  Attributes source_attributes() const;  // of /source

 private:
  struct Header {
    std::optional<LinkChecksum> checksum;
    PropagatorNote note;
  };
  using Files = std::vector<std::string>;  // of a source, one for each quark
  static std::size_t index(int k) { return static_cast<std::size_t>(k); }

  Header inspect(const std::string& path, const Extents& extents) const;
  Extents expect_together(const std::string& gauge_file, const Files& files, int k,
                          const Extents& extents) const;
  void expect_one_field(const std::string& gauge_file, const NotedQuarks& quarks,
                        const Extents& extents) const;
  void expect_contractible(const NotedQuarks& quarks) const;
  std::optional<Extents> given_position(int k, const Extents& extents) const;

  std::string job_file_;
  QuarkKeys quarks_;
  StoredSourceKeys keys_;
  std::vector<Channel> channels_;
  Contents contents_;
  bool with_momenta_;
  PropagatorKind kind_;
  FieldFiles names_;
  std::map<std::string, std::vector<Extents>> sites_;  // by gauge file, of each source
  std::map<std::string, Header> headers_;              // by name, on rank 0
};

}  // namespace plaq::jobs
