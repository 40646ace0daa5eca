#include "multigrid/setup/self_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/system/runs_dry.hpp"
#include "core/system/timer.hpp"
#include "kernels/blas/krylov_operations.hpp"
#include "kernels/blas/operations.hpp"
#include "kernels/quark/sources.hpp"
#include "solvers/krylov/batch.hpp"

namespace plaq {
namespace {

constexpr std::uint64_t seed = 104729;

// Rounding of a storage, a few hundred times over: sums are over a block, and X^-1 may be ill-conditioned.
double limit_of(Precision storage) {
  switch (storage) {
    case Precision::quarter_precision:
      return 0.3;
    case Precision::half_precision:
      return 1e-2;
    case Precision::single_precision:
      return 1e-4;
    default:
      return 1e-11;
  }
}

// Limit for products with links before rounding: transfers round right-hand sides to 16 bits if they keep V
// so.
double limit_of_product(Precision storage, Precision exact) {
  const bool rounded = bytes_of(storage) <= 2 && exact == Precision::single_precision;
  return (rounded ? 10 : 1) * limit_of(exact);
}

constexpr const char* names[] = {"R P = 1", "M_c = R M P", "the adjoint of M_c = R M^dagger P",
                                 "the even-odd form of M_c", "odd sites from even ones"};
constexpr int checks_of_a_level = 5, adjoint_check = 2, most_levels = 8;

// Findings of a level and of those below, which other ranks may have made.
struct Found {
  double values[most_levels][checks_of_a_level] = {};
};

// Checks of the lattice `level` and the next one, on the ranks of the first.
class Checks {
 public:
  Checks(Hierarchy& hierarchy, int level)
      : hierarchy_(hierarchy),
        level_(level),
        fine_(hierarchy.operators(level)),
        transfer_(hierarchy.transfer(level)),
        sums_(fine_.grid(), queue(), 1),
        e_(transfer_.aggregation().coarse_ptr(), transfer_.coarse_spec(1, fine_.full().spec(1).precision)) {}

  Found run() {
    random_source(e_, Noise::z4, seed);
    Found found;
    double* of = found.values[level_];
    // Columns of 0, of dropped near-null vectors, keep their components out.
    Field kept = restricted(prolonged(e_));
    of[0] = difference(sums_, restricted(prolonged(kept)), kept);
    e_ = kept;
    of[1] = product(false);
    if (fine_.full().chiralities() == 2) of[adjoint_check] = product(true);
    if (const Agglomeration* agglomeration = hierarchy_.agglomeration(level_)) {
      const Location there = hierarchy_.settings(level_).coarse_location.value_or(queue().location());
      const Field e = agglomeration->gather(e_, there, queue());
      const Found below = agglomeration->on_fewer_ranks([&] { return of_coarse(e); });
      merge(found, below);
    } else {
      merge(found, of_coarse(e_));
    }
    return found;
  }

 private:
  const Queue& queue() const { return fine_.full().queue(); }

  void merge(Found& found, const Found& below) const {
    found.values[level_][3] = below.values[level_][3];
    found.values[level_][4] = below.values[level_][4];
    for (int l = level_ + 1; l < most_levels; ++l)
      std::copy(std::begin(below.values[l]), std::end(below.values[l]), found.values[l]);
  }

  // On the ranks that have the coarse lattice: what is its own, and what is below.
  Found of_coarse(const Field& e) const {
    Found found;
    if (!hierarchy_.is_last(level_ + 1)) found = Checks(hierarchy_, level_ + 1).run();
    CoarseLevel& coarse = hierarchy_.coarse_operators(level_ + 1);
    Batch sums(coarse.grid(), coarse.full().queue(), 1);
    // S x_p = reduced(M x), and x is back from x_p.
    const auto s = coarse.reduced(1);
    Field b(e.geometry_ptr(), e.spec()), back(e.geometry_ptr(), e.spec());
    Field here(e.geometry_ptr(), s->spec(1)), image(here.geometry_ptr(), here.spec()),
        reduced(here.geometry_ptr(), here.spec());
    coarse.apply(b, e);
    s->reduce_guess(here, e);
    s->apply(image, here);
    s->reduce_source(reduced, b);
    s->reconstruct(back, here, b);
    found.values[level_][3] = difference(sums, reduced, image);
    found.values[level_][4] = difference(sums, back, e);
    return found;
  }

  // |R M P e - M_c e| / |M_c e|, or of the adjoints.
  double product(bool dagger) {
    const Field fine = prolonged(e_);
    Field image(fine.geometry_ptr(), fine.spec());
    apply(fine_.full(), image, fine, dagger);
    return difference(sums_, restricted(image), coarse_image(dagger));
  }
  Field coarse_image(bool dagger) const {
    Field image(e_.geometry_ptr(), e_.spec());
    const Agglomeration* agglomeration = hierarchy_.agglomeration(level_);
    if (agglomeration == nullptr) {
      apply(hierarchy_.operators(level_ + 1).full(), image, e_, dagger);
      return image;
    }
    const Location there = hierarchy_.settings(level_).coarse_location.value_or(queue().location());
    const Field e = agglomeration->gather(e_, there, queue());
    Field out;
    if (agglomeration->here()) out = Field(e.geometry_ptr(), e.spec());
    agglomeration->on_fewer_ranks([&] {
      LinearOperator& m = hierarchy_.operators(level_ + 1).full();
      apply(m, out, e, dagger);
      m.queue().synchronize();
      return 0;
    });
    agglomeration->scatter(image, out, queue());
    return image;
  }

  static void apply(LinearOperator& m, Field& out, const Field& in, bool dagger) {
    dagger ? m.apply_dagger(out, in) : m.apply(out, in);
  }
  Field prolonged(const Field& e) const {
    Field fine(fine_.full().geometry(), fine_.full().spec(1));
    transfer_.prolong(fine, e, ActiveSet(1));
    return fine;
  }
  Field restricted(const Field& fine) const {
    Field coarse(e_.geometry_ptr(), e_.spec());
    transfer_.restrict(coarse, fine, ActiveSet(1));
    return coarse;
  }
  // |a - b| / |b|
  static double difference(Batch& sums, Field a, const Field& b) {
    const auto one = sums.coefficients(sums.all());
    const double apart = sums.sum<blas::Residual>(one, {&b, &a, &a})[0];
    return std::sqrt(apart / sums.sum<blas::Norm>(one, {&b})[0]);
  }

  Hierarchy& hierarchy_;
  int level_;
  LevelOperators& fine_;
  const Transfer& transfer_;
  Batch sums_;
  Field e_;
};

}  // namespace

std::vector<SelfCheck> self_checks(Hierarchy& hierarchy, Precision storage, std::optional<Precision> links) {
  const ScopedRange range("self-checks");
  require(hierarchy.levels() <= most_levels, "a hierarchy of more levels than are checked");
  const Precision exact = links.value_or(hierarchy.operators(0).full().spec(1).precision);
  const Found found = Checks(hierarchy, 0).run();
  std::vector<SelfCheck> all;
  for (int level = 0; !hierarchy.is_last(level); ++level)
    for (int k = 0; k < checks_of_a_level; ++k) {
      if (k == adjoint_check && hierarchy.operators(0).full().chiralities() != 2) continue;
      const bool product = k == 1 || k == adjoint_check;  // of vectors as they are kept
      all.push_back({level, names[k], by_data(found.values[level][k], 0.0),
                     product ? limit_of_product(storage, exact) : limit_of(storage)});
    }
  return all;
}

void expect_passed(const std::vector<SelfCheck>& checks) {
  for (const SelfCheck& check : checks)
    if (!check.passed())
      throw Error(
          ErrorKind::not_converged,
          fmt::format("level {} of multigrid: {} holds to {:.2g} only, where rounding explains {:.2g}",
                      check.level, check.what, check.value, check.limit));
}

}  // namespace plaq
