#include "kernels/dirac/domain_wall/domain_wall_quark.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "core/launch/dispatch.hpp"
#include "core/system/error.hpp"
#include "kernels/blas/blas.hpp"
#include "kernels/blas/operations.hpp"
#include "kernels/dirac/domain_wall/domain_wall_launch.hpp"

namespace plaq {

void join_chiralities(Field& out, int out_stride, int out_first, const ChiralPart& plus,
                      const ChiralPart& minus, int count, const Queue& queue) {
  const auto reaches = [&](const ChiralPart& part) {
    return part.field == nullptr || (part.field->spec().subset == Subset::full &&
                                     part.stride * (count - 1) + part.first < part.field->subfields());
  };
  const ChiralPart to{&out, out_stride, out_first};
  require(reaches(to) && reaches(plus) && reaches(minus),
          "chiralities of subfields that a field does not have");
  if (count == 0) return;
  dispatch(out.location(), out.precision(), [&](auto kind) {
    using K = decltype(kind);
    launch_chiral_join<typename K::target, typename K::scalar>(to, plus, minus, count, queue);
  });
}

namespace {

// y = a x + b y
void scale_and_add(double a, const Field& x, double b, Field& y, const Queue& queue) {
  blas::Workspace work(queue, x.batch());
  const std::vector<blas::Coefficients> both(static_cast<std::size_t>(x.batch()), {1, {a, 0, b, 0}});
  blas::update<blas::Axpby>(work, both, {&x, &y});
  queue.synchronize();  // the workspace goes
}

}  // namespace

DomainWallQuark::DomainWallQuark(WilsonHoppingPtr hopping, const DomainWallParameters& parameters)
    : hopping_(std::move(hopping)), parameters_(parameters) {
  parameters_.check();
  expect_hopping(*hopping_, parameters_);
}

void DomainWallQuark::make_source(Field& five, const Field& four) const {
  const int batch = four.subfields(), n = Ls();
  require(five.subfields() == batch * n, "a 5D source of another batch than its quarks");
  const Queue& queue = hopping_->queue();
  Field chiral(four.geometry_ptr(), four.spec()), hopped(four.geometry_ptr(), four.spec());
  for (int s = 0; s < n; ++s) {
    const ChiralPart plus{s == 0 ? &four : nullptr}, minus{s == n - 1 ? &four : nullptr};
    if (plus.field == nullptr && minus.field == nullptr) {
      join_chiralities(five, n, s, {}, {}, batch, queue);
      continue;
    }
    // (1 - sigma (d - hop/2)) P b
    const double sigma = parameters_.sigma[static_cast<std::size_t>(s)];
    join_chiralities(chiral, 1, 0, plus, minus, batch, queue);
    for (int parity = 0; parity < 2; ++parity)
      hopping_->apply(hopped, chiral, parity, false, 1 - sigma * parameters_.diagonal(), &chiral, sigma / 2);
    join_chiralities(five, n, s, {&hopped}, {&hopped}, batch, queue);
  }
  queue.synchronize();  // the workspace goes
}

void DomainWallQuark::to_4d(Field& four, const Field& five) const {
  join_chiralities(four, 1, 0, {&five, Ls(), Ls() - 1}, {&five, Ls(), 0}, four.subfields(),
                   hopping_->queue());
}

void DomainWallQuark::midpoint_to_4d(Field& four, const Field& five) const {
  if (Ls() % 2 != 0)
    throw Error(ErrorKind::job_file, "an odd number of slices, Ls = " + std::to_string(Ls()) +
                                         ", has no middle: the midpoint quark field wants an even one");
  join_chiralities(four, 1, 0, {&five, Ls(), Ls() / 2 - 1}, {&five, Ls(), Ls() / 2}, four.subfields(),
                   hopping_->queue());
}

// (L psi)_s + b_s has P_+ of the slice before s and P_- of the one behind it. Beyond both ends of the fifth
// dimension lies b - m q.
void DomainWallQuark::make_current_field(Field& five, const Field& four) const {
  const DomainWallParameters& p = parameters_;
  const int batch = four.subfields(), n = Ls();
  require(five.subfields() == batch * n && !p.minus_mass, "the current field of other quarks");
  if (p.is_shamir()) return;
  const Queue& queue = hopping_->queue();
  Field beyond(four.geometry_ptr(), four.spec()), before(four.geometry_ptr(), four.spec()),
      made(four.geometry_ptr(), four.spec());
  to_4d(beyond, five);
  scale_and_add(1, four, -p.mass, beyond, queue);
  for (int s = 0; s < n; ++s) {
    const ChiralPart here{&five, n, s}, behind{&five, n, s + 1}, end{&beyond};
    join_chiralities(made, 1, 0, s == 0 ? end : ChiralPart{&before}, s == n - 1 ? end : behind, batch, queue);
    join_chiralities(before, 1, 0, here, here, batch, queue);
    const auto i = static_cast<std::size_t>(s);
    const double root = std::sqrt(p.omega[i] + p.sigma[i]);
    scale_and_add(p.omega[i] / root, before, p.sigma[i] / root, made, queue);
    join_chiralities(five, n, s, {&made}, {&made}, batch, queue);
  }
  queue.synchronize();  // the workspace goes
}

}  // namespace plaq
