#include "dynamics/monomial/exact_flavour_monomial.hpp"

#include "core/system/error.hpp"
#include "dynamics/rational/rational_approximation.hpp"
#include "kernels/dirac/domain_wall/fifth_dimension.hpp"
#include "kernels/dirac/force/pseudofermion.hpp"

namespace plaq {
namespace {

constexpr double heavy_mass = 1;  // of Pauli-Villars quarks

FieldSpec four_dimensional(const DomainWallSeaQuark& quark) {
  return spinor_spec(Subset::full, 1, Precision::double_precision, quark.lattice().location());
}

FieldSpec five_dimensional(const DomainWallSeaQuark& quark) {
  return five_dimensional_spec(Subset::full, 1, quark.parameters().Ls(), Precision::double_precision,
                               quark.lattice().location());
}

// The range has a margin of 2 at both ends.
RationalFunction root_of_inverse_of(double mass) {
  return approximate_within(PowerProduct(-0.5), {0.5, 2 / mass}, 1e-12).function;
}

}  // namespace

ExactFlavourMonomial::ExactFlavourMonomial(std::string name, int number,
                                           std::shared_ptr<DomainWallSeaQuark> quark)
    : name_(std::move(name)),
      number_(number),
      phi_(quark->lattice().geometry, four_dimensional(*quark)),
      q_(quark->lattice().geometry, four_dimensional(*quark)),
      psi_(quark->lattice().geometry, five_dimensional(*quark)) {
  const DomainWallParameters& p = quark->parameters();
  require(p.mass > 0 && !p.minus_mass && p.same_on_all_slices(),
          "an exact flavour of a mass that is not positive, or of weights that differ between slices");
  quark_[chiral_plus] = quark->of_mass(p.mass, heavy_mass);
  quark_[chiral_minus] = std::move(quark);
}

void ExactFlavourMonomial::add_root(DomainWallSeaQuark& quark, const Field& links, const Field& eta,
                                    int chirality, double residue, double pole) {
  const double m = quark_[chiral_minus]->parameters().mass, other = m + (heavy_mass - m) / (1 + pole);
  const auto shifted = chirality == chiral_minus ? quark.of_mass(m, other) : quark.of_mass(other, heavy_mass);
  shifted->update(links);
  iterations_ += shifted->propagate(q_, psi_, eta, chirality, quark.settings().action_tolerance);
  quark.add(phi_, -residue * (other - m) / (1 + pole), q_);
}

void ExactFlavourMonomial::draw(const Field& links, std::uint64_t seed, std::uint32_t trajectory) {
  DomainWallSeaQuark& quark = *quark_[chiral_minus];
  quark.begin_trajectory(links);
  Field eta(phi_.geometry_ptr(), phi_.spec());
  draw_pseudofermion(eta, seed, trajectory, number_, quark.lattice().queue);
  const RationalFunction r = root_of_inverse_of(quark.parameters().mass);
  double all = r.constant();  // of eta, for both chiralities
  for (std::size_t i = 0; i < r.residues().size(); ++i) all += r.residues()[i] / (1 + r.shifts()[i]);
  for (int parity = 0; parity < 2; ++parity) copy_parity(phi_, eta, parity, quark.lattice().queue);
  quark.add(phi_, all - 1, eta);
  for (std::size_t i = 0; i < r.residues().size(); ++i)
    for (const int chirality : {chiral_plus, chiral_minus})
      add_root(quark, links, eta, chirality, r.residues()[i], r.shifts()[i]);
}

double ExactFlavourMonomial::value(const Field& links) {
  double sum = quark_[chiral_minus]->real_product(phi_, phi_);
  for (const int chirality : {chiral_plus, chiral_minus}) {
    DomainWallSeaQuark& quark = *quark_[chirality];
    quark.update(links);
    iterations_ += quark.propagate(q_, psi_, phi_, chirality, quark.settings().action_tolerance);
    sum += (heavy_mass - quark.parameters().mass) * quark.real_product(phi_, q_);
  }
  return sum;
}

void ExactFlavourMonomial::force(Field& force, const Field& links) {
  DomainWallSeaQuark& first = *quark_[chiral_minus];
  first.update(links);
  first.begin_force(force);
  for (const int chirality : {chiral_plus, chiral_minus}) {
    DomainWallSeaQuark& quark = *quark_[chirality];
    quark.update(links);
    iterations_ += quark.propagate(q_, psi_, phi_, chirality, quark.settings().force_tolerance);
    first.add_propagator_force(quark, force, links, psi_, phi_, chirality,
                               heavy_mass - quark.parameters().mass);
  }
  first.finish_force(force, links);
}

}  // namespace plaq
