// Numbers of a study as datasets, and back by their indices.
#include "jobs/study/columns.hpp"

#include <gtest/gtest.h>

#include "core/system/error.hpp"
#include "jobs/common/wrap.hpp"

namespace plaq::jobs::test {
namespace {

struct Found {
  double seconds;
  int iterations;
};

const Column<Found> columns[] = {
    {"/a/seconds", "s", "time", [](const Found& f) { return f.seconds; }},
    {"/a/iterations", "1", "how many", [](const Found& f) { return std::int64_t{f.iterations}; }}};

TEST(Columns, AreDatasetsWithAxes) {
  Results results;
  const std::vector<Found> found = {{0.5, 1}, {1.5, 2}, {2.5, 3}, {3.5, 4}, {4.5, 5}, {5.5, 6}};
  add_columns<Found>(results, found, {"mass", "solver"}, {2, 3}, columns);
  ASSERT_EQ(results.datasets.size(), 2u);
  const Dataset& seconds = results.datasets[0];
  EXPECT_EQ(seconds.path, "/a/seconds");
  EXPECT_EQ(seconds.attributes, described({"mass", "solver"}, "s", "time"));
  EXPECT_EQ(std::get<std::vector<double>>(seconds.values)[4], 4.5);
  EXPECT_EQ(std::get<std::vector<std::int64_t>>(results.datasets[1].values).size(), 6u);
  const Numbers iterations(results, "/a/iterations");
  EXPECT_EQ(iterations.extents(), (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(iterations(1, 0), 4);
  EXPECT_EQ(iterations[2], 3);
  EXPECT_TRUE(Numbers::are_in(results, "/a/seconds"));
  EXPECT_FALSE(Numbers::are_in(results, "/a/flops"));
}

TEST(Columns, MistakesAreErrors) {
  Results results;
  add_columns<Found>(results, {{1, 2}}, {}, {}, columns);
  const Numbers one(results, "/a/seconds");
  EXPECT_EQ(one(), 1);
  EXPECT_THROW(one(0), Error);
  EXPECT_THROW(Numbers(results, "/a/flops"), Error);
}

TEST(Counted, HasOneOrMany) {
  EXPECT_EQ(counted(1, "mass"), "1 mass");
  EXPECT_EQ(counted(2, "mass"), "2 masses");
  EXPECT_EQ(counted(0, "copy"), "0 copies");
  EXPECT_EQ(counted(12, "right-hand side"), "12 right-hand sides");
}

}  // namespace
}  // namespace plaq::jobs::test
