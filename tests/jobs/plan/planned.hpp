// A directory in which jobs are planned and run, and the comparison of both.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "comms/communicator/collective.hpp"
#include "core/system/log.hpp"
#include "core/system/memory.hpp"
#include "jobs/common/commands.hpp"
#include "jobs/plan/plan.hpp"
#include "tests/jobs/schema/job_file_helpers.hpp"
#include "tests/support/grids.hpp"

namespace plaq::jobs::test {

class Planned : public testing::Test {
 protected:
  void SetUp() override {
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    std::string name = (std::filesystem::temp_directory_path() / "plaq-plan-XXXXXX").string();
    if (rank_ == 0 && !::mkdtemp(name.data())) name.clear();
    directory_ = broadcast(MPI_COMM_WORLD, name);
    ASSERT_FALSE(directory_.empty());
    log::set_level(log::Level::error);
  }
  void TearDown() override {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank_ == 0) std::filesystem::remove_all(directory_);
    log::set_level(log::Level::info);
  }

  std::string at(const std::string& name) const {
    return (std::filesystem::path(directory_) / name).string();
  }
  // Collective: what the file had before may still be read by another rank.
  std::string write(const std::string& name, const std::string& text) const {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank_ == 0) std::ofstream(at(name)) << text;
    MPI_Barrier(MPI_COMM_WORLD);
    return at(name);
  }

  std::string generate_job(const std::string& extents) const {
    return write("generate.toml", "job = \"generate\"\n[lattice]\nextents = " + extents +
                                      "\n[gauge]\nbeta = 6.0\nstart = \"cold\"\n[update]\nseed = 3\n"
                                      "overrelaxation = 0\nthermalization = 1\nseparation = 1\n"
                                      "configurations = 2\n[output]\nmeasure_every = 1\noverwrite = true\n"
                                      "prefix = \"" +
                                      at("field") + "\"\n[run]\nlocation = \"host\"\nthreads = 1\n");
  }
  std::string propagator_job() const {
    return write("propagator.toml", "job = \"propagator\"\n[gauge]\nfiles = [\"" + at("field.000001.nersc") +
                                        "\"]\n[action]\nkappa = 0.08\n[solver]\ntolerance = 1e-2\n"
                                        "[output]\noverwrite = true\npropagator_directory = \"" +
                                        directory_ + "\"\nfile = \"" + at("pion.h5") +
                                        "\"\n[run]\nlocation = \"host\"\nthreads = 1\n");
  }
  std::string measure_job() const {
    return write("measure.toml", "job = \"measure\"\n[gauge]\nfiles = [\"" + at("field.*.nersc") +
                                     "\"]\n[output]\noverwrite = true\nfile = \"" + at("measured.h5") +
                                     "\"\n[run]\nlocation = \"host\"\nthreads = 1\n");
  }

  // A plan looks at files that the job before, or the one behind, may still change from another rank.
  struct BetweenJobs {
    BetweenJobs() { MPI_Barrier(MPI_COMM_WORLD); }
    ~BetweenJobs() { MPI_Barrier(MPI_COMM_WORLD); }
    BetweenJobs(const BetweenJobs&) = delete;
    BetweenJobs& operator=(const BetweenJobs&) = delete;
  };

  std::size_t planned_bytes(const RunOptions& options) const {
    const BetweenJobs now;
    const JobFile job = JobFile::read(options.job_file, options.overrides);
    Plan plan(job, ranks_, Location::host);
    EXPECT_EQ(plan.peak(Location::device).bytes, 0u);
    EXPECT_GE(plan.peak(Location::host).bytes, plan.peak(Location::host).buffer_bytes);
    return plan.peak(Location::host).buffer_bytes;
  }

  static std::size_t used_bytes(const RunOptions& options) {
    const std::size_t before = Buffer::in_use(Location::host);
    Buffer::forget_high_water();
    EXPECT_EQ(run_job(options), 0);
    return Buffer::high_water(Location::host) - before;
  }

  static bool near(std::size_t planned, std::size_t used) {
    const std::size_t off = planned > used ? planned - used : used - planned;
    return off <= std::max<std::size_t>(used / 50, 1 << 14);
  }

  void expect_as_planned(const RunOptions& options) const {
    const std::size_t planned = planned_bytes(options), used = used_bytes(options);
    if (rank_ == 0) {
      EXPECT_EQ(planned, used) << options.job_file;
    } else {
      EXPECT_TRUE(near(planned, used)) << options.job_file << ": planned " << planned << ", used " << used;
    }
  }

  // A job with each of these settings. Several ranks try every other one: halos are part of those with forced
  // partitions on one rank.
  void expect_each_as_planned(const std::string& job, const std::vector<JobFile::Overrides>& kinds) const {
    plaq::test::Turns turns(2);
    for (const auto& overrides : kinds) {
      if (!turns.mine()) continue;
      SCOPED_TRACE(testing::PrintToString(overrides));
      expect_as_planned({job, overrides});
    }
  }

  // The files that the plan says will stay are there, of about that size.
  void expect_files(const RunOptions& options) const {
    ASSERT_EQ(run_job(options), 0);
    const BetweenJobs now;
    const JobFile job = JobFile::read(options.job_file, options.overrides);
    Plan plan(job, ranks_, Location::host);
    ASSERT_FALSE(plan.files().empty());
    for (const DryFile& file : plan.files()) {
      EXPECT_NE(std::filesystem::exists(file.name), file.temporary) << file.name;
      if (file.temporary) continue;
      const auto size = static_cast<double>(std::filesystem::file_size(file.name));
      const bool result = file.name.ends_with(".h5") && file.name.find(".prop.") == std::string::npos;
      EXPECT_NEAR(static_cast<double>(file.bytes), size, result ? 0.15 * size : 64) << file.name;
    }
  }

  Outlook outlook_of(const RunOptions& options) const {
    const BetweenJobs now;
    const JobFile job = JobFile::read(options.job_file, options.overrides);
    Plan plan(job, ranks_, Location::host);
    text_ = plan_text(plan);
    return plan.run().outlook();
  }

  mutable std::string text_;  // of the last plan
  std::string directory_;
  int ranks_ = 1, rank_ = 0;
};

inline const std::string force_all = "comms.force_partition=[\"x\", \"y\", \"z\", \"t\"]";

}  // namespace plaq::jobs::test
