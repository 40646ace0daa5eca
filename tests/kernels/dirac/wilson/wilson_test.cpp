// The Wilson operators against the slow reference, on every process grid and location.
#include "kernels/dirac/wilson/wilson_schur.hpp"

#include <gtest/gtest.h>

#include "tests/reference/wilson.hpp"
#include "tests/support/convert.hpp"
#include "tests/support/world.hpp"

namespace plaq {
namespace {

using test::world_size;

using test::fingerprint;
using test::max_difference;
using test::to_plaq;

struct Problem {
  reference::GaugeField gauge;
  std::vector<reference::SpinorField> in;
  WilsonParameters ours;
  reference::WilsonParameters theirs;
};

Problem make_problem(const Extents& extents, int batch) {
  reference::Generator generator(7);
  const reference::Lattice lattice{extents};
  Problem s{reference::random_gauge(lattice, generator), {}, {}, {}};
  for (int i = 0; i < batch; ++i) s.in.push_back(reference::random_spinor(lattice, generator));
  s.theirs.mass = s.ours.mass = 0.13;
  s.theirs.xi = s.ours.xi = 2.464;
  s.theirs.nu = s.ours.nu = 0.95;
  s.theirs.boundary = s.ours.boundary = {-1, 1, -1, -1};
  return s;
}

// All process grids of this number of ranks; on one rank also every direction forced to exchange with itself.
struct Case {
  Extents ranks;
  std::uint32_t forced;
};
std::vector<Case> cases(const Extents& extents) {
  std::vector<Case> all;
  for (const auto& ranks : allowed_grids(world_size(), extents)) all.push_back({ranks, 0});
  if (world_size() == 1)
    for (const std::uint32_t forced : {1u, 2u, 4u, 8u, 15u}) all.push_back({{1, 1, 1, 1}, forced});
  return all;
}

template <class Test>
void for_all_cases(const Extents& extents, Test&& test) {
  for (const auto& c : cases(extents)) {
    const ProcessGrid grid(MPI_COMM_WORLD, c.ranks);
    const auto geometry = grid.geometry(extents, c.forced);
    for (const Location location : test::locations()) {
      SCOPED_TRACE(to_string(extents) + " on " + to_string(c.ranks) + " forced " + std::to_string(c.forced) +
                   " " + std::string(name_of(location)));
      test(grid, geometry, location);
    }
  }
}

class Wilson : public testing::TestWithParam<Extents> {};

TEST_P(Wilson, FullOperatorAndDaggerMatchTheReference) {
  for (const int batch : {1, 4}) {
    const Problem s = make_problem(GetParam(), batch);
    std::vector<reference::SpinorField> expected, expected_dagger;
    for (const auto& psi : s.in) {
      expected.push_back(reference::wilson(s.theirs, s.gauge, psi));
      expected_dagger.push_back(reference::wilson_dagger(s.theirs, s.gauge, psi));
    }
    for_all_cases(GetParam(), [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
      for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
        const double tolerance = precision == Precision::double_precision ? 1e-13 : 2e-5;
        const Field gauge = to_plaq(s.gauge, geometry, Precision::double_precision, Location::host);
        const Queue queue(location);
        WilsonOperator m(std::make_shared<WilsonHopping>(grid, gauge, s.ours, precision, queue,
                                                         make_host_transport(grid, location)));
        const Field in = to_plaq(s.in, geometry, Subset::full, precision, location);
        Field out(geometry, m.spec(batch));
        m.apply(out, in);
        queue.synchronize();
        EXPECT_LT(max_difference(out, expected), tolerance);
        m.apply_dagger(out, in);
        queue.synchronize();
        EXPECT_LT(max_difference(out, expected_dagger), tolerance);
      }
    });
  }
}

TEST_P(Wilson, SameBitsOnEveryGridAndInEveryBatch) {
  const Problem s = make_problem(GetParam(), 4);
  for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
    for (const Location where : test::locations()) {
      // One rank alone, no exchange, one right-hand side at a time.
      std::vector<std::uint64_t> alone;
      {
        const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
        const auto geometry = self.geometry(GetParam());
        const Queue queue(where);
        WilsonOperator m(std::make_shared<WilsonHopping>(
            self, to_plaq(s.gauge, geometry, Precision::double_precision, Location::host), s.ours, precision,
            queue, nullptr));
        for (const auto& psi : s.in) {
          Field out(geometry, m.spec(1));
          m.apply(out, to_plaq({psi}, geometry, Subset::full, precision, where));
          queue.synchronize();
          alone.push_back(fingerprint(out, self));
        }
      }
      for_all_cases(GetParam(), [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
        if (location != where) return;
        const Queue queue(location);
        const auto hopping = std::make_shared<WilsonHopping>(
            grid, to_plaq(s.gauge, geometry, Precision::double_precision, Location::host), s.ours, precision,
            queue, make_host_transport(grid, location));
        WilsonOperator m(hopping);
        Field out(geometry, m.spec(4)), single(geometry, m.spec(1));
        m.apply(out, to_plaq(s.in, geometry, Subset::full, precision, location));
        queue.synchronize();
        for (std::size_t i = 0; i < s.in.size(); ++i) {
          copy_subfield(single, 0, out, static_cast<int>(i));
          EXPECT_EQ(fingerprint(single, grid), alone[i]) << "right-hand side " << i;
        }
      });
    }
  }
}

TEST_P(Wilson, SchurSolvesTheSameSystem) {
  const Problem s = make_problem(GetParam(), 2);
  for_all_cases(GetParam(), [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
    const Queue queue(location);
    const auto precision = Precision::double_precision;
    const auto hopping =
        std::make_shared<WilsonHopping>(grid, to_plaq(s.gauge, geometry, precision, Location::host), s.ours,
                                        precision, queue, make_host_transport(grid, location));
    // b = M x for a known x; then the Schur system must hold for x_p, and reconstruct must give x back.
    std::vector<reference::SpinorField> b;
    for (const auto& x : s.in) b.push_back(reference::wilson(s.theirs, s.gauge, x));
    const Field source = to_plaq(b, geometry, Subset::full, precision, location);
    for (const int parity : {0, 1}) {
      for (const auto form : {WilsonSchur::Form::symmetric, WilsonSchur::Form::asymmetric}) {
        WilsonSchur schur(hopping, parity, form, 2);
        Field x = to_plaq(s.in, geometry, subset_of(parity), precision, location);
        Field lhs(geometry, schur.spec(2)), rhs(geometry, schur.spec(2)), full(geometry, source.spec());
        schur.apply(lhs, x);
        schur.reduce_source(rhs, source);
        queue.synchronize();
        const Field l = test::on_host(lhs), r = test::on_host(rhs);
        double most = 0;
        test::for_stored_sites(*geometry, [&](int p, int site, int) {
          if (p != parity) return;
          for (int subfield = 0; subfield < 2; ++subfield)
            for (int k = 0; k < 24; ++k)
              most = std::max(
                  most, std::abs(get_real(l, subfield, p, site, k) - get_real(r, subfield, p, site, k)));
        });
        EXPECT_LT(most, 1e-12);
        schur.reconstruct(full, x, source);
        queue.synchronize();
        EXPECT_LT(max_difference(full, s.in), 1e-12);
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Extents, Wilson,
                         testing::Values(Extents{4, 4, 4, 8}, Extents{2, 2, 2, 2}, Extents{6, 2, 10, 4},
                                         Extents{8, 12, 4, 6}),
                         [](const auto& info) { return to_string(info.param); });

}  // namespace
}  // namespace plaq
