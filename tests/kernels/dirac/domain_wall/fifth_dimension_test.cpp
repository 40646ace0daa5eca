// Matrices in the fifth dimension against dense ones, and what the parameters refuse.
#include <algorithm>

#include "tests/kernels/dirac/domain_wall/domain_wall_support.hpp"

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
                << m.name << " " << test::name_of(wall) << " N_s " << n << " mass " << mass << " chirality "
                << c;
      }
}

// That the kernel goes the way of the program, in every precision and for every number of sites.
TEST(FifthDimension, KernelsAreThePrograms) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  for (const Extents extents : {Extents{6, 2, 10, 4}, Extents{2, 2, 2, 2}})
    for (const Wall wall : {Wall::moebius, Wall::general, Wall::steep})
      for (const int n : {1, 2, 5, 8, 12, 16, 40}) {
        if (n > 12 && extents[0] > 2) continue;
        const int batch = 3;
        const auto p = test::wall_parameters(wall, n);
        const auto theirs = test::reference_of(p);
        reference::Generator generator(6);
        Batch in, add;
        for (int i = 0; i < batch; ++i) {
          in.push_back(test::random_five({extents}, n, generator));
          add.push_back(test::random_five({extents}, n, generator));
        }
        const auto plus = matrices(p, chiral_plus), minus = matrices(p, chiral_minus);
        for (std::size_t k : {std::size_t{1}, std::size_t{6}, std::size_t{7}}) {
          Batch product, sum;
          for (int i = 0; i < batch; ++i) {
            const auto image =
                reference::times(plus[k].expected, minus[k].expected, in[static_cast<std::size_t>(i)]);
            product.push_back(image);
            reference::SpinorField both(image.size());
            reference::add(both, 0.7, add[static_cast<std::size_t>(i)]);
            reference::add(both, -0.25, image);
            sum.push_back(both);
          }
          for (const Location location : test::locations())
            for (const Precision precision :
                 {Precision::double_precision, Precision::single_precision, Precision::half_precision}) {
              SCOPED_TRACE(to_string(extents) + " " + test::name_of(wall) + " " + plus[k].name + " N_s " +
                           std::to_string(n) + " " + std::string(name_of(precision)) + " " +
                           std::string(name_of(location)));
              const double tolerance = precision == Precision::double_precision   ? 1e-14
                                       : precision == Precision::single_precision ? 2e-6
                                                                                  : 2e-4;
              const Queue queue(location);
              const auto g = self.geometry(extents);
              const FifthTable table({plus[k].program, minus[k].program}, precision, location);
              const auto field = [&](const Batch& five) {
                return test::to_plaq(test::subfields_of(theirs, five), g, Subset::full, precision, location);
              };
              const Field b = field(in), x = field(add);
              Field apart(g, b.spec()), in_place = field(in), onto = field(add);
              const ActiveSet all(batch);
              for (const int parity : {0, 1}) {
                apply_fifth(apart, b, table, parity, all, queue);
                apply_fifth(in_place, in_place, table, parity, all, queue);
                apply_fifth(onto, b, table, parity, all, queue, 0.7, &onto, -0.25);
              }
              queue.synchronize();
              EXPECT_LT(test::deviation(apart, test::subfields_of(theirs, product)).most, tolerance);
              EXPECT_LT(test::deviation(onto, test::subfields_of(theirs, sum)).most, tolerance);
              EXPECT_EQ(test::fingerprint(in_place, self), test::fingerprint(apart, self));
              // The second right-hand side is not active.
              Field some = field(add);
              for (const int parity : {0, 1})
                apply_fifth(some, b, table, parity, ActiveSet(std::vector<char>{1, 0, 1}), queue);
              queue.synchronize();
              const auto found = test::wall_fingerprints(some, n, self);
              const auto full = test::wall_fingerprints(apart, n, self),
                         old = test::wall_fingerprints(x, n, self);
              EXPECT_EQ(found, (std::vector<std::uint64_t>{full[0], old[1], full[2]}));
            }
        }
      }
}

template <class F>
std::string refusal(F&& f) {
  try {
    f();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::job_file);
    return e.what();
  }
  return "";
}

TEST(DomainWallParameters, RefuseWhatCannotBe) {
  using P = DomainWallParameters;
  const auto says = [](const std::string& text, const char* what) {
    EXPECT_NE(text.find(what), std::string::npos) << text;
  };
  says(refusal([] { P::shamir(0, 1.8, 0.1); }), "N_s must be at least 1");
  says(refusal([] { P::shamir(-3, 1.8, 0.1); }), "N_s must be at least 1");
  says(refusal([] { P::shamir(257, 1.8, 0.1); }), "at most 256");
  says(refusal([] { P::shamir(8, 2.0, 0.1); }), "0 < m0 < 2");
  says(refusal([] { P::shamir(8, 0.0, 0.1); }), "0 < m0 < 2");
  says(refusal([] { P::shamir(8, std::nan(""), 0.1); }), "0 < m0 < 2");
  says(refusal([] { P::shamir(8, 1.8, std::nan("")); }), "mass is not finite");
  says(refusal([] { P::moebius(8, 1.8, 0.1, 0, 0.5); }), "omega of slice 1");
  says(refusal([] { P::general({1, -1}, {0, 0}, 1.8, 0.1); }), "omega of slice 2");
  says(refusal([] { P::general({1, 1}, {0}, 1.8, 0.1); }), "2 weights omega but 1 weights sigma");
  says(refusal([] { P::general({1, 1}, {0, std::nan("")}, 1.8, 0.1); }), "sigma of slice 2");
  for (const int n : {1, 3, 7}) {
    says(refusal([&] { P::borici(n, 1.8, 1).check_even_odd(); }), "omega + sigma L is singular");
    says(refusal([&] { test::wall_parameters(Wall::optimal, n, 1).check_even_odd(); }), "no even-odd form");
  }
  EXPECT_NO_THROW(P::borici(4, 1.8, 1).check_even_odd());
  EXPECT_NO_THROW(P::borici(7, 1.8, 0.99).check_even_odd());
  EXPECT_NO_THROW(P::shamir(7, 1.8, 1).check_even_odd());
}

}  // namespace
}  // namespace plaq
