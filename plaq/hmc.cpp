#include "plaq/hmc.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>

#include "core/system/error.hpp"
#include "dynamics/check/md_check.hpp"
#include "dynamics/terms/hmc_action.hpp"
#include "dynamics/trajectory/hybrid_monte_carlo.hpp"
#include "kernels/gauge/algebra_field.hpp"
#include "kernels/gauge/momenta.hpp"
#include "plaq/hmc_settings.hpp"
#include "plaq/own_monomial.hpp"

namespace plaq {
namespace {

std::vector<MonomialPtr> monomials_of(const Lattice& lattice, const std::vector<ActionTermPtr>& terms) {
  std::vector<MonomialPtr> monomials;
  for (const ActionTermPtr& term : terms) monomials.push_back(std::make_shared<OwnMonomial>(lattice, term));
  return monomials;
}

}  // namespace

struct HmcChain::Parts {
  Lattice lattice;
  std::uint64_t seed;
  std::int64_t trajectories;
  HybridMonteCarlo hmc;
  PhaseSpace space;

  Parts(const GaugeField& gauge, const HmcSetup& setup, std::uint64_t s,
        const std::vector<ActionTermPtr>& own, std::int64_t done)
      : lattice(gauge.lattice()),
        seed(s),
        trajectories(done),
        hmc(MolecularDynamics(hmc_action(setup, lattice.shared(), monomials_of(lattice, own)).levels,
                              setup.length),
            seed),
        space(lattice.shared(), gauge.field(), hmc.halo_depth()) {}

  std::uint32_t number() const { return static_cast<std::uint32_t>(trajectories); }

  Monomial& term(const std::string& name) const {
    std::vector<std::string> names;
    for (Monomial* one : hmc.dynamics().monomials()) {
      if (one->name() == name) return *one;
      names.push_back(one->name());
    }
    throw Error(ErrorKind::usage,
                fmt::format("HMC has no term {}; the terms are {}", name, fmt::join(names, ", ")));
  }

  // Calls use(term, links) with the pseudofermions of the next trajectory, on a copy of the links: quarks
  // then remember nothing of the links of the chain, as multigrid setups, and trajectories keep their bits.
  template <class Use>
  auto with_term(const std::string& name, const Use& use) {
    Monomial& found = term(name);
    const PhaseSpace there(lattice.shared(), space.links(), hmc.halo_depth());
    try {
      found.draw(there.links(), seed, number());
      auto result = use(found, there.links());
      found.take_iterations();
      return result;
    } catch (const MdFailure& failure) {
      throw Error(ErrorKind::not_converged, failure.what());
    }
  }
};

HmcChain::HmcChain(const GaugeField& gauge, const HmcSettings& settings,
                   const std::vector<ActionTermPtr>& own, std::int64_t trajectories)
    : HmcChain(gauge, setup_of(settings, own), settings.seed, own, trajectories) {}

HmcChain::HmcChain(const GaugeField& gauge, const HmcSetup& setup, std::uint64_t seed,
                   const std::vector<ActionTermPtr>& own, std::int64_t trajectories) {
  if (trajectories < 0 || trajectories > std::numeric_limits<std::uint32_t>::max())
    throw Error(ErrorKind::usage,
                fmt::format("HMC: trajectories: expected 0 to 2^32 - 1, found {}", trajectories));
  parts_ = std::make_unique<Parts>(gauge, setup, seed, own, trajectories);
}
HmcChain::~HmcChain() = default;
HmcChain::HmcChain(HmcChain&&) noexcept = default;

TrajectoryReport HmcChain::trajectory(const TrajectorySettings& settings) {
  TrajectoryOptions options;
  options.always_accept = settings.always_accept;
  options.check_reversibility = settings.check_reversibility;
  TrajectoryReport report = parts_->hmc.trajectory(parts_->space, parts_->number(), options);
  parts_->trajectories += 1;
  parts_->lattice.shared().queue.synchronize();
  return report;
}

GaugeField HmcChain::gauge() const {
  parts_->lattice.shared().queue.synchronize();
  return {parts_->lattice, parts_->space.links()};
}
std::int64_t HmcChain::trajectories() const { return parts_->trajectories; }
const Lattice& HmcChain::lattice() const { return parts_->lattice; }

std::vector<std::string> HmcChain::terms() const {
  std::vector<std::string> names;
  for (const Monomial* one : parts_->hmc.dynamics().monomials()) names.push_back(one->name());
  return names;
}

double HmcChain::action(const std::string& term) {
  return parts_->with_term(term, [](Monomial& one, const Field& links) { return one.value(links); });
}

GaugeField HmcChain::force(const std::string& term) {
  return parts_->with_term(term, [&](Monomial& one, const Field& links) {
    const SharedLattice& lattice = parts_->lattice.shared();
    Field algebra(links.geometry_ptr(), algebra_spec(Precision::double_precision, lattice.location()));
    Field matrices(links.geometry_ptr(), links.spec());
    one.force(algebra, links);
    matrices_of_algebra(matrices, algebra, lattice.queue);
    lattice.queue.synchronize();
    return GaugeField(parts_->lattice, matrices);
  });
}

double HmcChain::check_force(const std::string& term, double step) {
  if (!(step > 0 && step <= 0.1))
    throw Error(ErrorKind::usage,
                fmt::format("check_force(): step: expected above 0 to 0.1, found {}", step));
  return parts_->with_term(term, [&](Monomial& one, const Field& links) {
    return force_deviation(parts_->lattice.shared(), one, links, step);
  });
}

}  // namespace plaq
