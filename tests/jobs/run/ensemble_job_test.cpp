#include "jobs/run/ensemble_job.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <filesystem>
#include <functional>

#include "tests/io/gauge/gauge_files.hpp"
#include "tests/reference/lime.hpp"

namespace plaq::jobs {
namespace {

using Steps = std::vector<std::string>;

// Results are 10 * field + part, field by field; steps are written down.
class NotedJob : public EnsembleJob {
 public:
  using EnsembleJob::EnsembleJob;

  Steps steps;
  int fails_at = -1;          // the result that is an Error
  bool parts_count = true;    // those of an earlier run
  bool own_files = true;      // they are there
  bool begins_early = false;  // files of its own

 private:
  void note(const std::string& step) const { const_cast<NotedJob*>(this)->steps.push_back(step); }
  static std::string name_of(const std::string& file) { return std::filesystem::path(file).filename(); }

  void check_outputs(const std::vector<std::string>& gauge_files, bool ours) const override {
    note(fmt::format("check {}{}", gauge_files.size(), ours ? " of ours" : ""));
  }
  bool makes_files() const override { return begins_early; }
  void prepare() override { note("prepare"); }
  std::string axis() const override { return "half"; }
  int parts() const override { return 2; }
  bool reads_links() const override { return false; }
  bool holds(const std::string&, int) const override { return own_files; }
  bool counts(const Results&) const override { return parts_count; }
  void know(int part, const Results&) override { note(fmt::format("know {}", part)); }
  void begin(LoadedGauge& gauge) override {
    field_ = name_of(gauge.report.info.path);
    note("begin " + field_);
  }
  Results compute(LoadedGauge& gauge, int part) override {
    note(fmt::format("part {}", part));
    const int value = 10 * (field_ == "b.ildg" ? 1 : 0) + part;
    if (value == fails_at) throw Error(ErrorKind::not_converged, "no result");
    Results results;
    results.numbered_group("/gauge", attributes_of(gauge.report.info));
    results.dataset("/value", {}, std::vector<double>{static_cast<double>(value)}, described({}, "1", "a"));
    return results;
  }
  void complete(Results& field) const override {
    note("complete");
    field.dataset("/sum", {}, std::vector<double>{1}, described({}, "1", "b"));
  }
  void report(const std::string& gauge_file, const Results& field) const override {
    note("report " + name_of(gauge_file));
    EXPECT_EQ(field.datasets.size(), 2u);
  }
  void describe(OutputFile& out) const override {
    note("describe");
    out.group("/note", {{"text", std::string("c")}});
  }

  std::string field_;
};

class EnsembleJobs : public testing::Test {
 protected:
  void SetUp() override {
    const reference::GaugeField links(reference::Lattice{Extents{2, 2, 4, 4}});
    const std::string bytes =
        reference::lime_bytes({{"ildg-binary-data", reference::link_bytes(links, 64), true, true}});
    for (const char* name : {"a.ildg", "b.ildg"}) test::write_bytes(directory_ / name, bytes);
  }
  JobFile job() const {
    return JobFile::parse("job = \"measure\"\n[lattice]\nextents = [2, 2, 4, 4]\n[gauge]\nfiles = [\"" +
                              directory_ / "*.ildg" + "\"]\n[output]\nfile = \"" + directory_ / "x.h5" +
                              "\"\n[run]\nlocation = \"host\"\nthreads = 1\n",
                          "job.toml", {});
  }
  // The steps that rank 0 takes of a job that is changed like this. An Error is one more.
  Steps run(const std::function<void(NotedJob&)>& change = [](NotedJob&) {}) const {
    const JobFile file = job();
    NotedJob noted(file);
    change(noted);
    const auto error = test::error_of([&] { EXPECT_EQ(noted.run(), 0); });
    if (error) {
      EXPECT_EQ(error->kind(), ErrorKind::not_converged) << error->what();
      noted.steps.emplace_back("error");
    }
    return test::world_rank() == 0 ? noted.steps : Steps();
  }
  // Steps that rank 0 takes; none elsewhere.
  static Steps on_rank_0(const Steps& steps) { return test::world_rank() == 0 ? steps : Steps(); }
  void remove_output() const {
    test::on_first_rank([&] { std::filesystem::remove(directory_ / "x.h5"); });
  }

  test::SharedDirectory directory_;
};

const Steps all_steps = {"check 2",  "prepare",       "begin a.ildg", "part 0", "part 1",
                         "complete", "report a.ildg", "begin b.ildg", "part 0", "part 1",
                         "complete", "report b.ildg", "describe"};

TEST_F(EnsembleJobs, TakesItsStepsInOrderAndOnce) {
  EXPECT_EQ(run(), on_rank_0(all_steps));
  EXPECT_EQ(test::together([&] { return directory_.names(); }),
            (Steps{"a.ildg", "b.ildg", "x.h5"}));  // no journal
  EXPECT_EQ(run(), Steps());
}

// Results that an earlier run has found of a field are told before the field begins, and not computed again.
TEST_F(EnsembleJobs, GoesOnBehindAnError) {
  run();
  const std::string whole = test::read_together(directory_ / "x.h5");
  remove_output();
  run([](NotedJob& job) { job.fails_at = 11; });
  EXPECT_EQ(run(), on_rank_0({"check 2 of ours", "prepare", "complete", "report a.ildg", "know 0",
                              "begin b.ildg", "part 1", "complete", "report b.ildg", "describe"}));
  EXPECT_EQ(test::read_together(directory_ / "x.h5"), whole);
}

TEST_F(EnsembleJobs, ComputesAgainWhatDoesNotCountOrHasLostItsFiles) {
  Steps all_again = all_steps;
  all_again.front() = "check 2 of ours";
  for (const bool lost : {false, true}) {
    run([](NotedJob& job) { job.fails_at = 11; });
    EXPECT_EQ(run([&](NotedJob& job) {
                job.parts_count = lost;
                job.own_files = !lost;
              }),
              on_rank_0(all_again));
    remove_output();
  }
}

// A job that makes files says in its journal whose they are before the first of them is there.
TEST_F(EnsembleJobs, BeginsItsJournalBeforeItsFiles) {
  const auto fails = [](NotedJob& job) { job.fails_at = 0; };
  run(fails);
  EXPECT_EQ(run(fails), on_rank_0({"check 2", "prepare", "begin a.ildg", "part 0", "error"}));
  run([&](NotedJob& job) {
    fails(job);
    job.begins_early = true;
  });
  EXPECT_EQ(run(fails), on_rank_0({"check 2 of ours", "prepare", "begin a.ildg", "part 0", "error"}));
}

}  // namespace
}  // namespace plaq::jobs
