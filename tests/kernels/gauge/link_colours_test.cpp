// Colours of links, against all loops of a lattice.
#include "kernels/gauge/link_colours.hpp"

#include <map>

#include "core/system/error.hpp"
#include "kernels/gauge/gauge_action.hpp"
#include "tests/kernels/gauge/gauge_support.hpp"
#include "tests/reference/gauge_action.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/world.hpp"

namespace plaq::link_colours_test {
namespace {

struct Kind {
  const char* name;
  LoopWeights weights;
};
std::vector<Kind> kinds() {
  return {{"plaquettes", wilson_gauge_action(5, 2)},
          {"rectangles", rectangle_gauge_action(4, symanzik_c1)},
          {"chairs", luscher_weisz_gauge_action(6.5, 0.862, 2)}};
}

// (site, mu) of the links of a loop in their order.
std::vector<std::pair<int, int>> links_of(const reference::Lattice& lattice, int site,
                                          const reference::Path& path) {
  std::vector<std::pair<int, int>> links;
  for (const int step : path) {
    const int mu = step >= 0 ? step : step + 4;
    const int next = step >= 0 ? lattice.forward(site, mu) : lattice.backward(site, mu);
    links.emplace_back(step >= 0 ? site : next, mu);
    site = next;
  }
  return links;
}

// Pairs of links of one direction that share a loop and have the same colour, one link twice in a loop
// included.
int clashes(const LoopWeights& weights, const Extents& extents, const LinkColours& colours) {
  const reference::Lattice lattice{extents};
  std::vector<reference::Path> paths;
  const auto take = [&](const std::vector<reference::Path>& more) {
    paths.insert(paths.end(), more.begin(), more.end());
  };
  take(reference::plaquettes(false));
  take(reference::plaquettes(true));
  if (weights.has_rectangles())
    for (int time = 0; time < 3; ++time) take(reference::rectangles(time));
  if (weights.chair != 0) take(reference::chairs());
  int count = 0;
  for (int site = 0; site < lattice.volume(); ++site)
    for (const auto& path : paths) {
      const auto links = links_of(lattice, site, path);
      for (std::size_t i = 0; i < links.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
          if (links[i].second == links[j].second &&
              colours.of(links[i].second, lattice.coordinates(links[i].first)) ==
                  colours.of(links[j].second, lattice.coordinates(links[j].first)))
            ++count;
    }
  return count;
}

TEST(LinkColours, LinksOfOneColourShareNoLoop) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Extents& extents :
       {Extents{4, 4, 4, 4}, Extents{6, 6, 6, 6}, Extents{8, 8, 8, 8}, Extents{4, 6, 8, 10},
        Extents{10, 4, 6, 4}, Extents{14, 4, 12, 6}, Extents{4, 4, 4, 6}, Extents{6, 4, 4, 4},
        Extents{8, 4, 12, 16}, Extents{4, 18, 4, 22}, Extents{8, 8, 8, 16}})
    for (const auto& [name, weights] : kinds()) {
      SCOPED_TRACE(std::string(name) + " on " + to_string(extents));
      const LinkColours colours(weights, extents);
      EXPECT_EQ(clashes(weights, extents, colours), 0);
    }
}

TEST(LinkColours, AreAsFewAsTheLatticeAllows) {
  const auto counts = [](const Extents& extents) {
    std::vector<int> found;
    for (const Kind& kind : kinds()) found.push_back(LinkColours(kind.weights, extents).count());
    return found;
  };
  EXPECT_EQ(counts({8, 8, 8, 16}), (std::vector{2, 4, 8}));
  EXPECT_EQ(counts({12, 12, 12, 24}), (std::vector{2, 4, 14}));
  EXPECT_EQ(counts({8, 8, 8, 10}), (std::vector{2, 6, 14}));
}

// The count of clashes sees colours that are too few.
TEST(LinkColours, ParityIsNotEnoughForRectangles) {
  const LinkColours parities(wilson_gauge_action(5), {8, 8, 8, 8});
  EXPECT_EQ(clashes(wilson_gauge_action(5), {8, 8, 8, 8}, parities), 0);
  EXPECT_GT(clashes(rectangle_gauge_action(4, symanzik_c1), {8, 8, 8, 8}, parities), 0);
  const LinkColours fours(rectangle_gauge_action(4, symanzik_c1), {8, 8, 8, 8});
  EXPECT_GT(clashes(luscher_weisz_gauge_action(6, 0.86, 0), {8, 8, 8, 8}, fours), 0);
}

TEST(LinkColours, RefuseALinkThatIsTwiceInALoop) {
  EXPECT_NO_THROW(LinkColours(wilson_gauge_action(5, 2), {2, 2, 2, 2}));
  for (const std::size_t k : {1u, 2u})
    for (const char* part : {"extents of at least 4", "8x2x4x4", "hybrid Monte Carlo"})
      test::expect_error(ErrorKind::job_file, part, [&] { LinkColours(kinds()[k].weights, {8, 2, 4, 4}); });
}

// Sites of a domain on the host.
std::vector<int> sites_of(const Domain& domain) {
  std::vector<int> sites;
  for (int s = domain.begin; s < domain.end; ++s)
    if ((domain.masks[s / host_mask_sites] >> (s % host_mask_sites)) & 1u) sites.push_back(s);
  return sites;
}

// Every owned link is in one domain, that of its colour.
TEST(ColouredLinks, HaveEveryOwnedLinkOnce) {
  for (const auto& [name, weights] : kinds()) {
    const LinkColours colours(weights, {4, 8, 4, 6});
    test::for_all_geometries(
        {4, 8, 4, 6}, [&, w = weights](const ProcessGrid&, const GeometryPtr& plain, Location) {
          const auto geometry = plain->extended(halo_depth(w));
          const ColouredLinks links(colours, geometry, Location::host);
          const LatticeShape& shape = geometry->shape();
          std::map<std::array<int, 3>, int> colour_of;  // of (mu, parity, site)
          for (int mu = 0; mu < 4; ++mu)
            for (int colour = 0; colour < links.colours(); ++colour)
              for (int parity = 0; parity < 2; ++parity)
                for (const int site : sites_of(links.domain(mu, colour, parity))) {
                  const bool is_new = colour_of.emplace(std::array{mu, parity, site}, colour).second;
                  EXPECT_TRUE(is_new);
                }
          EXPECT_EQ(static_cast<std::int64_t>(colour_of.size()), 4 * geometry->local_volume());
          for (const auto& [link, colour] : colour_of) {
            const Coordinates c = shape.coordinates(link[1], link[2]);
            Extents x{};
            for (int mu = 0; mu < 4; ++mu) {
              EXPECT_GE(c.x[mu], shape.halo[mu]);
              EXPECT_LT(c.x[mu], shape.extent[mu] - shape.halo[mu]);
              x[static_cast<std::size_t>(mu)] = shape.global_coordinate(c, mu);
            }
            EXPECT_EQ(colour, colours.of(link[0], x));
          }
        });
  }
}

}  // namespace
}  // namespace plaq::link_colours_test
