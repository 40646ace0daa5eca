#include "plaq/argument_checks.hpp"

#include "core/system/error.hpp"
#include "observables/quark/quarks_together.hpp"

namespace plaq {

std::string text_of_site(const Extents& site) {
  std::string text;
  for (const int x : site) text += (text.empty() ? "(" : ", ") + std::to_string(x);
  return text + ")";
}

void expect_site(const Lattice& lattice, const Extents& site) {
  for (std::size_t mu = 0; mu < 4; ++mu)
    if (site[mu] < 0 || site[mu] >= lattice.extents()[mu])
      throw Error(ErrorKind::usage,
                  "source " + text_of_site(site) + " is outside the lattice " + to_string(lattice.extents()));
}

std::optional<std::string> refuse_quark(const Propagator& quark, const Lattice& lattice,
                                        const PropagatorNote& expected) {
  if (!(quark.lattice() == lattice))
    return "the fields lie on different lattices; make all of them on one Lattice";
  if (quark.spins() != 4) return "staggered quarks have no spin; take an action with four spins";
  if (quark.precision() != Precision::double_precision)
    return "the propagator must be in double precision; take with_precision()";
  const NotedQuarks both = {{"the quark", &quark.note()}, {"the operator", &expected}};
  if (auto why = mismatch_of_gauge_fields(nullptr, both)) return why;
  if (auto why = mismatch_of_boundaries(both)) return why;
  if (!quark.note().position)
    return "the position of the source is not known: set note().position of the quark";
  return std::nullopt;
}

}  // namespace plaq
