// Kinds of sources: for each one its name, its keys and rules in [source], and the source that it makes of
// them (quarks/source/source.hpp).
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "core/lattice/geometry.hpp"
#include "quarks/source/source.hpp"
#include "quarks/source/source_positions.hpp"
#include "settings/schema/field.hpp"
#include "settings/schema/settings.hpp"

namespace plaq::settings {

class SourceKind {
 public:
  virtual ~SourceKind() = default;
  virtual std::string name() const = 0;     // the `type` of [source]
  virtual std::string meaning() const = 0;  // in a few words

  // Beside those of SourceKeys, and without what a kind before it in the list has already.
  virtual std::vector<Key> keys() const { return {}; }
  virtual std::vector<Rule> rules() const { return {}; }

  // Sources on each gauge field.
  virtual int count(const Settings& settings) const;
  // Source number `k`, at a site, on a gauge field of these numbers. Rules ask it of jobs that may lack keys.
  // One from a file has no columns.
  virtual SourcePtr source(const Settings& settings, const Extents& position, int k,
                           const FieldNumbers& field) const = 0;
  // True if sources are others on gauge fields of other numbers, beside their sites.
  virtual bool is_of_field(const Settings&) const { return false; }
  // For results, beside type, position, shift, count and columns.
  virtual Attributes attributes(const Settings&) const { return {}; }
};

using SourceKinds = std::vector<const SourceKind*>;
/// The kinds that are made from numbers. Propagator jobs add sources from files.
const SourceKinds& made_source_kinds();

// Meaning of `by_trajectory` of noise.
inline constexpr const char* by_trajectory_text =
    "true: noise has other numbers on each gauge field, which belong to the seed, the trajectory and the "
    "replica of the field. false: all fields have the same numbers.";

// Keys of all kinds.
struct SourceKeys {
  const SourceKind* type = made_source_kinds().front();
  SourcePositions sites = {};
  std::string derivative = {};  // letters of x, y, z, the rightmost first; empty: none
};

// The first source of a job, for what all of its sources have in common.
SourcePtr first_source(const Settings& settings);

Table source_table(const SourceKinds& kinds);
std::vector<Rule> source_rules(const SourceKinds& kinds);

// For rules of kinds. Adds a mistake if a key is given to a source of another type than its owners, or is
// missing from one of these that needs it.
// @param example  the right-hand side that a needed key may have; empty if owners do not need it
void check_own_key(Problems& problems, const Settings& settings,
                   std::initializer_list<std::string_view> owners, const std::string& key, bool given,
                   const std::string& example = "");

}  // namespace plaq::settings
