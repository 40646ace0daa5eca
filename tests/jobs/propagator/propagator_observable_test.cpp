#include "jobs/propagator/propagator_observable.hpp"

#include <gtest/gtest.h>

#include "jobs/propagator/propagator.hpp"
#include "jobs/schema/job_file.hpp"
#include "tests/support/errors.hpp"

namespace plaq::jobs {
namespace {

JobFile job_with(const std::string& more) {
  return JobFile::parse(
      "job = \"propagator\"\n[gauge]\nfiles = [\"f\"]\n[action]\ntype = \"domain_wall\"\n" + more, "job.toml",
      {});
}

std::vector<std::string> asked_by(const JobFile& job) {
  std::vector<std::string> keys;
  for (const PropagatorObservable* observable : observables_of(job)) keys.emplace_back(observable->key());
  return keys;
}

TEST(PropagatorObservables, AreAskedForByKeysOfTheSchema) {
  for (const PropagatorObservable* observable : propagator_observables()) {
    const KeyName key = observable->key();
    EXPECT_NE(propagator_schema().find(key.table, key.key), nullptr) << observable->key();
    for (const Table& table : observable->tables()) EXPECT_NE(propagator_schema().find(table.name), nullptr);
  }
}

TEST(PropagatorObservables, AreThoseThatAJobNames) {
  using Keys = std::vector<std::string>;
  const std::string one = "mass = 0.1\nn_s = 4\nm0 = 1.8\n[output]\nfile = \"x.h5\"\n";
  EXPECT_EQ(asked_by(job_with(one)), Keys{"correlators.channels"});
  EXPECT_EQ(asked_by(job_with(one + "propagators = \"hdf5\"\n[correlators]\nresidual_mass = \"summed\"\n"
                                    "[three_point]\ninsertions = [\"pion\"]\nsink_time = 2\n"
                                    "[quark_propagator]\nmax_n = 1\n")),
            (Keys{"output.propagators", "correlators.channels", "correlators.residual_mass",
                  "three_point.insertions", "quark_propagator.max_n"}));
}

// With many masses a job is refused, unless the observable takes them.
TEST(PropagatorObservables, SayWhetherTheyTakeManyMasses) {
  const std::string many = "masses = [0.1, 0.2]\nn_s = 4\nm0 = 1.8\n[output]\nfile = \"x.h5\"\n";
  EXPECT_EQ(asked_by(job_with(many + "propagators = \"hdf5\"\n")).size(), 2u);
  for (const std::string more :
       {"[correlators]\nresidual_mass = \"summed\"\n", "[quark_propagator]\nmax_n = 1\n",
        "[three_point]\ninsertions = [\"pion\"]\nsink_time = 2\n"})
    EXPECT_THROW(job_with(many + more), Error) << more;
}

TEST(PropagatorObservables, TakeConservedCurrentsOfGamma5HermitianWalls) {
  const std::string rest =
      "mass = 0.1\nn_s = 4\nm0 = 1.8\n[output]\nfile = \"x.h5\"\n[three_point]\ninsertions = [\"pion\"]\n"
      "sink_time = 2\n";
  for (const std::string walls : {"", "variant = \"moebius\"\nb5 = 1.5\nc5 = 0.5\n",
                                  "omega = [1.2, 0.7, 0.7, 1.2]\nsigma = [0.5, -0.1, -0.1, 0.5]\n",
                                  "variant = \"optimal\"\nbounds = [0.2, 6.0]\n", "variant = \"optimal\"\n"})
    EXPECT_NO_THROW(job_with(walls + rest + "conserved = true\n")) << walls;
  // Not gamma5-hermitian; omega + sigma < 0 on a slice.
  for (const std::string walls : {"omega = [1.2, 1.2, 0.7, 0.7]\nsigma = [0.5, 0.5, 0.1, 0.1]\n",
                                  "omega = [1, 1, 1, 1]\nsigma = [0.5, -1.5, -1.5, 0.5]\n"}) {
    EXPECT_NO_THROW(job_with(walls + rest + "derivatives = [\"t\"]\n")) << walls;
    const auto error = test::error_of([&] { job_with(walls + rest + "conserved = true\n"); });
    ASSERT_TRUE(error) << walls;
    EXPECT_NE(std::string(error->what()).find("gamma5-hermitian"), std::string::npos) << error->what();
  }
}

// A file says the lattice where the job does not.
TEST(PropagatorObservables, ComplainOfTheLatticeOfTheFields) {
  const JobFile job = job_with(
      "mass = 0.1\nn_s = 4\nm0 = 1.8\n[output]\nfile = \"x.h5\"\n[correlators]\nresidual_mass = \"summed\"\n"
      "plateau = [2, 9]\n[three_point]\ninsertions = [\"pion\"]\nsink_time = 12\n");
  const auto complaints = [&](const Extents& extents) {
    int count = 0;
    for (const PropagatorObservable* observable : observables_of(job))
      if (const auto error = test::error_of([&] { observable->check(job, extents); })) {
        EXPECT_EQ(error->kind(), ErrorKind::job_file);
        ++count;
      }
    return count;
  };
  EXPECT_EQ(complaints({4, 4, 4, 8}), 2);
  EXPECT_EQ(complaints({4, 4, 4, 12}), 1);
  EXPECT_EQ(complaints({4, 4, 4, 16}), 0);
}

}  // namespace
}  // namespace plaq::jobs
