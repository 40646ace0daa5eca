// Setups that serve an operator, and those that do not.
#include "io/multigrid/multigrid_fit.hpp"

#include <gtest/gtest.h>

#include <functional>

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
  file.setup.action = here.action;
  file.setup.links = here.sum;
  change(here);
  return fit_of(file, here.extents, here.action, here.sum);
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
  expect(MultigridFit::other_boundary, "boundary signs 1 1 1 -1 in the file, 1 1 1 1 here",
         [](Here& here) { here.action.boundary[3] = 1; });
  expect(MultigridFit::other_action, "xi 2 in the file, 2.5 here", [](Here& here) { here.action.xi = 2.5; });
  expect(MultigridFit::other_action, "nu 0.9 in the file, 1 here", [](Here& here) { here.action.nu = 1; });
  expect(MultigridFit::other_action, "clover coefficient in space 1.5 in the file, 0 here",
         [](Here& here) { here.action.clover.spatial = 0; });
  expect(MultigridFit::other_action, "clover coefficient in time 1.6 in the file, 0 here",
         [](Here& here) { here.action.clover.temporal = 0; });
  expect(MultigridFit::other_action, "clover term linear in the file, exponential here",
         [](Here& here) { here.action.clover.exponential = true; });
  expect(MultigridFit::other_mass, "twisted mass 0 in the file, 0.25 here",
         [](Here& here) { here.action.twisted_mass = 0.25; });
  expect(MultigridFit::other_lattice, "lattice 4x4x4x8 in the file, 4x4x8x4 here", [](Here& here) {
    here.extents = {4, 4, 8, 4};
  });
  // The worst of several.
  expect(
      MultigridFit::other_boundary,
      "boundary signs 1 1 1 -1 in the file, -1 1 1 -1 here; checksum of the links 00000001 00000002 in the "
      "file, none here; mass -0.4 in the file, 0 here",
      [](Here& here) {
        here.action.boundary[0] = -1;
        here.sum = {};
        here.action.mass = 0;
      });
}

TEST(MultigridFit, HasATextForEach) {
  EXPECT_EQ(text_of(MultigridFit::same), "it was made for this operator");
  EXPECT_EQ(text_of(MultigridFit::other_links), "it was made for another gauge field");
  EXPECT_EQ(text_of(MultigridFit::other_lattice), "it was made for another lattice");
}

}  // namespace
}  // namespace plaq
