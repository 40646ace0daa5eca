// Kinds of sea quarks that settings have, for rules.
#pragma once

#include <algorithm>
#include <string>

#include "core/system/wording.hpp"
#include "dynamics/terms/hmc_terms.hpp"

namespace plaq::settings {

inline std::string needs_quarks() {
  return "needs quarks: kappa, kappas, mass or masses" + wording().place("action");
}

/// True if any quarks of an action are of that kind.
template <class Kind>
bool has_any(const TermSettings& terms, const Kind& kind) {
  return std::any_of(terms.quarks.begin(), terms.quarks.end(), kind);
}
inline bool has_roots(const TermSettings& terms) {
  return has_any(terms, [](auto& q) { return q.has_root(); });
}
inline bool has_pairs(const TermSettings& terms) {
  return has_any(terms, [](auto& q) { return q.has_pair(); });
}
inline bool has_staggered(const TermSettings& terms) {
  return has_any(terms, [](auto& q) { return q.staggered() != nullptr; });
}
inline bool has_walls(const TermSettings& terms) {
  return has_any(terms, [](auto& q) { return q.walls() != nullptr; });
}
inline bool has_hisq(const TermSettings& terms) {
  return has_any(terms, [](auto& q) { return q.staggered() && q.staggered()->epsilon; });
}

}  // namespace plaq::settings
