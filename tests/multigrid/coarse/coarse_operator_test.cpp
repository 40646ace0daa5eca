// Coarse operators with random matrices against plain loops over the whole lattice: every process grid, odd
// extents, one site a rank, every storage.
#include "multigrid/coarse/coarse_operator.hpp"

#include <gtest/gtest.h>

#include "comms/transport/transport_choice.hpp"
#include "core/lattice/blocking.hpp"
#include "tests/reference/coarse.hpp"
#include "tests/support/convert.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/random_vectors.hpp"
#include "tests/support/same_as_alone.hpp"
#include "tests/support/whole_vectors.hpp"

namespace plaq {
namespace {

constexpr Precision quarter = Precision::quarter_precision, half = Precision::half_precision,
                    single = Precision::single_precision, wide = Precision::double_precision;
constexpr int batch = 3;

struct Problem {
  std::string name;
  Extents fine, block;
  int components;
  bool chiral;
};
std::ostream& operator<<(std::ostream& out, const Problem& p) { return out << p.name; }

class CoarseOperators : public testing::TestWithParam<Problem> {
 protected:
  const Problem& p_ = GetParam();
  const reference::Lattice lattice_{{p_.fine[0] / p_.block[0], p_.fine[1] / p_.block[1],
                                     p_.fine[2] / p_.block[2], p_.fine[3] / p_.block[3]}};
  const std::size_t sites_ = static_cast<std::size_t>(lattice_.volume()),
                    n_ = static_cast<std::size_t>(p_.components);
  const reference::CoarseMatrices exact_{
      lattice_, p_.components, test::random_vectors(p_.components, sites_* coarse_matrices* n_, 81)};
  const test::Vectors in_ = test::random_vectors(batch, sites_* n_, 82);

  std::unique_ptr<CoarseOperator> make(const ProcessGrid& grid, const GeometryPtr& coarse, Location where,
                                       Precision storage, Precision precision) const {
    Field links =
        test::to_plaq(test::Columns(exact_.rows), coarse, coarse_links_spec(p_.components, storage, where));
    return std::make_unique<CoarseOperator>(grid, std::move(links), precision, p_.chiral, Queue(where),
                                            make_host_transport(grid, where));
  }
  Field in(CoarseOperator& m) const { return test::to_plaq(test::Columns(in_), m.geometry(), m.spec(0)); }
  test::Vectors expected(const std::function<test::Vector(const test::Vector&)>& f) const {
    test::Vectors all;
    for (const auto& v : in_) all.push_back(f(v));
    return all;
  }
  test::Vector gamma5(test::Vector v) const {
    for (std::size_t i = 0; i < v.size(); ++i)
      if (i % n_ >= n_ / 2) v[i] = -v[i];
    return v;
  }
  bool fits(const Geometry& fine) const {
    for (std::size_t mu = 0; mu < 4; ++mu)
      if (fine.local()[mu] % p_.block[mu] != 0) return false;
    return true;
  }
  void everywhere(const std::function<void(const ProcessGrid&, const GeometryPtr&, Location)>& check) const {
    test::for_all_geometries(p_.fine, [&](const ProcessGrid& grid, const GeometryPtr& fine, Location where) {
      if (fits(*fine)) check(grid, Blocking(fine, p_.block).coarse_ptr(), where);
    });
  }
};

TEST_P(CoarseOperators, ApplyAsTheFormula) {
  const auto plain = expected([&](const auto& v) { return exact_.apply(v); });
  const auto adjoint = expected([&](const auto& v) { return gamma5(exact_.apply(gamma5(v))); });
  everywhere([&](const ProcessGrid& grid, const GeometryPtr& coarse, Location where) {
    for (const auto& [storage, precision, bound] : {std::tuple{wide, wide, 1e-13},
                                                    {single, single, 3e-6},
                                                    {half, single, 3e-4},
                                                    {quarter, single, 3e-2}}) {
      const auto m = make(grid, coarse, where, storage, precision);
      Field out(coarse, m->spec(batch));
      m->apply(out, in(*m));
      EXPECT_LT(test::deviation(out, test::Columns(plain)).most(), bound) << name_of(storage);
      if (!p_.chiral) continue;
      m->apply_dagger(out, in(*m));
      EXPECT_LT(test::deviation(out, test::Columns(adjoint)).most(), bound) << name_of(storage);
    }
  });
}

TEST_P(CoarseOperators, ApplyToOneParity) {
  everywhere([&](const ProcessGrid& grid, const GeometryPtr& coarse, Location where) {
    const auto m = make(grid, coarse, where, wide, wide);
    for (int parity = 0; parity < coarse->parities(); ++parity)
      for (const bool with_site : {true, false}) {
        const auto half_of = expected(
            [&](const auto& v) { return exact_.apply(v, with_site, coarse->parities() == 2 ? parity : -1); });
        Field out(coarse, m->spec(batch));
        m->apply_parity(out, in(*m), parity, with_site ? CoarseParts() : coarse_hops_alone, false,
                        ActiveSet(batch));
        EXPECT_LT(test::deviation(out, test::Columns(half_of)).most(), 1e-13) << parity << with_site;
      }
  });
}

// The nine parts add up to the operator.
TEST_P(CoarseOperators, AreTheSumOfTheirParts) {
  const auto plain = expected([&](const auto& v) { return exact_.apply(v); });
  everywhere([&](const ProcessGrid& grid, const GeometryPtr& coarse, Location where) {
    const auto m = make(grid, coarse, where, wide, wide);
    test::Vectors sum(batch, test::Vector(sites_ * n_));
    Field out(coarse, m->spec(batch));
    for (int part = 0; part < NearestNeighborOperator::parts; ++part) {
      m->apply_part(out, in(*m), part, ActiveSet(batch));
      const auto found = test::to_vectors(out);
      for (std::size_t i = 0; i < sum.size(); ++i)
        for (std::size_t k = 0; k < sum[i].size(); ++k) sum[i][k] += found[i][k];
    }
    m->apply(out, in(*m));
    EXPECT_LT(test::deviation(out, test::Columns(sum)).most(), 1e-13);
  });
}

// Right-hand sides that are masked keep what they have, and each has the bits that it has alone, on any grid.
TEST_P(CoarseOperators, HaveTheSameBits) {
  Precision storage = half;
  const auto result = [&](const ProcessGrid& grid, const GeometryPtr& fine, Location where) {
    const auto coarse = Blocking(fine, p_.block).coarse_ptr();
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
  for (const Precision kept : {half, quarter}) {
    storage = kept;
    const auto same = test::same_as_alone(p_.fine, result);
    test::for_all_geometries(p_.fine, [&](const ProcessGrid& grid, const GeometryPtr& fine, Location where) {
      if (fits(*fine)) same(grid, fine, where);
    });
  }
}

const Problem problems[] = {
    {"Even", {4, 4, 4, 8}, {2, 2, 2, 2}, 6, true},
    {"OddExtents", {6, 6, 2, 10}, {2, 2, 2, 2}, 4, true},
    {"OneSite", {4, 2, 2, 2}, {4, 2, 2, 2}, 10, true},
    {"NoBlocks", {4, 4, 2, 4}, {1, 1, 1, 1}, 2, true},
    {"OneChirality", {4, 4, 4, 4}, {2, 2, 1, 2}, 5, false},
    {"Many", {4, 2, 2, 4}, {2, 2, 2, 2}, 64, true},
};
INSTANTIATE_TEST_SUITE_P(Of, CoarseOperators, testing::ValuesIn(problems),
                         [](const auto& info) { return info.param.name; });

TEST(CoarseOperator, RefusesWhatCannotBe) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto geometry = Geometry::create_general({{3, 1, 2, 2}}, LatticeOrder::lexicographic);
  const auto transport = make_host_transport(self, Location::host);
  const auto make = [&](int components, Precision precision, bool chiral) {
    return CoarseOperator(self, Field(geometry, coarse_links_spec(components, single, Location::host)),
                          precision, chiral, Queue(Location::host), transport);
  };
  test::expect_error([&] { make(4, half, true); }, ErrorKind::internal, {"single or double"});
  test::expect_error(
      [&] {
        CoarseOperator(self, Field(geometry, coarse_links_spec(4, quarter, Location::host)), wide, true,
                       Queue(Location::host), transport);
      },
      ErrorKind::internal, {"quarter precision"});
  auto m = make(3, single, false);
  Field x(geometry, m.spec(1)), y(geometry, m.spec(1));
  test::expect_error([&] { m.apply_dagger(x, y); }, ErrorKind::internal, {"without chirality"});
  CoarseOperator hops(self, Field(geometry, coarse_links_spec(3, single, Location::host, coarse_hops_alone)),
                      single, false, Queue(Location::host), transport);
  test::expect_error([&] { hops.apply_part(x, y, coarse_hops, ActiveSet(1)); }, ErrorKind::internal,
                     {"not there"});
}

}  // namespace
}  // namespace plaq
