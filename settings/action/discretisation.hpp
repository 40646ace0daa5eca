// The discretisations of quarks that there are: for each one its name, its keys and rules, and the action
// that it makes of them (quarks/action/action.hpp).
#pragma once

#include <string>
#include <vector>

#include "quarks/action/action.hpp"
#include "settings/schema/field.hpp"
#include "settings/schema/settings.hpp"

namespace plaq::settings {

enum class MassKeys;

class Discretisation {
 public:
  virtual ~Discretisation() = default;
  virtual std::string name() const = 0;     // the `type` of [action],
  virtual std::string meaning() const = 0;  // in a few words; empty: the one before says it

  // Beside type, masses and boundary, and what one before it in the list has already.
  virtual std::vector<Key> keys() const = 0;
  virtual std::vector<Rule> rules(MassKeys) const { return {}; }
  // Complains of keys of its own that are given to a job of a type that has none of them.
  virtual void expect_own_keys(Problems&, const Settings&) const {}

  virtual bool has_kappa() const { return false; }
  virtual bool has_anisotropy() const { return false; }  // xi and nu in [action]
  virtual bool has_clover() const { return false; }      // a clover term, be its coefficients 0
  // Says why a mass is not allowed; empty if it is.
  virtual std::string wrong_mass(double) const { return {}; }

  // The settings may be faulty: a key without a value is as its struct has it.
  virtual ActionPtr action(const Settings& settings, double mass) const = 0;
  // For results, beside type, masses and boundary.
  virtual Attributes attributes(const Settings& settings) const = 0;
  // True if M may have a Dirichlet boundary, 0, in time.
  virtual bool has_open_time() const { return false; }
};

using Discretisations = std::vector<const Discretisation*>;
const Discretisations& wilson_quarks();     // wilson, clover and exponential_clover
const Discretisations& sea_quarks();        // these, one-link staggered, HISQ and domain-wall: those of hmc
const Discretisations& multigrid_quarks();  // wilson_quarks() and domain-wall: those that can have multigrid
const Discretisations& all_discretisations();  // wilson_quarks() first
Names<const Discretisation*> names_of(const Discretisations& discretisations);

}  // namespace plaq::settings
