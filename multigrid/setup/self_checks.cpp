#include "multigrid/setup/self_checks.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/system/runs_dry.hpp"
#include "kernels/blas/krylov_operations.hpp"
#include "kernels/blas/operations.hpp"
#include "multigrid/setup/near_null_vectors.hpp"
#include "solvers/krylov/batch.hpp"

namespace plaq {
namespace {

constexpr std::uint64_t seed = 104729;

// Rounding of a storage, a few hundred times over: sums are over a block, and X^-1 may be ill-conditioned.
double limit_of(Precision storage) {
  switch (storage) {
    case Precision::half_precision:
      return 1e-2;
    case Precision::single_precision:
      return 1e-4;
    default:
      return 1e-11;
  }
}

class Checks {
 public:
  Checks(Hierarchy& hierarchy, int level, Precision storage)
      : level_(level),
        storage_(storage),
        fine_(hierarchy.operators(level)),
        coarse_(hierarchy.operators(level + 1)),
        transfer_(hierarchy.transfer(level)),
        sums_(coarse_.grid(), queue(), 1),
        e_(noise_vectors(coarse_, 1, seed)) {}

  std::vector<SelfCheck> run() {
    // Columns of 0, of dropped near-null vectors, keep their components out.
    Field kept = restricted(prolonged(e_));
    add("R P = 1", difference(restricted(prolonged(kept)), kept), storage_);
    e_ = kept;
    const Precision exact = e_.precision();
    for (const bool dagger : {false, true}) {
      const Field fine = prolonged(e_);
      Field image(fine.geometry_ptr(), fine.spec()), coarse_image(e_.geometry_ptr(), e_.spec());
      apply(fine_.full(), image, fine, dagger);
      apply(coarse_.full(), coarse_image, e_, dagger);
      add(dagger ? "the adjoint of M_c = R M^dagger P" : "M_c = R M P",
          difference(restricted(image), coarse_image), exact);
    }
    check_even_odd();
    return std::move(checks_);
  }

 private:
  const Queue& queue() const { return coarse_.full().queue(); }

  // S x_p = reduced(M x), and x is back from x_p.
  void check_even_odd() {
    const auto s = coarse_.reduced(1);
    Field b(e_.geometry_ptr(), e_.spec()), back(e_.geometry_ptr(), e_.spec());
    Field here(e_.geometry_ptr(), s->spec(1)), image(here.geometry_ptr(), here.spec()),
        reduced(here.geometry_ptr(), here.spec());
    coarse_.full().apply(b, e_);
    s->reduce_guess(here, e_);
    s->apply(image, here);
    s->reduce_source(reduced, b);
    add("the even-odd form of M_c", difference(reduced, image), storage_);
    s->reconstruct(back, here, b);
    add("odd sites from even ones", difference(back, e_), storage_);
  }

  void apply(LinearOperator& m, Field& out, const Field& in, bool dagger) const {
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
  double difference(Field a, const Field& b) {
    const auto one = sums_.coefficients(sums_.all());
    const double apart = sums_.sum<blas::Residual>(one, {&b, &a, &a})[0];
    return std::sqrt(apart / sums_.sum<blas::Norm>(one, {&b})[0]);
  }
  void add(const char* what, double value, Precision precision) {
    checks_.push_back({level_, what, runs_dry() ? 0 : value, limit_of(precision)});
  }

  int level_;
  Precision storage_;
  LevelOperators &fine_, &coarse_;
  const Transfer& transfer_;
  Batch sums_;
  Field e_;
  std::vector<SelfCheck> checks_;
};

}  // namespace

std::vector<SelfCheck> self_checks(Hierarchy& hierarchy, Precision storage) {
  std::vector<SelfCheck> all;
  for (int level = 0; level + 1 < hierarchy.levels(); ++level)
    for (SelfCheck& check : Checks(hierarchy, level, storage).run()) all.push_back(std::move(check));
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
