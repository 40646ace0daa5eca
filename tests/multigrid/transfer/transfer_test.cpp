// Restriction and prolongation against their formulas, on every process grid, in every storage, of vectors in
// four dimensions and in five.
#include "multigrid/transfer/transfer.hpp"

#include <gtest/gtest.h>

#include "tests/reference/aggregates.hpp"
#include "tests/support/convert.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/random_vectors.hpp"
#include "tests/support/same_as_alone.hpp"
#include "tests/support/vector_shape.hpp"
#include "tests/support/whole_vectors.hpp"

namespace plaq::transfer_test {
namespace {

using reference::Aggregates;

// Fields as the solvers have them and near-null vectors as transfers keep them; relative to the largest
// number, what rounding may do.
struct Storages {
  Precision vectors, fine;
  double bound;
};
constexpr Precision quarter = Precision::quarter_precision, half = Precision::half_precision,
                    single = Precision::single_precision, wide = Precision::double_precision;
constexpr Storages storages[] = {{wide, wide, 1e-13},    {single, wide, 1e-6},    {half, wide, 3e-4},
                                 {single, single, 3e-6}, {half, single, 3e-4},    {single, half, 3e-4},
                                 {half, half, 5e-4},     {quarter, single, 3e-2}, {quarter, half, 3e-2}};

struct Problem {
  std::string name;
  Extents extents, box;
  test::VectorShape shape;
  int chiralities, vectors;
  LatticeOrder coarse_order = LatticeOrder::checkerboard;  // where all coarse extents are even
};
std::ostream& operator<<(std::ostream& out, const Problem& p) { return out << p.name; }

class Transfers : public testing::TestWithParam<Problem> {
 protected:
  const Problem& p_ = GetParam();
  const reference::Lattice lattice_{p_.extents};
  const std::size_t size_ = static_cast<std::size_t>(lattice_.volume() * p_.shape.components() * p_.shape.Ls);
  const test::Vectors near_null_ = test::random_vectors(p_.vectors, size_, 71),
                      fine_ = test::random_vectors(3, size_, 72);
  const Aggregates exact_{lattice_, p_.box, p_.shape.components(), p_.chiralities, near_null_, p_.shape.Ls};
  const test::Vectors coarse_ = test::random_vectors(
      3, static_cast<std::size_t>(exact_.coarse().volume() * exact_.coarse_components()), 73);

  bool fits(const Geometry& geometry) const {
    for (std::size_t mu = 0; mu < 4; ++mu)
      if (geometry.local()[mu] % p_.box[mu] != 0) return false;
    return true;
  }
  Transfer make(const ProcessGrid& grid, const GeometryPtr& geometry, Location where, Precision storage,
                Precision made_in) const {
    const Field vectors =
        test::to_plaq(columns(near_null_), geometry, p_.shape.spec(Subset::full, 0, made_in, where));
    return Transfer(grid, aggregation(geometry), vectors, storage, Queue(where));
  }
  Aggregation aggregation(const GeometryPtr& geometry) const {
    if (p_.coarse_order == LatticeOrder::lexicographic)
      return Aggregation(geometry, p_.box, p_.shape.components(), p_.chiralities, p_.shape.Ls,
                         p_.coarse_order);
    return Aggregation(geometry, p_.box, p_.shape.components(), p_.chiralities, p_.shape.Ls);
  }
  test::Columns columns(const test::Vectors& fine) const { return {fine, p_.shape.Ls}; }
  Field fine(const GeometryPtr& geometry, Location where, Precision precision,
             Subset subset = Subset::full) const {
    return test::to_plaq(columns(fine_), geometry, p_.shape.spec(subset, 0, precision, where));
  }
  // On every grid that the boxes fit on.
  void everywhere(const std::function<void(const ProcessGrid&, const GeometryPtr&, Location)>& check) const {
    test::for_all_geometries(p_.extents,
                             [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location where) {
                               if (fits(*geometry)) check(grid, geometry, where);
                             });
  }
};

TEST_P(Transfers, RestrictAsTheFormula) {
  test::Vectors expected;
  for (const auto& v : fine_) expected.push_back(exact_.restrict(v));
  everywhere([&](const ProcessGrid& grid, const GeometryPtr& geometry, Location where) {
    for (const Storages& s : storages) {
      const Transfer t = make(grid, geometry, where, s.vectors, s.fine == wide ? wide : single);
      EXPECT_EQ(t.orthonormality().dropped, 0);
      Field coarse(t.aggregation().coarse_ptr(), t.coarse_spec(3, s.fine));
      t.restrict(coarse, fine(geometry, where, s.fine), ActiveSet(3));
      EXPECT_LT(test::deviation(coarse, test::Columns(expected)).most(), s.bound)
          << name_of(s.vectors) << ' ' << name_of(s.fine);
    }
  });
}

TEST_P(Transfers, ProlongAsTheFormula) {
  test::Vectors expected, sum = fine_;
  for (const auto& v : coarse_) expected.push_back(exact_.prolong(v));
  for (std::size_t i = 0; i < sum.size(); ++i)
    for (std::size_t k = 0; k < sum[i].size(); ++k) sum[i][k] += expected[i][k];
  everywhere([&](const ProcessGrid& grid, const GeometryPtr& geometry, Location where) {
    for (const Storages& s : storages) {
      const Transfer t = make(grid, geometry, where, s.vectors, s.fine == wide ? wide : single);
      const Field coarse =
          test::to_plaq(test::Columns(coarse_), t.aggregation().coarse_ptr(), t.coarse_spec(0, s.fine));
      Field found = fine(geometry, where, s.fine);
      t.add_prolonged(found, coarse, ActiveSet(3));
      EXPECT_LT(test::deviation(found, columns(sum)).most(), s.bound)
          << name_of(s.vectors) << ' ' << name_of(s.fine);
      t.prolong(found, coarse, ActiveSet(3));
      EXPECT_LT(test::deviation(found, columns(expected)).most(), s.bound)
          << name_of(s.vectors) << ' ' << name_of(s.fine);
    }
  });
}

// For a vector on one parity the other one counts as 0, and stays away from what is prolonged.
TEST_P(Transfers, TakeOneParityAlone) {
  if (!test::splits_over_the_ranks(p_.extents)) GTEST_SKIP() << "no process grid";
  for (int parity = 0; parity < 2; ++parity) {
    test::Vectors cut = fine_, expected;
    for (auto& v : cut) {
      for (std::size_t i = 0; i < v.size(); ++i)
        if (lattice_.parity(static_cast<int>(i) / p_.shape.components() % lattice_.volume()) != parity)
          v[i] = 0;
      expected.push_back(exact_.restrict(v));
    }
    test::Vectors back;
    for (const auto& v : coarse_) back.push_back(exact_.prolong(v));
    everywhere([&](const ProcessGrid& grid, const GeometryPtr& geometry, Location where) {
      const Transfer t = make(grid, geometry, where, wide, wide);
      Field coarse(t.aggregation().coarse_ptr(), t.coarse_spec(3, wide));
      t.restrict(coarse, fine(geometry, where, wide, subset_of(parity)), ActiveSet(3));
      EXPECT_LT(test::deviation(coarse, test::Columns(expected)).most(), 1e-13);
      Field some(geometry, p_.shape.spec(subset_of(parity), 3, wide, where));
      t.prolong(some,
                test::to_plaq(test::Columns(coarse_), t.aggregation().coarse_ptr(), t.coarse_spec(0, wide)),
                ActiveSet(3));
      EXPECT_LT(test::deviation(some, columns(back)).most(), 1e-13);
    });
  }
}

// P^dagger P = 1, in the storage that vectors are kept in.
TEST_P(Transfers, HaveOrthonormalColumns) {
  everywhere([&](const ProcessGrid& grid, const GeometryPtr& geometry, Location where) {
    for (const auto& [storage, bound] : {std::pair{wide, 1e-13}, {single, 1e-6}, {half, 3e-4}}) {
      const Transfer t = make(grid, geometry, where, storage, wide);
      const Field e =
          test::to_plaq(test::Columns(coarse_), t.aggregation().coarse_ptr(), t.coarse_spec(0, wide));
      Field there(geometry, p_.shape.spec(Subset::full, 3, wide, where)), back(e.geometry_ptr(), e.spec());
      t.prolong(there, e, ActiveSet(3));
      t.restrict(back, there, ActiveSet(3));
      EXPECT_LT(test::deviation(back, test::Columns(coarse_)).most(), bound) << name_of(storage);
    }
  });
}

// Equal bits on every grid; a right-hand side alone has those that it has in a batch; masked ones stay.
TEST_P(Transfers, HaveTheSameBits) {
  const auto result = [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location where) {
    const Transfer t = make(grid, geometry, where, half, single);
    Field coarse =
        test::to_plaq(test::Columns(coarse_), t.aggregation().coarse_ptr(), t.coarse_spec(0, single));
    Field f = fine(geometry, where, single);
    const auto coarse_before = test::to_vectors(coarse), before = test::to_vectors(f);
    t.restrict(coarse, f, ActiveSet(std::vector<char>{1, 0, 1}));
    EXPECT_EQ(test::to_vectors(coarse)[1], coarse_before[1]);
    Field one(t.aggregation().coarse_ptr(), t.coarse_spec(1, single)),
        alone(geometry, p_.shape.spec(Subset::full, 1, single, where));
    copy_right_hand_side(alone, 0, f, 2);
    t.restrict(one, alone, ActiveSet(1));
    Field last(one.geometry_ptr(), one.spec());
    copy_subfield(last, 0, coarse, 2);
    EXPECT_EQ(test::to_vectors(one), test::to_vectors(last));
    t.add_prolonged(f, coarse, ActiveSet(std::vector<char>{0, 1, 1}));
    auto found = test::to_vectors(f);
    EXPECT_EQ(found[0], before[0]);
    for (const auto& v : test::to_vectors(coarse)) found.push_back(v);
    t.restrict_hop(coarse, f, {-1, 0, 0, 1}, {0, 0, 0, 1}, ActiveSet(std::vector<char>{0, 1, 1}));
    for (const auto& v : test::to_vectors(coarse)) found.push_back(v);
    return test::on_all_ranks(std::move(found), grid);
  };
  const auto same = test::same_as_alone(p_.extents, result);
  everywhere(same);
}

// Hops of one step and of two in a direction, and of one in each of two, that fit into a box, with all
// choices of directions in which they lead to the next box. These choices share the sites.
TEST_P(Transfers, RestrictHopsAsTheFormula) {
  const auto fits_box = [&](const Offset& hop) {
    bool fits = true;
    for (std::size_t mu = 0; mu < 4; ++mu) fits = fits && std::abs(hop[mu]) <= p_.box[mu];
    return fits;
  };
  struct Hop {
    Offset hop, across;
    test::Vectors expected;
  };
  std::vector<std::vector<Hop>> hops;
  for (const Offset& hop :
       {Offset{}, {1, 0, 0, 0}, {0, 0, -1, 0}, {-2, 0, 0, 0}, {0, 0, 0, 2}, {0, 1, 0, -1}, {-1, 0, 1, 0}}) {
    if (!fits_box(hop)) continue;
    hops.push_back({{hop, {}, {}}});
    for (std::size_t mu = 0; mu < 4; ++mu)
      for (std::size_t i = hops.back().size(); i > 0 && hop[mu] != 0; --i) {
        hops.back().push_back(hops.back()[i - 1]);
        hops.back().back().across[mu] = hop[mu] > 0 ? 1 : -1;
      }
    for (Hop& h : hops.back())
      for (const auto& v : fine_) h.expected.push_back(exact_.restrict_hop(v, h.hop, h.across));
  }
  test::Vectors whole;
  for (const auto& v : fine_) whole.push_back(exact_.restrict(v));
  everywhere([&](const ProcessGrid& grid, const GeometryPtr& geometry, Location where) {
    for (const Storages& s : {Storages{wide, wide, 1e-12}, {single, single, 1e-5}, {half, single, 1e-3}}) {
      const Transfer t = make(grid, geometry, where, s.vectors, s.fine);
      const Field f = fine(geometry, where, s.fine);
      Field coarse(t.aggregation().coarse_ptr(), t.coarse_spec(3, s.fine));
      for (const auto& of_hop : hops) {
        test::Vectors sum(whole.size(), test::Vector(whole[0].size()));
        for (const auto& [hop, across, expected] : of_hop) {
          t.restrict_hop(coarse, f, hop, across, ActiveSet(3));
          EXPECT_LT(test::max_difference(coarse, test::Columns(expected)), s.bound)
              << to_string(hop) << " across " << to_string(across);
          const auto found = test::to_vectors(coarse);
          for (std::size_t i = 0; i < sum.size(); ++i)
            for (std::size_t k = 0; k < sum[i].size(); ++k) sum[i][k] += found[i][k];
        }
        t.restrict(coarse, f, ActiveSet(3));
        EXPECT_LT(test::max_difference(coarse, test::Columns(sum)), s.bound) << to_string(of_hop[0].hop);
        EXPECT_LT(test::max_difference(coarse, test::Columns(whole)), s.bound);
      }
    }
  });
}

const Problem problems[] = {
    {"Spinors", {4, 4, 4, 8}, {2, 2, 2, 4}, {4, 1, 3}, 2, 5},
    {"BoxesOfOne", {4, 2, 2, 4}, {1, 1, 1, 1}, {4, 1, 3}, 2, 3},
    {"OddBoxes", {6, 6, 2, 6}, {3, 3, 1, 3}, {4, 1, 3}, 2, 8},
    {"OneBox", {4, 2, 2, 2}, {4, 2, 2, 2}, {4, 1, 3}, 2, 24},
    {"CoarseVectors", {4, 4, 2, 4}, {2, 1, 2, 2}, {2, 1, 7}, 2, 8},
    {"OneChirality", {4, 4, 4, 4}, {2, 2, 2, 2}, {1, 1, 3}, 1, 16},
    {"FourSlices", {4, 4, 4, 8}, {2, 2, 2, 4}, {4, 4, 3}, 1, 6, LatticeOrder::lexicographic},
    {"ThreeSlices", {4, 4, 2, 4}, {2, 1, 2, 2}, {4, 3, 3}, 1, 5},
    {"SlicesInOddBoxes", {6, 6, 2, 6}, {3, 3, 1, 3}, {4, 3, 3}, 1, 7, LatticeOrder::lexicographic},
    {"SlicesInOneBox", {4, 2, 2, 2}, {4, 2, 2, 2}, {4, 5, 3}, 1, 20},
    {"SlicesOfTwoChiralities", {4, 2, 4, 4}, {2, 2, 2, 2}, {4, 3, 3}, 2, 4},
};
INSTANTIATE_TEST_SUITE_P(Of, Transfers, testing::ValuesIn(problems),
                         [](const auto& info) { return info.param.name; });

// Columns that depend on others are dropped and told of; the others stay orthonormal.
TEST(Transfer, DropsWhatIsDependent) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto geometry = self.geometry({4, 4, 4, 4});
  const test::VectorShape shape;
  auto vectors = test::random_vectors(4, static_cast<std::size_t>(256 * shape.components()), 74);
  for (std::size_t i = 0; i < vectors[2].size(); ++i) vectors[2][i] = vectors[0][i] - 0.5 * vectors[1][i];
  for (const Location where : test::locations()) {
    const Field v = test::to_plaq(test::Columns(vectors), geometry, shape.spec(Subset::full, 0, wide, where));
    const Transfer t(self, Aggregation(geometry, {2, 2, 2, 2}, 12), v, wide, Queue(where));
    EXPECT_EQ(t.orthonormality().dropped, 16 * 2);
    EXPECT_LT(t.orthonormality().least_pivot, 1e-7);
    test::Vectors ones(1, test::Vector(16 * 8, 1.0)), expected = ones;
    for (std::size_t i = 0; i < expected[0].size(); ++i)
      if (i % 4 == 2) expected[0][i] = 0;
    const Field e = test::to_plaq(test::Columns(ones), t.aggregation().coarse_ptr(), t.coarse_spec(0, wide));
    Field there(geometry, shape.spec(Subset::full, 1, wide, where)), back(e.geometry_ptr(), e.spec());
    t.prolong(there, e, ActiveSet(1));
    t.restrict(back, there, ActiveSet(1));
    EXPECT_LT(test::deviation(back, test::Columns(expected)).most(), 1e-12);
  }
}

TEST(Transfer, RefusesWhatCannotBe) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto geometry = self.geometry({4, 4, 4, 4});
  test::expect_error([&] { Aggregation(geometry, {3, 2, 2, 2}, 12); }, ErrorKind::job_file, {"do not tile"});
  const Field v(geometry, spinor_spec(Subset::full, 7, wide, Location::host));
  test::expect_error(
      [&] {
        Transfer(self, Aggregation(geometry, {1, 1, 1, 1}, 12), v, wide, Queue(Location::host));
      },
      ErrorKind::job_file, {"7 near-null vectors, but an aggregate of 1x1x1x1 sites has 6"});
  // All slices of a site count, and have to be there.
  const auto slices = [&](int vectors, int of_aggregates) {
    const Field five(geometry, five_dimensional_spec(Subset::full, vectors, 3, wide, Location::host));
    return Transfer(self, Aggregation(geometry, {1, 1, 1, 1}, 12, 1, of_aggregates), five, wide,
                    Queue(Location::host));
  };
  EXPECT_EQ(slices(1, 3).aggregation().most_vectors(), 36);
  test::expect_error([&] { slices(37, 3); }, ErrorKind::job_file, {"37 near-null vectors", "has 36"});
  test::expect_error([&] { slices(2, 4); }, ErrorKind::internal, {"another fifth dimension"});
  const Transfer t(self, Aggregation(geometry, {2, 1, 2, 4}, 12), v, wide, Queue(Location::host));
  const Field fine(geometry, spinor_spec(Subset::full, 1, wide, Location::host));
  Field coarse(t.aggregation().coarse_ptr(), t.coarse_spec(1, wide));
  for (const Offset& hop : {Offset{0, 2, 0, 0}, {3, 0, 0, 0}, {0, 0, -3, 0}, {1, -2, 0, 0}})
    test::expect_error([&] { t.restrict_hop(coarse, fine, hop, {}, ActiveSet(1)); }, ErrorKind::internal,
                       {"longer than a block"});
}

}  // namespace
}  // namespace plaq::transfer_test
