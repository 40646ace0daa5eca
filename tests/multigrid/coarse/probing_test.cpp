// Galerkin matrices from a second construction, which knows no hops: M is applied to prolonged vectors that
// are 1 in one component of coarse sites of one colour, and restricted.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "multigrid/coarse/coarse_links.hpp"
#include "multigrid/coarse/galerkin.hpp"
#include "tests/multigrid/coarse_cases.hpp"
#include "tests/reference/coarse.hpp"
#include "tests/support/whole_vectors.hpp"

namespace plaq::probing_test {
namespace {

constexpr Precision wide = Precision::double_precision;

int neighbour(const reference::Lattice& lattice, int site, const Offset& offset) {
  reference::Coordinates x = lattice.coordinates(site);
  for (std::size_t mu = 0; mu < 4; ++mu)
    x[mu] = (x[mu] + offset[mu] + lattice.extents[mu]) % lattice.extents[mu];
  return lattice.index(x);
}

std::set<int> around(const reference::Lattice& lattice, int site, const std::vector<Offset>& offsets) {
  std::set<int> sites;
  for (const Offset& offset : offsets) sites.insert(neighbour(lattice, site, offset));
  return sites;
}

// Sites of one colour are nobody's neighbours together: what arrives at a site comes from one of them.
std::vector<int> colours(const reference::Lattice& lattice, const std::vector<Offset>& offsets) {
  std::vector<int> colour(static_cast<std::size_t>(lattice.volume()), -1);
  for (int x = 0; x < lattice.volume(); ++x) {
    std::set<int> taken;
    for (const int y : around(lattice, x, offsets))
      for (const int z : around(lattice, y, offsets)) taken.insert(colour[static_cast<std::size_t>(z)]);
    int& mine = colour[static_cast<std::size_t>(x)] = 0;
    while (taken.contains(mine)) ++mine;
  }
  return colour;
}

// Neighbours by the matrices of a coarse site: without chirality diagonal ones, too.
std::vector<Offset> offsets_of(const test::Level& fine) {
  std::vector<Offset> offsets = reference::wide_offsets();
  if (fine.chiralities == 2) offsets.resize(coarse_matrices);
  return offsets;
}

struct Problem {
  std::string name;
  std::function<test::Level()> fine;
  Extents block;
  int vectors;
};
std::ostream& operator<<(std::ostream& out, const Problem& p) { return out << p.name; }

class Probing : public testing::TestWithParam<Problem> {};

// Where several hops lead to the same neighbour, as on two sites, they arrive
// together: their sum is compared.
TEST_P(Probing, FindsTheMatricesOfTheGalerkinProduct) {
  const Problem& p = GetParam();
  const test::Level fine = p.fine();
  const auto coarse = test::coarse_level(fine, p.block, p.vectors).problem;
  const test::Vectors near_null = random_vectors(fine.problem, p.vectors, 62);
  const reference::Lattice lattice{coarse.extents};
  const int n = fine.chiralities * p.vectors, sites = lattice.volume();
  const std::vector<Offset> offsets = offsets_of(fine);
  const int matrices = static_cast<int>(offsets.size());
  const std::vector<int> colour = colours(lattice, offsets);
  const int count = *std::max_element(colour.begin(), colour.end()) + 1;
  const auto at = [](int k) { return static_cast<std::size_t>(k); };
  test::for_fitting_geometries(coarse, [&](const ProcessGrid& grid, const GeometryPtr& g, Location where) {
    const Queue queue(where);
    const auto transport = make_host_transport(grid, where);
    const GeometryPtr geometry = fine.geometry(grid, g->decomposition().forced);
    const auto m = std::dynamic_pointer_cast<StencilOperator>(
        fine.problem.make({grid, geometry, {wide, 18}, queue, n, transport}));
    const Transfer transfer(grid, fine.aggregation(geometry, p.block),
                            fine.problem.field(near_null, geometry, Subset::full, wide, where), wide, queue);
    const CoarseLinks links = galerkin_links(grid, *m, transfer, wide, transport);
    const GeometryPtr there = links.nearest.geometry_ptr();
    const test::Vectors rows = test::on_all_ranks(test::rows_of(links), grid);  // [row][site][matrix][column]
    double largest = 0, most = 0;
    for (const auto& row : rows)
      for (const auto& y : row) largest = std::max(largest, std::abs(y));
    for (int c = 0; c < count; ++c) {
      test::Vectors probes(at(n), test::Vector(at(sites * n)));
      for (int x = 0; x < sites; ++x)
        for (int k = 0; k < n && colour[at(x)] == c; ++k) probes[at(k)][at(x * n + k)] = 1;
      const Field e = test::to_plaq(test::Columns(probes), there, transfer.coarse_spec(0, wide));
      Field pe(geometry, m->spec(n)), mpe(geometry, m->spec(n)), image(there, e.spec());
      transfer.prolong(pe, e, ActiveSet(n));
      m->apply(mpe, pe);
      transfer.restrict(image, mpe, ActiveSet(n));
      const test::Vectors found = test::on_all_ranks(test::to_vectors(image), grid);
      for (int x = 0; x < sites; ++x)
        for (int k = 0; k < n; ++k)
          for (int row = 0; row < n; ++row) {
            test::Complex64 expected = 0;
            for (int d = 0; d < matrices; ++d)
              if (colour[at(neighbour(lattice, x, offsets[at(d)]))] == c)
                expected += rows[at(row)][at((x * matrices + d) * n + k)];
            most = std::max(most, std::abs(found[at(k)][at(x * n + row)] - expected));
          }
    }
    EXPECT_GT(largest, 0.1);
    EXPECT_LT(most, 1e-13 * largest);
  });
}

const Problem problems[] = {
    {"Wilson",
     [] {
       return test::wilson_quarks({6, 4, 6, 8}, test::Clover::none);
     },
     {2, 2, 2, 2},
     2},
    {"Clover",
     [] {
       return test::wilson_quarks({4, 4, 6, 8}, test::Clover::anisotropic);
     },
     {2, 2, 2, 2},
     3},
    {"OneAndTwoSites",
     [] {
       return test::wilson_quarks({4, 2, 2, 6}, test::Clover::isotropic);
     },
     {2, 2, 2, 2},
     4},
    {"SecondLevel",
     [] {
       return test::coarse_level(test::wilson_quarks({12, 4, 4, 8}, test::Clover::isotropic), {2, 2, 2, 2},
                                 3);
     },
     {2, 2, 1, 1},
     2},
    {"DomainWalls",
     [] {
       return test::walls({8, 4, 2, 6}, test::Wall::moebius, 2);
     },
     {2, 2, 2, 2},
     2},
    {"DomainWallsOnFive",
     [] {
       return test::walls({10, 2, 2, 10}, test::Wall::shamir, 1);
     },
     {2, 2, 2, 2},
     2},
    {"SecondLevelOfDomainWalls",
     [] {
       return test::coarse_level(test::walls({12, 4, 2, 8}, test::Wall::shamir, 2), {2, 2, 2, 2}, 3);
     },
     {2, 2, 1, 1},
     3},
};
INSTANTIATE_TEST_SUITE_P(Of, Probing, testing::ValuesIn(problems),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace plaq::probing_test
