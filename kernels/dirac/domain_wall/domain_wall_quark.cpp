#include "kernels/dirac/domain_wall/domain_wall_quark.hpp"

#include <string>

#include "core/launch/dispatch.hpp"
#include "core/system/error.hpp"
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

}  // namespace plaq
