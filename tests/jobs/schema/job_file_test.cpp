// Good job files, their values, overrides and canonical text.
#include "jobs/schema/job_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "io/gauge/gauge_file.hpp"
#include "jobs/chain/chain_plan.hpp"
#include "jobs/correlators/correlators.hpp"
#include "jobs/generate/generate_schema.hpp"
#include "jobs/measure/measure.hpp"
#include "jobs/propagator/source_files.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/job_types.hpp"
#include "jobs/study/study_spec.hpp"
#include "settings/gauge/gauge_action_table.hpp"
#include "settings/solver/solver_table.hpp"
#include "tests/jobs/schema/job_file_helpers.hpp"

namespace plaq::jobs::test {
namespace {

std::string format_of(const JobFile& generate) {
  return std::string(short_name(generate.get<GaugeWriteOptions>().format));
}

TEST(JobFile, ReadsValuesAndFillsInDefaults) {
  const JobFile job = JobFile::parse(generate_text, "job.toml");
  EXPECT_EQ(job.type(), "generate");
  EXPECT_EQ(job.get<LatticeKeys>().extents, (Extents{4, 4, 4, 8}));
  EXPECT_EQ(job.get<GaugeActionKeys>().beta, 6.0);  // an integer in the file
  EXPECT_EQ(job.get<ChainKeys>().seed, 7);
  EXPECT_EQ(job.get<GaugeStartKeys>().start, ChainStart::hot);
  EXPECT_EQ(job.get<CompoundSweepKeys>().overrelaxation, 4);
  EXPECT_FALSE(job.get<OutputKeys>().overwrite);
  EXPECT_EQ(job.get<CommsKeys>().process_grid, std::nullopt);
  EXPECT_TRUE(job.get<CommsKeys>().force_partition.empty());
}

TEST(JobFile, OptionalKeysAreThereWhenGiven) {
  const JobFile job = JobFile::parse(propagator_text, "job.toml", {"lattice.extents=[4,4,4,8]"});
  EXPECT_EQ(job.get<ActionKeys>().kappa, 0.12);
  EXPECT_EQ(job.get<ActionKeys>().mass, std::nullopt);
  EXPECT_EQ(job.get<LatticeKeys>().extents, (Extents{4, 4, 4, 8}));
  EXPECT_EQ(job.get<ActionKeys>().boundary, (std::array{1, 1, 1, -1}));
  EXPECT_TRUE(job.get<CorrelatorKeys>().channels.empty());
  EXPECT_TRUE(job.get<CorrelatorKeys>().has_sink("point"));
  EXPECT_FALSE(job.get<CorrelatorKeys>().has_sink("smeared"));
  EXPECT_EQ(job.get<FileSourceKeys>().files, std::nullopt);
  EXPECT_EQ(job.get<QuarkSmearingKeys>().parameters.sigma, 0);
}

TEST(JobFile, ReadingKeysOfAnotherJobTypeIsAnInternalError) {
  const JobFile job = JobFile::parse(propagator_text, "job.toml");
  message_of(ErrorKind::internal, [&] { job.get<ChainKeys>(); });
}

TEST(JobFile, OverridesReplaceAddAndRemove) {
  const JobFile job = JobFile::parse(
      propagator_text, "job.toml",
      {"solver.tolerance=1e-8", "solver.method=bicgstab", "gauge.files=conf.1000", "output.file=17",
       "correlators.channels=[\"rho\", \"proton\"]", "solver.tolerance = 1e-6",
       "action.kappa=", "action.mass=1", "output.overwrite=true", "comms.force_partition=[\"x\", \"t\"]"});
  EXPECT_EQ(job.get<SolverSettings>().tolerance, 1e-6);  // the last counts
  EXPECT_EQ(solver_settings(job, Location::host).method, SolverMethod::bicgstab);
  EXPECT_EQ(job.get<GaugeFilesKeys>().files, std::vector<std::string>{"conf.1000"});
  EXPECT_EQ(job.get<CorrelatorKeys>().channels, (std::vector<std::string>{"rho", "proton"}));
  EXPECT_EQ(job.get<OutputKeys>().file, "17");
  EXPECT_EQ(job.get<ActionKeys>().kappa, std::nullopt);
  EXPECT_EQ(job.get<ActionKeys>().mass, 1.0);
  EXPECT_TRUE(job.get<OutputKeys>().overwrite);
  EXPECT_EQ(job.get<CommsKeys>().force_partition, (std::vector{0, 3}));
}

TEST(JobFile, OverrideCuresAMistakeOfTheFile) {
  const JobFile job = JobFile::parse(propagator_text + "[solver]\ntolerance = \"small\"\n", "job.toml",
                                     {"solver.tolerance=1e-9"});
  EXPECT_EQ(job.get<SolverSettings>().tolerance, 1e-9);
}

TEST(JobFile, OverrideCannotSmuggleInOtherKeys) {
  expect_holds(
      message_of(ErrorKind::job_file,
                 [] { JobFile::parse(propagator_text, "job.toml", {"output.file=\"a\"\nextra = 1"}); }),
      "control characters");
}

TEST(JobFile, OneStringServesAsAListOfOne) {
  const JobFile job =
      JobFile::parse("job = \"measure\"\ngauge.files = \"conf.*\"\noutput.file = \"out.h5\"\n", "job.toml");
  EXPECT_EQ(job.get<GaugeFilesKeys>().files, std::vector<std::string>{"conf.*"});
  EXPECT_EQ(job.get<MeasureKeys>().observables.size(), 4u);
}

TEST(JobFile, CanonicalTextParsesToTheSameJob) {
  const std::vector<std::pair<std::string, JobFile::Overrides>> jobs = {
      {generate_text, {"gauge.beta=5.7", "comms.process_grid=[1,1,2,2]", "output.prefix=\"a\\\"b\\\\cé\""}},
      {measure_text, {}},
      {propagator_text,
       {"solver.tolerance=1.2345678901234567e-7", "action.xi=999.5", "action.nu=1e-20",
        "solver.precision=single"}}};
  for (const auto& [text, overrides] : jobs) {
    const JobFile job = JobFile::parse(text, "job.toml", overrides);
    const std::string canonical = job.canonical_text();
    const JobFile again = JobFile::parse(canonical, "again.toml");
    EXPECT_EQ(again.canonical_text(), canonical);
  }
  EXPECT_EQ(value_text(Value(std::string("a\té\a\n"))), "\"a\\té\\u0007\\n\"");
  EXPECT_EQ(JobFile::parse(JobFile::parse(jobs[2].first, "", jobs[2].second).canonical_text(), "")
                .get<SolverSettings>()
                .tolerance,
            1.2345678901234567e-7);
}

TEST(JobFile, CanonicalTextDoesNotDependOnTheOrderOfTheFile) {
  const std::string other = R"(output.file = "pion.h5"
action = { kappa = 0.12 }
job = "propagator"
gauge.files = ["a.nersc"]
)";
  EXPECT_EQ(JobFile::parse(other, "").canonical_text(), JobFile::parse(propagator_text, "").canonical_text());
}

TEST(JobFile, PhysicsTextHasWhatDecidesTheResults) {
  const auto text = [](const JobFile::Overrides& overrides) {
    return JobFile::parse(generate_text, "", overrides).physics_text();
  };
  const std::string plain = text({});
  for (const char* machine :
       {"comms.process_grid=[1,1,1,2]", "comms.force_partition=[\"t\"]", "run.location=\"host\"",
        "run.threads=3", "output.overwrite=true", "output.checkpoint_minutes=0"})
    EXPECT_EQ(text({machine}), plain) << machine;
  for (const char* physics :
       {"gauge.beta=5.9", "update.seed=8", "output.rows=\"3x2\"", "lattice.extents=[4,4,4,4]"})
    EXPECT_NE(text({physics}), plain) << physics;
  EXPECT_EQ(JobFile::parse(plain, "").physics_text(), plain);
}

TEST(JobFile, ReadsFiles) {
  const std::string path = testing::TempDir() + "plaq_test_job.toml";
  std::ofstream(path) << measure_text;
  EXPECT_EQ(JobFile::read(path).type(), "measure");
  const std::string crlf = testing::TempDir() + "plaq_test_crlf.toml";
  std::ofstream(crlf) << "job = \"measure\"\r\n[gauge]\r\nfiles = [\"a\"]\r\n[output]\r\nfile = \"b\"\r\n";
  EXPECT_EQ(JobFile::read(crlf).get<OutputKeys>().file, "b");
}

TEST(JobFile, ExamplesAreGood) {  // runs in the root of the source
  const JobFile generate = JobFile::read("examples/generate.toml");
  for (const char* reader :
       {"examples/eigenvectors.toml", "examples/measure.toml", "examples/multigrid_setup.toml",
        "examples/propagator.toml", "examples/staggered.toml"}) {
    const JobFile job = JobFile::read(reader);
    EXPECT_EQ(job.get<GaugeFilesKeys>().files,
              std::vector<std::string>{generate.get<ChainOutputKeys>().prefix + ".*." + format_of(generate)});
    EXPECT_EQ(job.get<LatticeKeys>().extents, generate.get<LatticeKeys>().extents);
  }
}

TEST(JobFile, ExamplesReplaceNothing) {
  int examples = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("examples")) {
    if (entry.path().extension() != ".toml" || entry.path().filename() == "campaign.toml") continue;
    ++examples;
    EXPECT_FALSE(JobFile::read(entry.path().string()).get<OutputKeys>().overwrite) << entry.path();
  }
  EXPECT_GE(examples, 10);
}

// The fields of one are those that the other reads, and both tables of the paper have all of its solvers.
TEST(JobFile, ExamplesOfThePaperAreGood) {
  const std::string directory = "examples/paper-mixed-precision/";
  for (const std::string machine : {"host", "gpu"}) {
    const JobFile field = JobFile::read(directory + "field-" + machine + ".toml"),
                  study = JobFile::read(directory + "solvers-" + machine + ".toml");
    EXPECT_EQ(study.type(), "study");
    const std::string prefix = field.get<ChainOutputKeys>().prefix;
    const auto update = field.get<ChainKeys>();
    const std::string last = configuration_name(
        prefix, update.thermalization + (update.configurations - 1) * update.separation, format_of(field));
    const std::string files = study.get<GaugeFilesKeys>().files.front();
    EXPECT_TRUE(files == last || files == prefix + ".*.nersc") << files << " " << last;
    EXPECT_EQ(study.get<StudyKeys>().solvers.size(), 2u + 7 + 8);
    EXPECT_EQ(study.get<SolverSettings>().tolerance, 1e-12);
  }
}

TEST(JobFile, ExamplesOfTheMultigridPaperAreGood) {
  const std::string directory = "examples/paper-multigrid/";
  for (const std::string machine : {"host", "gpu"}) {
    const JobFile field = JobFile::read(directory + "field-" + machine + ".toml"),
                  study = JobFile::read(directory + "solvers-" + machine + ".toml");
    EXPECT_EQ(study.get<GaugeFilesKeys>().files.front(),
              configuration_name(field.get<ChainOutputKeys>().prefix, field.get<ChainKeys>().thermalization,
                                 format_of(field)));
    const StudySpec spec(study);
    EXPECT_TRUE(spec.errors);
    ASSERT_EQ(spec.solves.size(), 2u);
    EXPECT_FALSE(spec.solves[0].multigrid);
    EXPECT_EQ(spec.solves[1].multigrid, MultigridOptions());
  }
}

TEST(Schema, EveryKeyIsDescribedAndItsDefaultAndExampleAreGood) {
  for (const std::string& type : job_type_names()) {
    const Schema& schema = find_job_type(type)->schema();
    EXPECT_EQ(schema.job, type);
    for (const Table& table : schema.tables) {
      EXPECT_EQ(schema.find(table.name), &table) << "two tables " << table.name;
      for (const Key& key : table.keys) {
        EXPECT_EQ(table.find(key.name), &key) << "two keys " << key.name;
        ASSERT_FALSE(key.meaning.empty()) << key.name;
        EXPECT_EQ(key.meaning.back(), '.') << key.name;
        EXPECT_FALSE(key.type_text().empty());
        EXPECT_FALSE(key.example_text().empty());
        EXPECT_FALSE(key.required && key.fallback) << key.name;
        if (!key.fallback) continue;
        EXPECT_EQ(key.fallback->index(), static_cast<std::size_t>(key.type)) << key.name;
        EXPECT_EQ(find_fault(key, *key.fallback), std::nullopt) << key.name;
      }
    }
  }
}

TEST(JobFile, ExamplesOfKernelStudiesAreGood) {
  for (const std::string machine : {"host", "gpu"}) {
    const std::string study = "kernels-" + machine;
    const JobFile job = JobFile::read("examples/paper-mixed-precision/" + study + ".toml");
    EXPECT_EQ(job.type(), "study");
    const auto keys = job.get<StudyKeys>();
    EXPECT_EQ(keys.storages.size(), 9u);
    EXPECT_GE(keys.lattices.size(), 5u);
    EXPECT_EQ(job.get<OutputKeys>().file, study + ".h5");
    EXPECT_EQ(job.get<RunKeys>().location, machine);
  }
}

TEST(JobFile, ExamplesOfScalingAreGood) {
  for (const std::string study : {"scaling", "scaling-gpu"}) {
    const JobFile job = JobFile::read("examples/" + study + ".toml");
    EXPECT_EQ(job.type(), "study");
    EXPECT_EQ(job.get<OutputKeys>().file, study + ".h5");
    EXPECT_FALSE(job.get<StudyKeys>().ranks.empty());
  }
  for (const std::string study : {"gaugefix-weak", "gaugefix-strong"}) {
    const JobFile job = JobFile::read("examples/" + study + ".toml");
    EXPECT_EQ(job.type(), "study");
    EXPECT_EQ(job.get<OutputKeys>().file, study + ".h5");
    EXPECT_EQ(job.get<StudyKeys>().targets.front(), "gauge_fixing");
    EXPECT_FALSE(job.get<StudyKeys>().process_grids.empty());
  }
}

// Files of job types that are now studies say what to write.
TEST(JobFile, OldStudiesSayWhatTheyAreNow) {
  const auto message = [](const std::string& type) {
    return message_of(ErrorKind::job_file, [&] { JobFile::parse("job = \"" + type + "\"\n", "old.toml"); });
  };
  for (const std::string type : {"kernel_study", "scaling", "solver_study"}) {
    expect_holds(message(type), "old.toml:1");
    expect_holds(message(type), "job = \"" + type + "\" is now job = \"study\"");
  }
  expect_holds(message("kernel_study"), "lattices");
  expect_holds(message("scaling"), "local_lattices for weak");
  expect_holds(message("solver_study"), "right_hand_sides for batch");
}

TEST(Schema, RangesInWords) {
  EXPECT_EQ(Key().within(1, 10).range.text(), "1 to 10");
  EXPECT_EQ(Key().at_least(1).range.text(), "at least 1");
  EXPECT_EQ(Key().between(0, 1).range.text(), "greater than 0 and less than 1");
  EXPECT_EQ(Key().range.text(), "");
}

TEST(JobTypes, SavedFieldsAreNumberedBySweep) {
  EXPECT_EQ(configuration_name("runs/b6.0", 200, "nersc"), "runs/b6.0.000200.nersc");
  EXPECT_EQ(configuration_name("f", 12345678, "ildg"), "f.12345678.ildg");
}

}  // namespace
}  // namespace plaq::jobs::test
