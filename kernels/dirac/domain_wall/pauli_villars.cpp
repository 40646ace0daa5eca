#include "kernels/dirac/domain_wall/pauli_villars.hpp"

#include <algorithm>
#include <utility>

#include "core/system/error.hpp"

namespace plaq {
namespace {

constexpr int stays = NearestNeighborOperator::site_part;

// A part of A: all pairs of hops, of D'(1)^dagger and then of D', that lead to one site.
struct Pair {
  int heavy, light;
};
struct Pairs {
  std::vector<Offset> offsets;
  std::vector<std::vector<Pair>> of_part;
};

const Pairs& pairs() {
  static const Pairs all = [] {
    Pairs found;
    const auto& steps = NearestNeighborOperator::nearest();
    for (int heavy = stays; heavy >= 0; --heavy)
      for (int light = stays; light >= 0; --light) {
        Offset both = steps[static_cast<std::size_t>(heavy)];
        for (std::size_t mu = 0; mu < 4; ++mu) both[mu] += steps[static_cast<std::size_t>(light)][mu];
        const auto known = std::find(found.offsets.begin(), found.offsets.end(), both);
        const auto part = static_cast<std::size_t>(known - found.offsets.begin());
        if (known == found.offsets.end()) {
          found.offsets.push_back(both);
          found.of_part.emplace_back();
        }
        found.of_part[part].push_back({heavy, light});
      }
    return found;
  }();
  return all;
}

FifthTable m5_table(const DomainWallParameters& parameters, bool dagger, const WilsonHopping& hopping) {
  return {{m5_program(parameters, chiral_plus, dagger), m5_program(parameters, chiral_minus, dagger)},
          hopping.precision(),
          hopping.location()};
}

}  // namespace

DomainWallParameters pauli_villars_of(DomainWallParameters parameters) {
  parameters.mass = 1;
  parameters.minus_mass.reset();
  return parameters;
}

PauliVillarsProduct::PauliVillarsProduct(WilsonHoppingPtr hopping, const DomainWallParameters& parameters)
    : hopping_(std::move(hopping)), parameters_(parameters) {
  parameters_.check();
  parameters_.check_even_odd();
  pauli_villars_of(parameters_).check_even_odd();
  expect_hopping(*hopping_, parameters_);
  m5_ = m5_table(parameters_, false, *hopping_);
  heavy_ = m5_table(pauli_villars_of(parameters_), true, *hopping_);
}

FieldSpec PauliVillarsProduct::spec(int batch) const {
  return five_dimensional_spec(Subset::full, batch, Ls(), hopping_->precision(), hopping_->location());
}

// Two operators, each of two hopping terms, one for each parity.
Work PauliVillarsProduct::work(int batch) const {
  const Work hop = hopping_->work(batch * Ls(), true);
  const double sites = 2 * static_cast<double>(geometry()->local_volume()) * batch * Ls();
  return {4 * hop.flops + sites * fifth_flops(true), 4 * hop.bytes};
}

const std::vector<Offset>& PauliVillarsProduct::offsets() const { return pairs().offsets; }

void PauliVillarsProduct::make_workspace(int batch) {
  if (hopped_ && hopped_.batch() == batch) return;
  hopped_ = Field(geometry(), spec(batch));
  between_ = Field(geometry(), spec(batch));
}

void PauliVillarsProduct::add_hop(Field& out, const Field* before, const Field& in, int hop,
                                  const ActiveSet& active) {
  HopSum sum;
  sum.hop = hop;
  for (int parity = 0; parity < 2; ++parity) {
    hopping_->apply(hopped_, in, parity, false, active.spread(Ls()), sum);
    apply_fifth(out, hopped_, m5_, parity, active, queue(), before != nullptr ? 1 : 0, before, -0.5);
  }
}

void PauliVillarsProduct::add_heavy_hop(Field& out, const Field* before, const Field& in, int hop,
                                        const ActiveSet& active) {
  for (int parity = 0; parity < 2; ++parity)
    apply_fifth(hopped_, in, heavy_, parity, active, queue(), 0, nullptr, -0.5);
  HopSum sum{1, before};
  sum.hop = hop;
  for (int parity = 0; parity < 2; ++parity)
    hopping_->apply(out, hopped_, parity, true, active.spread(Ls()), sum);
}

void PauliVillarsProduct::run(Field& out, const Field& in, bool dagger, const ActiveSet& active) {
  require(!dagger, "the adjoint of a product with a Pauli-Villars operator");
  make_workspace(in.batch());
  add_hop(between_, &in, in, HopSum::all_hops, active);
  add_heavy_hop(out, &between_, between_, HopSum::all_hops, active);
}

void PauliVillarsProduct::apply_part(Field& out, const Field& in, int part, const ActiveSet& active) {
  make_workspace(in.batch());
  const Field* before = nullptr;
  for (const auto& [heavy, light] : pairs().of_part[static_cast<std::size_t>(part)]) {
    if (heavy == stays && light == stays) {
      before = &in;  // the first pair of its part
      continue;
    }
    if (heavy == stays) {
      add_hop(out, before, in, light, active);
    } else if (light == stays) {
      add_heavy_hop(out, before, in, heavy, active);
    } else {
      add_hop(between_, nullptr, in, light, active);
      add_heavy_hop(out, before, between_, heavy, active);
    }
    before = &out;
  }
}

PauliVillarsSchur::PauliVillarsSchur(WilsonHoppingPtr hopping, const DomainWallParameters& parameters,
                                     int parity, int batch)
    : hopping_(std::move(hopping)),
      schur_(hopping_, parameters, parity, batch),
      heavy_(m5_table(pauli_villars_of(parameters), true, *hopping_)),
      here_(geometry(), spec(batch)) {}

void PauliVillarsSchur::run(Field& out, const Field& in, bool dagger, const ActiveSet& active) {
  dagger ? schur_.apply_dagger(out, in, active) : schur_.apply(out, in, active);
}

void PauliVillarsSchur::full_residual(Field& out, const Field& r, const ActiveSet& active) {
  const int p = parity();
  apply_fifth(here_, r, heavy_, p, active, queue(), 0, nullptr, -0.5);
  const ActiveSet subfields = active.spread(schur_.parameters().Ls());
  hopping_->apply(out, here_, 1 - p, true, subfields, {});
  const std::size_t bytes = out.layout().size() * static_cast<std::size_t>(bytes_of(out.precision()));
  for (int k = 0; k < subfields.count(); ++k)
    queue().copy_async(out.data(subfields[k], p), r.data(subfields[k], p), bytes);
}

void PauliVillarsSchur::reduce_source(Field&, const Field&) {
  require(false, "a source of a product with a Pauli-Villars operator");
}

void PauliVillarsSchur::reconstruct(Field& full, const Field& solution, const Field&) {
  schur_.complete(full, solution);
}

}  // namespace plaq
