#include "io/multigrid/multigrid_fit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "io/vectors/differences.hpp"

namespace plaq {
namespace {

class Comparison {
 public:
  template <class T>
  void operator()(MultigridFit fit, std::string_view name, const T& in_file, const T& here) {
    if (in_file == here) return;
    fit_ = std::max(fit_, fit);
    differences_.add(name, text(in_file), text(here));
  }
  MultigridFitReport report() const { return {fit_, differences_.text()}; }

 private:
  static std::string text(double number) { return fmt::format("{}", number); }
  static std::string text(const std::string& text) { return text; }
  static std::string text(const std::array<int, 4>& signs) {
    return fmt::format("{}", fmt::join(signs, " "));
  }

  MultigridFit fit_ = MultigridFit::same;
  Differences differences_;
};

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
                          const WilsonParameters& action, const LinkChecksum& links) {
  const WilsonParameters& its = file.setup.action;
  Comparison compare;
  compare(MultigridFit::other_lattice, "lattice", to_string(file.extents), to_string(lattice));
  compare(MultigridFit::other_action, "xi", its.xi, action.xi);
  compare(MultigridFit::other_action, "nu", its.nu, action.nu);
  compare(MultigridFit::other_action, "clover coefficient in space", its.clover.spatial,
          action.clover.spatial);
  compare(MultigridFit::other_action, "clover coefficient in time", its.clover.temporal,
          action.clover.temporal);
  const auto form = [](const WilsonParameters& p) {
    return std::string(p.clover.exponential ? "exponential" : "linear");
  };
  compare(MultigridFit::other_action, "clover term", form(its), form(action));
  compare(MultigridFit::other_boundary, "boundary signs", its.boundary, action.boundary);
  compare(MultigridFit::other_links, "checksum of the links", file.setup.links.text(), links.text());
  compare(MultigridFit::other_mass, "mass", its.mass, action.mass);
  compare(MultigridFit::other_mass, "twisted mass", its.twisted_mass, action.twisted_mass);
  return compare.report();
}

}  // namespace plaq
