// Checks of operators before they are timed, and tests that these checks find faults.
#include "jobs/rates/operator_rates.hpp"

#include <gtest/gtest.h>

#include "comms/transport/transport_choice.hpp"
#include "core/system/error.hpp"
#include "jobs/rates/random_fields.hpp"
#include "jobs/rates/rated_action.hpp"
#include "quarks/action/wilson_action.hpp"

namespace plaq::jobs {
namespace {

constexpr Precision wide = Precision::double_precision;

struct Problem {
  ProcessGrid grid{MPI_COMM_WORLD, {1, 1, 1, 1}};
  GeometryPtr geometry = grid.geometry({4, 4, 4, 4});
  Queue queue{Location::host};
  RateProblem rates{grid, random_gauge(geometry, 11), queue,
                    make_transport(grid, Location::host, TransportKind::host), 1};
  FieldSpec odd = spinor_spec(Subset::odd, 2, wide, Location::host);
  FieldSpec even = spinor_spec(Subset::even, 2, wide, Location::host);
};

bool is_refused(const std::function<void()>& check) {
  try {
    check();
  } catch (const Error& error) {
    return error.kind() == ErrorKind::internal;
  }
  return false;
}

TEST(OperatorRates, AnAdjointThatIsNoneIsFound) {
  Problem p;
  const auto matrix = wilson_action({})->on(fermion_links_of(p.rates));
  const auto term = matrix->hopping(high_precision_storage);
  const Field x = random_vectors(p.geometry, p.odd, 1), y = random_vectors(p.geometry, p.even, 2);
  const auto check = [&](bool right) {
    check_adjoint(p.rates, x, y, "the hopping term", [&](Field& out, const Field& in, bool dagger) {
      term->apply(out, in, dagger ? 1 : 0, right && dagger);
    });
  };
  EXPECT_FALSE(is_refused([&] { check(true); }));
  EXPECT_TRUE(is_refused([&] { check(false); }));
}

TEST(OperatorRates, AStorageThatIsFurtherOffThanRoundingIsFound) {
  Problem p;
  const Field source = random_vectors(p.geometry, p.even, 1);
  const auto rates = [&](const Field& expected) {
    return checked_rates(p.rates, {source, expected, 1, "exact"},
                         {LinkStorage(), {Precision::single_precision, 18}},
                         [&](const LinkStorage&) -> TimedOperator {
                           const auto same = [](Field& out, const Field& in) { copy(out, in); };
                           return {{1, 2}, same, same};
                         });
  };
  const auto found = rates(source);
  EXPECT_EQ(found[0].check, "exact");
  EXPECT_GT(found[1].error, 0);
  EXPECT_EQ(found[1].bytes, 2);
  EXPECT_TRUE(is_refused([&] { rates(random_vectors(p.geometry, p.even, 2)); }));
}

}  // namespace
}  // namespace plaq::jobs
