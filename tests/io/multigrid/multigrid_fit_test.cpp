// Setups that serve an operator, and those that do not.
#include "io/multigrid/multigrid_fit.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "quarks/action/domain_wall_action.hpp"
#include "quarks/action/wilson_action.hpp"

namespace plaq {
namespace {

constexpr Extents lattice{4, 4, 4, 8};
const LinkChecksum links{ChecksumKind::scidac, 1, 2};

struct Here {
  Extents extents = lattice;
  WilsonParameters action{-0.4, 2, 0.9, {1, 1, 1, -1}, {1.5, 1.6}};
  LinkChecksum sum = links;
};

MultigridFitReport fit(const std::function<void(Here&)>& change) {
  Here here;
  MultigridFileInfo file;
  file.extents = here.extents;
  file.setup.operator_entries = wilson_action(here.action)->description();
  file.setup.links = here.sum;
  change(here);
  return fit_of(file, here.extents, wilson_action(here.action)->description(), here.sum);
}

TEST(MultigridFit, NamesWhatDiffers) {
  const auto same = fit([](Here&) {});
  EXPECT_EQ(same.fit, MultigridFit::same);
  EXPECT_EQ(same.differences, "");
  const auto expect = [](MultigridFit expected, const std::string& differences,
                         const std::function<void(Here&)>& change) {
    const auto found = fit(change);
    EXPECT_EQ(found.fit, expected) << text_of(found.fit);
    EXPECT_EQ(found.differences, differences);
  };
  expect(MultigridFit::other_mass, "mass -0.4 in the file, -0.41 here",
         [](Here& here) { here.action.mass = -0.41; });
  expect(MultigridFit::other_links,
         "checksum of the links 00000001 00000002 in the file, 00000001 00000003 here",
         [](Here& here) { here.sum.b = 3; });
  expect(MultigridFit::other_boundary, "boundary 1 1 1 -1 in the file, 1 1 1 1 here",
         [](Here& here) { here.action.boundary[3] = 1; });
  expect(MultigridFit::other_action, "xi 2 in the file, 2.5 here", [](Here& here) { here.action.xi = 2.5; });
  expect(MultigridFit::other_action, "nu 0.9 in the file, 1 here", [](Here& here) { here.action.nu = 1; });
  expect(MultigridFit::other_action, "clover_spatial 1.5 in the file, 0 here",
         [](Here& here) { here.action.clover.spatial = 0; });
  expect(MultigridFit::other_action, "clover_temporal 1.6 in the file, 0 here",
         [](Here& here) { here.action.clover.temporal = 0; });
  expect(MultigridFit::other_action, "type clover in the file, exponential_clover here",
         [](Here& here) { here.action.clover.exponential = true; });
  expect(MultigridFit::other_mass, "twisted_mass none in the file, 0.25 here",
         [](Here& here) { here.action.twisted_mass = 0.25; });
  expect(MultigridFit::other_lattice, "lattice 4x4x4x8 in the file, 4x4x8x4 here", [](Here& here) {
    here.extents = {4, 4, 8, 4};
  });
  // The worst of several.
  expect(
      MultigridFit::other_boundary,
      "mass -0.4 in the file, 0 here; boundary 1 1 1 -1 in the file, -1 1 1 -1 here; checksum of the links "
      "00000001 00000002 in the file, none here",
      [](Here& here) {
        here.action.boundary[0] = -1;
        here.sum = {};
        here.action.mass = 0;
      });
}

// Domain walls, and links of the clover term, as quarks describe them.
TEST(MultigridFit, KnowsWhatEachEntryIs) {
  const auto fit = [](const std::vector<HeaderEntry>& in_file, const std::vector<HeaderEntry>& here) {
    MultigridFileInfo file;
    file.extents = lattice;
    file.setup.operator_entries = in_file;
    file.setup.links = links;
    return fit_of(file, lattice, here, links);
  };
  const auto walls = [](double mass, double b5) {
    DomainWallChoice choice;
    choice.kind = WallKind::moebius;
    choice.mass = mass;
    choice.b5 = b5;
    choice.c5 = 0.5;
    return domain_wall_action(choice)->description();
  };
  EXPECT_EQ(fit(walls(0.1, 1.5), walls(0.1, 1.5)).fit, MultigridFit::same);
  EXPECT_EQ(fit(walls(0.1, 1.5), walls(0.2, 1.5)).fit, MultigridFit::other_mass);
  EXPECT_EQ(fit(walls(0.1, 1.5), walls(0.2, 1.25)).fit, MultigridFit::other_action);
  EXPECT_EQ(fit(walls(0.1, 1.5), wilson_action(WilsonParameters{0.1})->description()).fit,
            MultigridFit::other_action);
  const HeaderEntry clover{clover_links_key, "00000001 00000002"};
  const auto other = fit({{"mass", "1"}, clover}, {{"mass", "1"}});
  EXPECT_EQ(other.fit, MultigridFit::other_links);
  EXPECT_EQ(other.differences, "clover_links 00000001 00000002 in the file, none here");
}

TEST(MultigridFit, HasATextForEach) {
  EXPECT_EQ(text_of(MultigridFit::same), "it was made for this operator");
  EXPECT_EQ(text_of(MultigridFit::other_links), "it was made for another gauge field");
  EXPECT_EQ(text_of(MultigridFit::other_lattice), "it was made for another lattice");
}

}  // namespace
}  // namespace plaq
