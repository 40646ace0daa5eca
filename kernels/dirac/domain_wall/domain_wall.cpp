#include "kernels/dirac/domain_wall/domain_wall.hpp"

#include "core/system/error.hpp"

namespace plaq {

WilsonHoppingPtr make_domain_wall_hopping(const ProcessGrid& grid, const Field& gauge,
                                          const DomainWallParameters& parameters, const LinkStorage& storage,
                                          const Queue& queue, std::shared_ptr<Transport> transport,
                                          int rotated_parity) {
  parameters.check();
  return std::make_shared<WilsonHopping>(grid, gauge, parameters.wilson(), storage, queue,
                                         std::move(transport), rotated_parity);
}

void expect_hopping(const WilsonHopping& hopping, const DomainWallParameters& parameters) {
  const WilsonParameters &mine = hopping.parameters(), wanted = parameters.wilson();
  require(mine.mass == wanted.mass && mine.xi == wanted.xi && mine.nu == wanted.nu &&
              mine.boundary == wanted.boundary && !mine.has_clover(),
          "a domain-wall operator was made on a hopping term of other parameters");
}

DomainWallOperator::DomainWallOperator(WilsonHoppingPtr hopping, const DomainWallParameters& parameters,
                                       int batch)
    : hopping_(std::move(hopping)), parameters_(parameters) {
  parameters_.check();
  expect_hopping(*hopping_, parameters_);
  const FifthMatrices of[2] = {{parameters_, chiral_plus}, {parameters_, chiral_minus}};
  const auto table = [&](const ShiftMatrix& plus, const ShiftMatrix& minus) {
    return FifthTable({FifthProgram::product(plus), FifthProgram::product(minus)}, hopping_->precision(),
                      hopping_->location());
  };
  x_[0] = table(of[0].x, of[1].x);
  y_[0] = table(of[0].y, of[1].y);
  x_[1] = table(of[0].x.transposed(), of[1].x.transposed());
  y_[1] = table(of[0].y.transposed(), of[1].y.transposed());
  between_ = Field(geometry(), spec(batch));
}

FieldSpec DomainWallOperator::spec(int batch) const {
  return five_dimensional_spec(Subset::full, batch, Ls(), hopping_->precision(), hopping_->location());
}

// Two hopping terms, one for each parity; X and Y, three flops a component each. Vectors in and out once more
// for the fifth dimension.
Work DomainWallOperator::work(int batch) const {
  const Work hop = hopping_->work(batch * Ls(), true);
  const double sites = static_cast<double>(geometry()->local_volume()) * batch * Ls();
  return {2 * hop.flops + sites * 24 * 6, 2 * hop.bytes};
}

void DomainWallOperator::run(Field& out, const Field& in, bool dagger, const ActiveSet& active) {
  require(in.subfields() == between_.subfields(), "a domain-wall operator was made for another batch");
  const ActiveSet subfields = active.spread(Ls());
  for (int parity = 0; parity < 2; ++parity) {
    if (dagger) {
      hopping_->apply(between_, in, parity, true, subfields, {});
    } else {
      apply_fifth(between_, in, y_[0], parity, active, queue());
    }
    apply_fifth(out, in, x_[dagger], parity, active, queue());
  }
  for (int parity = 0; parity < 2; ++parity) {
    if (dagger) {
      apply_fifth(out, between_, y_[1], parity, active, queue(), 1, &out, -0.5);
    } else {
      hopping_->apply(out, between_, parity, false, subfields, {1, &out, -0.5});
    }
  }
}

}  // namespace plaq
