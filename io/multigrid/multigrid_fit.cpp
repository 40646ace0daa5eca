#include "io/multigrid/multigrid_fit.hpp"

#include <algorithm>

#include "io/vectors/differences.hpp"
#include "io/vectors/operator_entries.hpp"

namespace plaq {
namespace {

MultigridFit fit_without(const std::string& key) {
  if (key == "mass" || key == "twisted_mass") return MultigridFit::other_mass;
  if (key == "boundary") return MultigridFit::other_boundary;
  if (key == clover_links_key) return MultigridFit::other_links;
  return MultigridFit::other_action;
}

}  // namespace

std::string_view text_of(MultigridFit fit) {
  switch (fit) {
    case MultigridFit::same:
      return "it was made for this operator";
    case MultigridFit::other_mass:
      return "it was made for another mass";
    case MultigridFit::other_links:
      return "it was made for another gauge field";
    case MultigridFit::other_boundary:
      return "it was made for other boundary conditions";
    case MultigridFit::other_action:
      return "it was made for another action";
    case MultigridFit::other_lattice:
      return "it was made for another lattice";
  }
  return "it cannot be compared";
}

MultigridFitReport fit_of(const MultigridFileInfo& file, const Extents& lattice,
                          const std::vector<HeaderEntry>& here, const LinkChecksum& links) {
  MultigridFit fit = MultigridFit::same;
  Differences differences;
  const auto compare = [&](MultigridFit without, std::string_view name, const std::string& in_file,
                           const std::string& mine) {
    if (in_file == mine) return;
    fit = std::max(fit, without);
    differences.add(name, in_file, mine);
  };
  compare(MultigridFit::other_lattice, "lattice", to_string(file.extents), to_string(lattice));
  for_different_entries(file.setup.operator_entries, here,
                        [&](const std::string& key, const std::string& in_file, const std::string& mine) {
                          compare(fit_without(key), key, in_file, mine);
                        });
  compare(MultigridFit::other_links, "checksum of the links", file.setup.links.text(), links.text());
  return {fit, differences.text()};
}

}  // namespace plaq
