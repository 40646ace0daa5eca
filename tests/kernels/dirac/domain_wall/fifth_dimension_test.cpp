// Matrices in the fifth dimension against dense ones, and what the parameters refuse.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/support/error_of.hpp"
#include "tests/support/operators/domain_wall.hpp"

namespace plaq {
namespace {

using reference::RealDense;
using test::Batch;
using test::Wall;

RealDense dense(const FifthProgram& program) {
  const int n = static_cast<int>(program.steps.size());
  RealDense m(n);
  for (int t = 0; t < n; ++t) {
    std::vector<double> unit(static_cast<std::size_t>(n), 0);
    unit[static_cast<std::size_t>(t)] = 1;
    const auto column = program.times(unit);
    for (int s = 0; s < n; ++s) m(s, t) = column[static_cast<std::size_t>(s)];
  }
  return m;
}

// Largest difference over the largest element of what is expected.
double off(const RealDense& found, const RealDense& expected) {
  double most = 0, largest = 0;
  for (int i = 0; i < found.size(); ++i)
    for (int j = 0; j < found.size(); ++j) {
      const double d = std::abs(found(i, j) - expected(i, j));
      most = d <= most ? most : d;
      largest = std::max(largest, std::abs(expected(i, j)));
    }
  return most / largest;
}

struct Named {
  const char* name;
  FifthProgram program;
  RealDense expected;
};
std::vector<Named> matrices(const DomainWallParameters& p, int chirality) {
  const auto theirs = test::reference_of(p);
  const int sign = chirality == chiral_plus ? 1 : -1;
  const FifthMatrices of(p, chirality);
  const ShiftMatrix r = of.y.rows_times(of.inverse_root), a = of.x.rows_times(of.inverse_root);
  const ShiftMatrix r_dagger = r.transposed();
  const auto x = reference::matrix_x(theirs, sign), y = reference::matrix_y(theirs, sign);
  const auto m5 = reference::matrix_m5(theirs, sign);
  using F = FifthProgram;
  return {{"X", F::product(of.x), x},
          {"Y", F::product(of.y), y},
          {"X^T", F::product(of.x.transposed()), x.transposed()},
          {"Y^T", F::product(of.y.transposed()), y.transposed()},
          {"X^-1", F::product(nullptr, of.x, nullptr), x.inverse()},
          {"Y^-1", F::product(nullptr, of.y, nullptr), y.inverse()},
          {"M5", F::product(&r, a, nullptr), m5},
          {"M5^T", F::product(nullptr, a.transposed(), &r_dagger), m5.transposed()},
          {"S1", F::product(&r, of.x, nullptr), reference::matrix_s1(theirs, sign)},
          {"S2", F::product(nullptr, r, nullptr), reference::matrix_s2(theirs, sign)}};
}

TEST(FifthDimension, ProgramsAreTheDenseMatrices) {
  for (const Wall wall : test::all_walls)
    for (const int n : {1, 2, 3, 4, 7, 8, 12, 16, 33, 64})
      for (const double mass : {0.0, 1e-3, 0.1, 1.0, 3.0}) {
        // Growing solves of a triangular matrix: what is large is the inverse itself.
        if (wall == Wall::steep && mass == 0 && n > 8) continue;
        const auto p = test::wall_parameters(wall, n, mass);
        bool solvable = true;
        for (const int c : {chiral_plus, chiral_minus}) {
          const FifthMatrices of(p, c);
          solvable = solvable && !of.x.singular() && !of.y.singular();
        }
        if (!solvable) continue;
        for (const int c : {chiral_plus, chiral_minus})
          for (const auto& m : matrices(p, c))
            EXPECT_LT(off(dense(m.program), m.expected), 3e-13)
                << m.name << " " << test::name_of(wall) << " Ls " << n << " mass " << mass << " chirality "
                << c;
      }
}

// The kernel goes the way of the program, in every precision and for every number of sites.
TEST(FifthDimension, KernelsAreThePrograms) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  for (const Extents extents : {Extents{6, 2, 10, 4}, Extents{2, 2, 2, 2}})
    for (const Wall wall : {Wall::moebius, Wall::general, Wall::steep})
      for (const int n : {1, 2, 5, 8, 12, 16, 40}) {
        if (n > 12 && extents[0] > 2) continue;
        const int batch = 3;
        const auto p = test::wall_parameters(wall, n);
        reference::Generator generator(6);
        Batch in, add;
        for (int i = 0; i < batch; ++i) {
          in.push_back(test::random_five({extents}, n, generator));
          add.push_back(test::random_five({extents}, n, generator));
        }
        const auto plus = matrices(p, chiral_plus), minus = matrices(p, chiral_minus);
        // Images of some matrices, and 0.7 add - 0.25 image.
        const std::size_t tried[] = {1, 6, 7};
        Batch product[3], sum[3];
        for (std::size_t k = 0; k < 3; ++k)
          for (std::size_t i = 0; i < batch; ++i) {
            product[k].push_back(reference::times(plus[tried[k]].expected, minus[tried[k]].expected, in[i]));
            reference::SpinorField both(in[i].size());
            reference::add(both, 0.7, add[i]);
            reference::add(both, -0.25, product[k].back());
            sum[k].push_back(both);
          }
        for (const Location location : test::locations())
          for (const auto& [precision, tolerance] :
               {std::pair{Precision::double_precision, 1e-14}, std::pair{Precision::single_precision, 2e-6},
                std::pair{Precision::half_precision, 2e-4}}) {
            const Queue queue(location);
            const auto g = self.geometry(extents);
            const auto field = [&, precision = precision](const Batch& five) {
              return test::to_plaq(test::Columns(five, n), g,
                                   five_dimensional_spec(Subset::full, 0, n, precision, location));
            };
            const Field b = field(in), x = field(add);
            const auto old = test::fingerprints(x, self);
            for (std::size_t k = 0; k < 3; ++k) {
              SCOPED_TRACE(to_string(extents) + " " + test::name_of(wall) + " " + plus[tried[k]].name +
                           " Ls " + std::to_string(n) + " " + std::string(name_of(precision)) + " " +
                           std::string(name_of(location)));
              const FifthTable table({plus[tried[k]].program, minus[tried[k]].program}, precision, location);
              Field apart(g, b.spec()), in_place = field(in), onto = field(add), some = field(add);
              const ActiveSet all(batch);
              for (const int parity : {0, 1}) {
                apply_fifth(apart, b, table, parity, all, queue);
                apply_fifth(in_place, in_place, table, parity, all, queue);
                apply_fifth(onto, b, table, parity, all, queue, 0.7, &onto, -0.25);
                // The second right-hand side is not active.
                apply_fifth(some, b, table, parity, ActiveSet(std::vector<char>{1, 0, 1}), queue);
              }
              queue.synchronize();
              EXPECT_LT(test::deviation(apart, test::Columns(product[k], n)).most(), tolerance);
              EXPECT_LT(test::deviation(onto, test::Columns(sum[k], n)).most(), tolerance);
              const auto full = test::fingerprints(apart, self);
              EXPECT_EQ(test::fingerprints(in_place, self), full);
              EXPECT_EQ(test::fingerprints(some, self),
                        (std::vector<std::uint64_t>{full[0], old[1], full[2]}));
            }
          }
      }
}

TEST(DomainWallParameters, RefuseWhatCannotBe) {
  using P = DomainWallParameters;
  const auto refuses = [](const char* what, auto&& make) {
    test::expect_error(ErrorKind::job_file, what, make);
  };
  refuses("Ls must be at least 1", [] { P::shamir(0, 1.8, 0.1); });
  refuses("Ls must be at least 1", [] { P::shamir(-3, 1.8, 0.1); });
  refuses("at most 256", [] { P::shamir(257, 1.8, 0.1); });
  refuses("0 < m0 < 2", [] { P::shamir(8, 2.0, 0.1); });
  refuses("0 < m0 < 2", [] { P::shamir(8, 0.0, 0.1); });
  refuses("0 < m0 < 2", [] { P::shamir(8, std::nan(""), 0.1); });
  refuses("mass is not finite", [] { P::shamir(8, 1.8, std::nan("")); });
  refuses("omega of slice 1", [] { P::moebius(8, 1.8, 0.1, 0, 0.5); });
  refuses("omega of slice 2", [] { P::general({1, -1}, {0, 0}, 1.8, 0.1); });
  refuses("2 weights omega but 1 weights sigma", [] { P::general({1, 1}, {0}, 1.8, 0.1); });
  refuses("sigma of slice 2", [] { P::general({1, 1}, {0, std::nan("")}, 1.8, 0.1); });
  for (const int n : {1, 3, 7}) {
    refuses("omega + sigma L is singular", [&] { P::borici(n, 1.8, 1).check_even_odd(); });
    refuses("no even-odd form", [&] { test::wall_parameters(Wall::optimal, n, 1).check_even_odd(); });
  }
  EXPECT_NO_THROW(P::borici(4, 1.8, 1).check_even_odd());
  EXPECT_NO_THROW(P::borici(7, 1.8, 0.99).check_even_odd());
  EXPECT_NO_THROW(P::shamir(7, 1.8, 1).check_even_odd());
}

}  // namespace
}  // namespace plaq
