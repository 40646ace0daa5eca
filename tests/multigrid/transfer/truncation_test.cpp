// Near-null vectors cut to the leading singular vectors of each aggregate, against singular value
// decompositions of the whole lattice by Eigen.
#include <gtest/gtest.h>

#include <Eigen/SVD>

#include "multigrid/transfer/block_truncation.hpp"
#include "multigrid/transfer/transfer.hpp"
#include "tests/support/convert.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/random_vectors.hpp"
#include "tests/support/same_as_alone.hpp"
#include "tests/support/vector_shape.hpp"
#include "tests/support/whole_vectors.hpp"

namespace plaq::truncation_test {
namespace {

constexpr Precision half = Precision::half_precision, single = Precision::single_precision,
                    wide = Precision::double_precision;

struct Problem {
  std::string name;
  Extents extents, box;
  test::VectorShape shape;
  int chiralities, vectors, kept;
};
std::ostream& operator<<(std::ostream& out, const Problem& p) { return out << p.name; }

// Left singular vectors of all aggregates.
class SingularVectors {
 public:
  SingularVectors(const Problem& p, const test::Vectors& v) : p_(p), lattice_{p.extents} {
    for (std::size_t mu = 0; mu < 4; ++mu) coarse_.extents[mu] = p.extents[mu] / p.box[mu];
    for (int box = 0; box < coarse_.volume(); ++box)
      for (int chirality = 0; chirality < p.chiralities; ++chirality) {
        const auto rows = rows_of(box, chirality);
        Eigen::MatrixXcd m(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(v.size()));
        for (std::size_t k = 0; k < v.size(); ++k) m.col(static_cast<Eigen::Index>(k)) = part(v[k], rows);
        const Eigen::JacobiSVD<Eigen::MatrixXcd> svd(m, Eigen::ComputeThinU);
        u_.push_back(svd.matrixU().leftCols(p.kept));
      }
  }
  const reference::Lattice& coarse() const { return coarse_; }
  // U^dagger f; and U U^dagger f.
  test::Vector components(const test::Vector& f) const {
    test::Vector all;
    for (int part_of = 0; part_of < static_cast<int>(u_.size()); ++part_of)
      for (const auto& z : components_of(part_of, f)) all.push_back(z);
    return all;
  }
  test::Vector projected(const test::Vector& f) const {
    test::Vector result(f.size());
    for (int part_of = 0; part_of < static_cast<int>(u_.size()); ++part_of) {
      const auto rows = rows_of(part_of / p_.chiralities, part_of % p_.chiralities);
      const Eigen::VectorXcd here = u(part_of) * components_of(part_of, f);
      for (std::size_t i = 0; i < rows.size(); ++i) result[rows[i]] = here[static_cast<Eigen::Index>(i)];
    }
    return result;
  }

 private:
  const Eigen::MatrixXcd& u(int part_of) const { return u_[static_cast<std::size_t>(part_of)]; }
  Eigen::VectorXcd components_of(int part_of, const test::Vector& f) const {
    return u(part_of).adjoint() * part(f, rows_of(part_of / p_.chiralities, part_of % p_.chiralities));
  }
  std::vector<std::size_t> rows_of(int box, int chirality) const {
    const int components = p_.shape.components(), some = components / p_.chiralities;
    std::vector<std::size_t> rows;
    for (int site = 0; site < lattice_.volume(); ++site) {
      auto x = lattice_.coordinates(site);
      for (std::size_t mu = 0; mu < 4; ++mu) x[mu] /= p_.box[mu];
      if (coarse_.index(x) != box) continue;
      for (int c = 0; c < some; ++c)
        rows.push_back(static_cast<std::size_t>(site * components + chirality * some + c));
    }
    return rows;
  }
  static Eigen::VectorXcd part(const test::Vector& v, const std::vector<std::size_t>& rows) {
    Eigen::VectorXcd some(static_cast<Eigen::Index>(rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i) some[static_cast<Eigen::Index>(i)] = v[rows[i]];
    return some;
  }

  const Problem& p_;
  reference::Lattice lattice_, coarse_;
  std::vector<Eigen::MatrixXcd> u_;
};

class Truncations : public testing::TestWithParam<Problem> {
 protected:
  const Problem& p_ = GetParam();
  const std::size_t size_ =
      static_cast<std::size_t>(reference::Lattice{p_.extents}.volume() * p_.shape.components());
  const test::Vectors near_null_ = test::random_vectors(p_.vectors, size_, 111),
                      f_ = test::random_vectors(2, size_, 112);

  Transfer make(const ProcessGrid& grid, const GeometryPtr& geometry, Location where, Precision storage,
                Precision made_in, int kept) const {
    return Transfer(grid, Aggregation(geometry, p_.box, p_.shape.components(), p_.chiralities),
                    field(near_null_, geometry, made_in, where), storage, Queue(where), kept);
  }
  Field field(const test::Vectors& v, const GeometryPtr& geometry, Precision precision,
              Location where) const {
    return test::to_plaq(test::Columns(v), geometry, p_.shape.spec(Subset::full, 0, precision, where));
  }
  // On every grid that the boxes fit on.
  void everywhere(const std::function<void(const ProcessGrid&, const GeometryPtr&, Location)>& check) const {
    test::for_all_geometries(p_.extents,
                             [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location where) {
                               bool fits = true;
                               for (std::size_t mu = 0; mu < 4; ++mu)
                                 fits = fits && geometry->local()[mu] % p_.box[mu] == 0;
                               if (fits) check(grid, geometry, where);
                             });
  }
};

// What P R keeps of a vector is its part in their space; its coarse components
// are in their order, but for phases.
TEST_P(Truncations, KeepLeadingSingularVectors) {
  const SingularVectors exact(p_, near_null_);
  test::Vectors projected, sizes;
  for (const auto& f : f_) {
    projected.push_back(exact.projected(f));
    sizes.push_back(exact.components(f));
    for (auto& z : sizes.back()) z = std::abs(z);
  }
  everywhere([&](const ProcessGrid& grid, const GeometryPtr& geometry, Location where) {
    for (const auto& [storage, made_in, bound] :
         {std::tuple{wide, wide, 1e-10}, {half, wide, 1e-3}, {single, single, 1e-3}}) {
      const Transfer t = make(grid, geometry, where, storage, made_in, p_.kept);
      EXPECT_EQ(t.vectors(), p_.kept);
      EXPECT_EQ(t.orthonormality().dropped, 0);
      EXPECT_GT(t.orthonormality().least_pivot, made_in == wide ? 1 - 1e-10 : 1 - 1e-4);
      Field f = field(f_, geometry, made_in, where);
      Field coarse(t.aggregation().coarse_ptr(), t.coarse_spec(2, made_in));
      t.restrict(coarse, f, ActiveSet(2));
      t.prolong(f, coarse, ActiveSet(2));
      EXPECT_LT(test::deviation(f, test::Columns(projected)).most(), bound) << name_of(storage);
      Field found = test::in_double(coarse);
      for (int rhs = 0; rhs < 2; ++rhs)
        test::for_stored_sites(found.geometry(), [&](int parity, int site, int) {
          for (int c = 0; c < found.reals_per_site() / 2; ++c) {
            const double size = std::hypot(get_real(found, rhs, parity, site, 2 * c),
                                           get_real(found, rhs, parity, site, 2 * c + 1));
            set_real(found, rhs, parity, site, 2 * c, size);
            set_real(found, rhs, parity, site, 2 * c + 1, 0);
          }
        });
      EXPECT_LT(test::deviation(found, test::Columns(sizes)).most(), bound) << name_of(storage);
    }
  });
}

TEST_P(Truncations, HaveTheSameBitsOnEveryGrid) {
  everywhere(test::same_as_alone(p_.extents,
                                 [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location where) {
                                   const Transfer t = make(grid, geometry, where, half, single, p_.kept);
                                   Field coarse(t.aggregation().coarse_ptr(), t.coarse_spec(2, single));
                                   t.restrict(coarse, field(f_, geometry, single, where), ActiveSet(2));
                                   return test::on_all_ranks(test::to_vectors(coarse), grid);
                                 }));
}

// No more vectors than are kept: nothing is cut.
TEST_P(Truncations, LeaveAloneWhatIsNotTooMuch) {
  const int sites = p_.box[0] * p_.box[1] * p_.box[2] * p_.box[3];
  if (p_.vectors > sites * p_.shape.components() / p_.chiralities) GTEST_SKIP() << "all are too much";
  everywhere([&](const ProcessGrid& grid, const GeometryPtr& geometry, Location where) {
    const auto kept = [&](int most) {
      return test::to_vectors(make(grid, geometry, where, wide, wide, most).kept());
    };
    EXPECT_EQ(kept(p_.vectors), kept(0));
    EXPECT_EQ(kept(p_.vectors + 1), kept(0));
  });
}

const Problem problems[] = {
    {"Spinors", {4, 4, 4, 8}, {2, 2, 2, 4}, {4, 1, 3}, 2, 9, 4},
    {"OddBoxes", {6, 6, 2, 6}, {3, 3, 1, 3}, {4, 1, 3}, 2, 8, 3},
    {"MoreThanRows", {4, 2, 2, 4}, {1, 1, 1, 1}, {4, 1, 3}, 2, 9, 5},
    {"CoarseVectors", {4, 4, 2, 4}, {2, 1, 2, 2}, {2, 1, 7}, 2, 12, 6},
    {"OneChirality", {4, 4, 4, 4}, {2, 2, 2, 2}, {1, 1, 3}, 1, 16, 1},
    {"OneLargeBox", {4, 4, 4, 4}, {4, 4, 4, 4}, {4, 1, 3}, 2, most_truncated, 24},
};
INSTANTIATE_TEST_SUITE_P(Of, Truncations, testing::ValuesIn(problems),
                         [](const auto& info) { return info.param.name; });

class Truncation : public testing::Test {
 protected:
  const ProcessGrid self_{MPI_COMM_SELF, {1, 1, 1, 1}};
  const GeometryPtr geometry_ = self_.geometry({4, 4, 4, 4});
  const test::VectorShape shape_;

  test::Vectors random(int count) const {
    return test::random_vectors(count, static_cast<std::size_t>(256 * shape_.components()), 113);
  }
  Transfer make(const test::Vectors& v, const Extents& box, int most, Location where = Location::host) const {
    return Transfer(self_, Aggregation(geometry_, box, 12),
                    test::to_plaq(test::Columns(v), geometry_, shape_.spec(Subset::full, 0, wide, where)),
                    wide, Queue(where), most);
  }
  // The first columns of boxes of 2^4; the others are 0.
  void expect_orthonormal(const Transfer& t, std::size_t columns, Location where) const {
    const auto all = static_cast<std::size_t>(t.vectors());
    const test::Vectors ones(1, test::Vector(16 * 2 * all, 1.0));
    test::Vectors expected = ones;
    for (std::size_t i = 0; i < expected[0].size(); ++i)
      if (i % all >= columns) expected[0][i] = 0;
    const Field e = test::to_plaq(test::Columns(ones), t.aggregation().coarse_ptr(), t.coarse_spec(0, wide));
    Field there(geometry_, shape_.spec(Subset::full, 1, wide, where)), back(e.geometry_ptr(), e.spec());
    t.prolong(there, e, ActiveSet(1));
    t.restrict(back, there, ActiveSet(1));
    EXPECT_LT(test::deviation(back, test::Columns(expected)).most(), 1e-12);
  }
};

// Where there are fewer singular vectors than are wanted, the others are 0 and counted.
TEST_F(Truncation, TellsOfWhatIsNotThere) {
  test::Vectors v = random(7);
  for (std::size_t i = 0; i < v[0].size(); ++i)
    for (std::size_t k = 3; k < 7; ++k) v[k][i] = v[k - 3][i] - 0.25 * static_cast<double>(k) * v[k - 2][i];
  for (const Location where : test::locations()) {
    const Transfer t = make(v, {2, 2, 2, 2}, 5, where);
    EXPECT_EQ(t.orthonormality().dropped, 2 * 16 * 2);
    expect_orthonormal(t, 3, where);
  }
}

// Equal singular values, and vectors that are 0: some orthonormal vectors, as many as there are.
TEST_F(Truncation, BearsVectorsWithoutOrder) {
  test::Vectors v(6, test::Vector(static_cast<std::size_t>(256 * shape_.components())));
  EXPECT_EQ(make(v, {2, 2, 2, 2}, 4).orthonormality().dropped, 4 * 16 * 2);
  for (std::size_t i = 0; i < v[0].size(); ++i) v[i % 3][i] = 1;
  const Transfer t = make(v, {2, 2, 2, 2}, 4);
  EXPECT_EQ(t.orthonormality().dropped, 16 * 2);
  expect_orthonormal(t, 3, Location::host);
}

TEST_F(Truncation, RefusesWhatCannotBe) {
  test::expect_error(
      [&] {
        make(random(most_truncated + 1), {4, 4, 4, 4}, 24);
      },
      ErrorKind::job_file, {"65 near-null vectors to be cut to 24, but at most 64 can be"});
  test::expect_error(
      [&] {
        make(random(9), {1, 1, 1, 1}, 8);
      },
      ErrorKind::job_file, {"8 near-null vectors, but an aggregate of 1x1x1x1 sites has 6"});
}

}  // namespace
}  // namespace plaq::truncation_test
