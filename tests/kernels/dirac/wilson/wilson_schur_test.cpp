// Refusals of Schur complements of the Wilson operator.
#include <gtest/gtest.h>

#include "core/system/error.hpp"
#include "tests/support/operators/wilson.hpp"

namespace plaq {
namespace {

using test::Clover;
using Form = WilsonSchur::Form;

const Extents extents{4, 4, 4, 4};

struct WilsonSchurs : testing::Test {
  WilsonHoppingPtr hopping(Clover clover, const LinkStorage& storage, int rotated_parity = 1) {
    auto p = test::make_wilson(extents, clover);
    p.rotated_parity = rotated_parity;
    return test::make_hopping(p, {self, geometry, storage, Queue(Location::host)});
  }
  ProcessGrid self{MPI_COMM_SELF, {1, 1, 1, 1}};
  GeometryPtr geometry = self.geometry(extents);
};

TEST_F(WilsonSchurs, RefuseTheParityThatIsRotated) {
  for (const int parity : {0, 1}) {
    const auto eight = hopping(Clover::none, {Precision::single_precision, 8}, parity);
    EXPECT_TRUE(eight->rotates(parity));
    EXPECT_THROW(WilsonSchur(eight, parity, Form::symmetric, 1), Error);
    EXPECT_NO_THROW(WilsonSchur(eight, 1 - parity, Form::symmetric, 1));
    const auto twelve = hopping(Clover::none, {Precision::single_precision, 12}, parity);
    EXPECT_NO_THROW(WilsonSchur(twelve, parity, Form::symmetric, 1));
  }
}

// A clover term that was made for something else.
TEST_F(WilsonSchurs, RefuseAnotherCloverTerm) {
  const auto with = hopping(Clover::isotropic, {}), without = hopping(Clover::none, {});
  const Field gauge = test::to_plaq(test::make_wilson(extents, Clover::isotropic).gauge, geometry,
                                    Precision::double_precision, Location::host);
  const auto asymmetric = make_clover_blocks(self, gauge, *with, CloverNeed::schur_asymmetric, 0);
  EXPECT_EQ(make_clover_blocks(self, gauge, *without, CloverNeed::schur_symmetric), nullptr);
  EXPECT_NO_THROW(WilsonSchur(with, 0, Form::asymmetric, 1, asymmetric));
  EXPECT_NO_THROW(WilsonOperator(with, asymmetric));
  EXPECT_THROW(WilsonSchur(with, 1, Form::asymmetric, 1, asymmetric), Error);
  EXPECT_THROW(WilsonSchur(with, 0, Form::symmetric, 1, asymmetric), Error);
  EXPECT_THROW(WilsonSchur(with, 0, Form::symmetric, 1), Error);
  EXPECT_THROW(WilsonSchur(without, 0, Form::asymmetric, 1, asymmetric), Error);
  EXPECT_THROW(WilsonOperator{with}, Error);
}

}  // namespace
}  // namespace plaq
