#include "quarks/source/quark_derivative.hpp"

#include <fmt/format.h>

#include <utility>

#include "comms/start/shared_lattice.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "kernels/blas/blas.hpp"
#include "kernels/blas/operations.hpp"
#include "kernels/field/shift.hpp"

namespace plaq {
namespace {

// to = (to - from) / 2.
void half_difference(Field& to, const Field& from, const Queue& queue) {
  blas::Workspace work(queue, to.batch());
  const blas::Coefficients both{1, {-0.5, 0, 0.5, 0}};
  blas::update<blas::Axpby>(work, std::vector(static_cast<std::size_t>(to.batch()), both), {&from, &to});
  queue.synchronize();
  to.touch();
}

}  // namespace

QuarkDerivative::QuarkDerivative(const SharedLattice& lattice, const Field& gauge,
                                 const LinkSmearing& smearing, const SpaceSigns& boundary, std::string word)
    : lattice_(&lattice),
      links_(lattice.geometry, gauge_spec(Precision::double_precision, lattice.location())),
      word_(std::move(word)) {
  require(derivative_fault(word_).empty(), "derivatives without a word of x, y, z");
  const Phase phase("making the derivative");
  const MemoryName name("derivative");
  Field smeared = gauge;
  if (smearing.smears()) {
    smeared = Field(gauge.geometry_ptr(), gauge.spec());
    copy(smeared, gauge);
    smear_links(lattice, smeared, smearing);
  }
  copy(links_, with_boundary_signs(links_without_halo(lattice, smeared), boundary));
}

void QuarkDerivative::apply(Field& b) const {
  const MemoryName name("derivative");
  Field ahead(b.geometry_ptr(), b.spec()), behind(b.geometry_ptr(), b.spec());
  for (auto letter = word_.rbegin(); letter != word_.rend(); ++letter) {
    const int mu = *letter - 'x';
    const auto hop = [&](Field& to, bool forward) {
      covariant_shift(*lattice_->grid, to, b, links_, mu, forward, lattice_->queue, lattice_->transport);
    };
    hop(ahead, true);
    hop(behind, false);
    half_difference(ahead, behind, lattice_->queue);
    copy(b, ahead);
  }
}

std::string derivative_fault(const std::string& word) {
  if (word.empty() || word.size() > 3)
    return fmt::format("\"{}\" has {} letters, must have 1 to 3", word, word.size());
  if (word.find_first_not_of("xyz") != std::string::npos)
    return fmt::format("\"{}\" must have letters of x, y, z alone", word);
  return "";
}

std::string derivative_formula(const std::string& word) {
  std::string formula;
  for (const char letter : word) formula += fmt::format("{}D_{}", formula.empty() ? "" : " ", letter);
  return formula;
}

}  // namespace plaq
