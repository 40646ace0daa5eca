// Coarse operators with 33 random matrices a site against plain loops over the whole lattice: every process
// grid, odd extents, one site a rank, with a checkerboard and without, every storage.
#include "multigrid/coarse/wide_operator.hpp"

#include <gtest/gtest.h>

#include "comms/transport/transport_choice.hpp"
#include "core/lattice/blocking.hpp"
#include "multigrid/hierarchy/wide_level.hpp"
#include "tests/reference/coarse.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/operators/coarse.hpp"
#include "tests/support/random_vectors.hpp"
#include "tests/support/same_as_alone.hpp"
#include "tests/support/whole_vectors.hpp"

namespace plaq::wide_operator_test {
namespace {

constexpr Precision quarter = Precision::quarter_precision, half = Precision::half_precision,
                    single = Precision::single_precision, wide = Precision::double_precision;
constexpr int batch = 3;

struct Problem {
  std::string name;
  Extents fine, block;
  int components;
  LatticeOrder order;
};
std::ostream& operator<<(std::ostream& out, const Problem& p) { return out << p.name; }

class WideOperators : public testing::TestWithParam<Problem> {
 protected:
  const Problem& p_ = GetParam();
  const reference::Lattice lattice_{{p_.fine[0] / p_.block[0], p_.fine[1] / p_.block[1],
                                     p_.fine[2] / p_.block[2], p_.fine[3] / p_.block[3]}};
  const std::size_t sites_ = static_cast<std::size_t>(lattice_.volume()),
                    n_ = static_cast<std::size_t>(p_.components);
  const reference::StencilMatrices exact_{
      lattice_, p_.components, reference::wide_offsets(),
      test::random_vectors(p_.components, sites_* reference::wide_offsets().size() * n_, 83)};
  const test::Vectors in_ = test::random_vectors(batch, sites_* n_, 84);

  // `count` matrices from `first` on.
  Field links(const GeometryPtr& geometry, FieldSpec spec, std::size_t first, std::size_t count) const {
    test::Vectors rows;
    const std::size_t all = exact_.offsets.size();
    for (const auto& row : exact_.rows) {
      test::Vector some;
      for (std::size_t x = 0; x < sites_; ++x)
        for (std::size_t k = first * n_; k < (first + count) * n_; ++k) some.push_back(row[x * all * n_ + k]);
      rows.push_back(std::move(some));
    }
    return test::to_plaq(test::Columns(rows), geometry, spec);
  }
  CoarseLinks links(const GeometryPtr& geometry, Location where, Precision storage) const {
    CoarseLinks all{links(geometry, coarse_links_spec(p_.components, storage, where), 0, coarse_matrices),
                    {}};
    std::size_t first = coarse_matrices;
    for (int d = 0; d < diagonal_fields; ++d) {
      const CoarseParts parts = diagonal_parts(d);
      const auto count = static_cast<std::size_t>(parts.end - parts.begin);
      all.diagonal.push_back(
          links(geometry, coarse_links_spec(p_.components, storage, where, parts), first, count));
      first += count;
    }
    return all;
  }
  std::unique_ptr<WideOperator> make(const ProcessGrid& grid, const GeometryPtr& coarse, Location where,
                                     Precision storage, Precision precision) const {
    return std::make_unique<WideOperator>(grid, links(coarse, where, storage), precision, Queue(where),
                                          make_host_transport(grid, where));
  }
  Field in(WideOperator& m) const { return test::to_plaq(test::Columns(in_), m.geometry(), m.spec(0)); }
  test::Vectors expected(int part = -1) const {
    test::Vectors all;
    for (const auto& v : in_) all.push_back(exact_.apply(v, part));
    return all;
  }
  bool fits(const Geometry& fine) const {
    for (std::size_t mu = 0; mu < 4; ++mu)
      if (fine.local()[mu] % p_.block[mu] != 0) return false;
    return true;
  }
  GeometryPtr coarse_of(const GeometryPtr& fine) const {
    return Blocking(fine, p_.block, p_.order).coarse_ptr();
  }
  void everywhere(const std::function<void(const ProcessGrid&, const GeometryPtr&, Location)>& check) const {
    test::for_all_geometries(p_.fine, [&](const ProcessGrid& grid, const GeometryPtr& fine, Location where) {
      if (fits(*fine)) check(grid, coarse_of(fine), where);
    });
  }
};

TEST_P(WideOperators, ApplyAsTheFormula) {
  const test::Vectors image = expected();
  everywhere([&](const ProcessGrid& grid, const GeometryPtr& coarse, Location where) {
    for (const auto& [storage, precision, bound] : {std::tuple{wide, wide, 1e-13},
                                                    {single, single, 3e-6},
                                                    {half, single, 3e-4},
                                                    {quarter, single, 3e-2}}) {
      const auto m = make(grid, coarse, where, storage, precision);
      Field out(coarse, m->spec(batch));
      m->apply(out, in(*m));
      EXPECT_LT(test::deviation(out, test::Columns(image)).most(), bound) << name_of(storage);
      // The level below keeps links for cycles in such a storage, or a better one.
      if (precision != single) continue;
      WideLevel level(grid, links(coarse, where, single), storage, Queue(where),
                      make_host_transport(grid, where));
      const auto of_cycles = level.reduced(batch);
      of_cycles->apply(out, in(*m));
      EXPECT_LT(test::deviation(out, test::Columns(image)).most(), storage == single ? 3e-6 : 3e-4);
      level.full().apply(out, in(*m));
      EXPECT_LT(test::deviation(out, test::Columns(image)).most(), 3e-6) << name_of(storage);
      level.release_setup_data();
      EXPECT_EQ(level.full().links().nearest.precision(), storage == quarter ? half : storage);
    }
  });
}

TEST_P(WideOperators, AreTheSumOfTheirParts) {
  std::vector<test::Vectors> of_parts;
  for (std::size_t part = 0; part < exact_.offsets.size(); ++part)
    of_parts.push_back(expected(static_cast<int>(part)));
  everywhere([&](const ProcessGrid& grid, const GeometryPtr& coarse, Location where) {
    const auto m = make(grid, coarse, where, wide, wide);
    EXPECT_EQ(m->offsets(), exact_.offsets);
    EXPECT_EQ(m->chiralities(), 1);
    Field out(coarse, m->spec(batch));
    for (std::size_t part = 0; part < of_parts.size(); ++part) {
      m->apply_part(out, in(*m), static_cast<int>(part), ActiveSet(batch));
      EXPECT_LT(test::deviation(out, test::Columns(of_parts[part])).most(), 1e-13) << part;
    }
  });
}

TEST_P(WideOperators, TellTheirLinks) {
  everywhere([&](const ProcessGrid& grid, const GeometryPtr& coarse, Location where) {
    const auto m = make(grid, coarse, where, wide, wide);
    EXPECT_EQ(test::on_all_ranks(test::rows_of(m->links()), grid), exact_.rows);
  });
}

// Right-hand sides that are masked keep what they have, and each has the bits that it has alone, on any grid.
TEST_P(WideOperators, HaveTheSameBits) {
  Precision storage = half;
  const auto result = [&](const ProcessGrid& grid, const GeometryPtr& fine, Location where) {
    const GeometryPtr coarse = coarse_of(fine);
    const auto m = make(grid, coarse, where, storage, single);
    const Field all = in(*m);
    Field out(coarse, m->spec(batch)), one(coarse, m->spec(1)), alone(coarse, m->spec(1));
    copy(out, all);
    m->apply(out, all, ActiveSet(std::vector<char>{1, 0, 1}));
    copy_subfield(alone, 0, all, 2);
    m->apply(one, alone);
    const auto found = test::to_vectors(out), before = test::to_vectors(all);
    EXPECT_EQ(found[1], before[1]);
    EXPECT_EQ(found[2], test::to_vectors(one)[0]);
    return test::on_all_ranks(found, grid);
  };
  for (const Precision kept : {single, half, quarter}) {
    storage = kept;
    const auto same = test::same_as_alone(p_.fine, result);
    test::for_all_geometries(p_.fine, [&](const ProcessGrid& grid, const GeometryPtr& fine, Location where) {
      if (fits(*fine)) same(grid, fine, where);
    });
  }
}

constexpr LatticeOrder lexicographic = LatticeOrder::lexicographic, checkerboard = LatticeOrder::checkerboard;
const Problem problems[] = {
    {"Even", {4, 4, 4, 8}, {2, 2, 2, 2}, 6, lexicographic},
    {"Checkerboard", {4, 4, 4, 8}, {2, 2, 2, 2}, 5, checkerboard},
    {"OddExtents", {6, 6, 2, 10}, {2, 2, 2, 2}, 4, lexicographic},
    {"OneSite", {4, 2, 2, 2}, {4, 2, 2, 2}, 9, lexicographic},
    {"NoBlocks", {4, 4, 2, 4}, {1, 1, 1, 1}, 2, checkerboard},
    {"Slices", {2, 2, 6, 8}, {2, 2, 2, 2}, 5, lexicographic},
    {"Many", {4, 2, 2, 4}, {2, 2, 2, 2}, 48, lexicographic},
};
INSTANTIATE_TEST_SUITE_P(Of, WideOperators, testing::ValuesIn(problems),
                         [](const auto& info) { return info.param.name; });

TEST(WideOperator, RefusesWhatCannotBe) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto geometry = Geometry::create_general({{3, 1, 2, 2}}, lexicographic);
  const auto transport = make_host_transport(self, Location::host);
  const auto links = [&](int diagonals) {
    CoarseLinks all{Field(geometry, coarse_links_spec(4, single, Location::host)), {}};
    for (int d = 0; d < diagonals; ++d)
      all.diagonal.emplace_back(geometry, coarse_links_spec(4, single, Location::host, diagonal_parts(d)));
    return all;
  };
  const Queue queue(Location::host);
  test::expect_error([&] { WideOperator(self, links(0), single, queue, transport); }, ErrorKind::internal,
                     {"without diagonal neighbours"});
  test::expect_error([&] { WideOperator(self, links(5), single, queue, transport); }, ErrorKind::internal,
                     {"without diagonal neighbours"});
  WideOperator m(self, links(6), single, queue, transport);
  Field x(geometry, m.spec(1)), y(geometry, m.spec(1));
  test::expect_error([&] { m.apply_dagger(x, y); }, ErrorKind::internal, {"without chirality"});
  WideLevel level(self, links(6), half, queue, transport);
  EXPECT_FALSE(level.shifts_with_mass());
  test::expect_error([&] { level.set_twist({0.1, 0.1}); }, ErrorKind::internal, {"without chirality"});
  test::expect_error([&] { level.shift_mass(0.1, {}); }, ErrorKind::internal, {"made again"});
}

}  // namespace
}  // namespace plaq::wide_operator_test
