// Kinds of sources of a propagator job: for each one its name, its keys and rules in [source], and the source that it makes of
// them (quarks/source/source.hpp).
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "core/lattice/geometry.hpp"
#include "jobs/results/results.hpp"
#include "jobs/schema/job_file.hpp"
#include "quarks/source/source.hpp"

namespace plaq::jobs {

class SourceKind {
 public:
  virtual ~SourceKind() = default;
  virtual std::string name() const = 0;     // the `type` of [source]
  virtual std::string meaning() const = 0;  // in a few words

  // Beside those of SourceKeys, and without what a kind before it in the list has already.
  virtual std::vector<Key> keys() const { return {}; }
  virtual std::vector<Rule> rules() const { return {}; }

  // Sources on each gauge field.
  virtual int count(const Settings& job) const;
  // Source number `k`, at a site. Rules ask it of jobs that may lack keys. One from a file has no columns.
  virtual SourcePtr source(const Settings& job, const Extents& position, int k) const = 0;
  // For results, beside type, position, shift, count and columns.
  virtual Attributes attributes(const Settings&) const { return {}; }
};

using SourceKinds = std::vector<const SourceKind*>;
const SourceKinds& all_source_kinds();

// Keys of all kinds.
struct SourceKeys {
  const SourceKind* type = all_source_kinds().front();
  Extents position{}, shift{};
  int count = 1;
};

// The first source of a job, for what all of its sources have in common.
SourcePtr first_source(const Settings& job);

Table source_table();
std::vector<Rule> source_rules();

// For rules of kinds. Adds a mistake if a key is given to a source of another type than its owners, or is missing from one
// of these that needs it.
// @param example  the right-hand side that a needed key may have; empty if owners do not need it
void check_own_key(Problems& problems, const Settings& job, std::initializer_list<std::string_view> owners,
                   const std::string& key, bool given, const std::string& example = "");

}  // namespace plaq::jobs
