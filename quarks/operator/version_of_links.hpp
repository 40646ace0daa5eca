// Version of the links that a Dirac operator, or a setup of multigrid, was made of.
#pragma once

#include <string_view>

#include "core/field/version_of.hpp"
#include "quarks/action/action.hpp"

namespace plaq {

class VersionOfLinks {
 public:
  VersionOfLinks() = default;
  explicit VersionOfLinks(const FermionLinks& links) : hops_(links.gauge), clover_(links.clover_links) {}

  /// Throws Error(usage) if any links have changed. `derived` is what was made
  /// of them, as "the Dirac operator".
  void expect_unchanged(std::string_view derived) const {
    hops_.expect_unchanged(derived);
    clover_.expect_unchanged(derived);
  }
  /// Throws Error(usage) unless both are of the same version of the same links.
  void expect_same(const VersionOfLinks& other, std::string_view derived) const {
    hops_.expect_same(other.hops_, derived);
    clover_.expect_same(other.clover_, derived);
  }

 private:
  VersionOf hops_, clover_;
};

}  // namespace plaq
