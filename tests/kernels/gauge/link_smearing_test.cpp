// Smearing of links by plain parameters: what each kind is, with and without halo, and what is refused.
#include "kernels/gauge/link_smearing.hpp"

#include "kernels/gauge/gradient_flow.hpp"
#include "kernels/gauge/link_copies.hpp"
#include "kernels/gauge/smearing.hpp"
#include "tests/kernels/gauge/gauge_support.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/shared_lattice.hpp"

namespace plaq {
namespace {

constexpr Extents extents_of_links{4, 4, 4, 8};

LinkSmearing smearing_of(LinkSmearingKind type, int steps) {
  LinkSmearing smearing;
  smearing.type = type;
  smearing.steps = steps;
  smearing.alpha = 0.55;
  smearing.rho = 0.11;
  smearing.alpha1 = 0.7;
  smearing.flow_step = 0.03;
  return smearing;
}

// By the kernels of each kind, on links with halo.
void smear_by_kernels(const SharedLattice& lattice, Field& gauge, LinkSmearingKind type, int steps) {
  LinkSmearer smearer(*lattice.grid, gauge, lattice.transport);
  const Queue& queue = lattice.queue;
  if (type == LinkSmearingKind::ape) smearer.apply(gauge, ApeSmearing{0.55}, steps, queue);
  if (type == LinkSmearingKind::stout) smearer.apply(gauge, StoutSmearing{0.11}, steps, queue);
  if (type == LinkSmearingKind::hyp) smearer.apply(gauge, HypSmearing{0.7, 0.6, 0.3}, steps, queue);
  GradientFlow flow(*lattice.grid, gauge, lattice.transport);
  for (int step = 0; type == LinkSmearingKind::flow && step < steps; ++step) flow.step(gauge, 0.03, queue);
  queue.synchronize();
}

TEST(SmearLinks, IsItsKernelsOnLinksWithAndWithoutHalo) {
  using enum LinkSmearingKind;
  reference::Generator generator(35);
  const auto links = reference::weak_gauge({extents_of_links}, generator, 0.4);
  test::for_all_geometries(
      extents_of_links, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
        if (grid.size() > 1 && geometry->decomposition().forced != 0) return;
        const SharedLattice lattice = test::lattice_on(grid, geometry, location);
        const Field thin = test::to_plaq(links, geometry, Precision::double_precision, location);
        for (const LinkSmearingKind type : {none, ape, stout, hyp, flow}) {
          Field expected = links_with_halo(lattice, thin), with_halo = links_with_halo(lattice, thin);
          smear_by_kernels(lattice, expected, type, 2);
          smear_links(lattice, with_halo, smearing_of(type, 2));
          lattice.queue.synchronize();
          EXPECT_EQ(test::fingerprint(with_halo, grid), test::fingerprint(expected, grid));
          Field plain = links_without_halo(lattice, thin);
          smear_links(lattice, plain, smearing_of(type, 2));
          EXPECT_EQ(test::fingerprint(plain, grid),
                    test::fingerprint(links_without_halo(lattice, expected), grid));
          const bool same = test::fingerprint(plain, grid) == test::fingerprint(thin, grid);
          EXPECT_EQ(same, type == none);
        }
      });
}

TEST(SmearLinks, RefusesWhatAmplifiesMomentaUnlessThatIsAllowed) {
  const auto fault = [](LinkSmearing smearing) { return validate(smearing); };
  LinkSmearing ape = smearing_of(LinkSmearingKind::ape, 1);
  EXPECT_FALSE(fault(ape));
  ape.alpha = 0.9;
  ASSERT_TRUE(fault(ape));
  EXPECT_EQ(fault(ape)->parameter, "alpha");
  EXPECT_EQ(fault(ape)->what, "0.9 amplifies the highest momenta of the links; at most 0.75");
  ape.spatial = true;
  EXPECT_EQ(fault(ape)->what, "0.9 amplifies the highest momenta of the links; at most 0.667 in space alone");
  ape.allow_unstable = true;
  EXPECT_FALSE(fault(ape));
  LinkSmearing stout = smearing_of(LinkSmearingKind::stout, 1);
  stout.rho = 0.2;
  EXPECT_EQ(fault(stout)->parameter, "rho");
  LinkSmearing hyp = smearing_of(LinkSmearingKind::hyp, 1);
  hyp.alpha1 = hyp.alpha2 = 1;
  EXPECT_FALSE(fault(hyp));  // of one step
  hyp.steps = 2;
  EXPECT_EQ(fault(hyp)->parameter, "alpha1");
  LinkSmearing flow = smearing_of(LinkSmearingKind::flow, 1);
  flow.spatial = true;
  EXPECT_EQ(fault(flow)->parameter, "spatial");
  stout.steps = 0;
  EXPECT_FALSE(fault(stout));  // smears nothing
  stout.steps = 1;
  test::for_all_geometries(
      extents_of_links, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
        const SharedLattice lattice = test::lattice_on(grid, geometry, location);
        Field gauge(geometry, gauge_spec(Precision::double_precision, location));
        test::expect_error(ErrorKind::usage, "smearing of links: rho: 0.2 amplifies the highest momenta",
                           [&] { smear_links(lattice, gauge, stout); });
      });
}

}  // namespace
}  // namespace plaq
