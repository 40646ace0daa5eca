// Plans against the jobs themselves: the memory of every rank, the files, the errors.
#include <sys/resource.h>

#include <nlohmann/json.hpp>

#include "io/gauge/gauge_file.hpp"
#include "jobs/chain/chain_history.hpp"
#include "jobs/results/resume.hpp"
#include "tests/jobs/plan/planned.hpp"

namespace plaq::jobs::test {
namespace {

namespace fs = std::filesystem;

// What volume takes is seen on one rank.
std::vector<std::string> lattices(int ranks) {
  if (ranks > 1) return {"[4, 4, 8, 8]"};
  return {"[4, 4, 8, 8]", "[8, 8, 8, 16]"};
}

TEST_F(Planned, MemoryIsThatOfGenerate) {
  for (const std::string& extents : lattices(ranks_)) {
    SCOPED_TRACE(extents);
    const std::string job = generate_job(extents);
    expect_as_planned({job, {}});
    expect_as_planned({job, {"comms.force_partition=[\"x\", \"t\"]"}});
    expect_as_planned({job, {"output.format=ildg", force_all}});
    expect_as_planned({job, {"output.format=openqcd", "output.byte_order=little"}});
    expect_as_planned({job,
                       {"gauge.start=file", "gauge.file=" + at("field.000001.nersc"), "update.seed=4",
                        "output.prefix=" + at("second")}});
  }
}

TEST_F(Planned, MemoryIsThatOfMeasure) {
  const std::string flow = "flow.t_max=0.1", step = "flow.step=0.05",
                    all = "measure.observables=[\"plaquette\", \"clover\", \"flow\", \"wilson_loops\"]";
  for (const std::string& extents : lattices(ranks_)) {
    SCOPED_TRACE(extents);
    ASSERT_EQ(run_job({generate_job(extents), {}}), 0);
    expect_as_planned({measure_job(), {}});
    expect_as_planned({measure_job(), {force_all}});
    expect_as_planned({measure_job(), {"link_smearing.type=stout", "measure.observables=clover"}});
    expect_as_planned({measure_job(),
                       {"link_smearing.type=hyp", "output.fields=true", "output.overwrite=true",
                        "output.directory=" + directory_, force_all}});
    expect_as_planned({measure_job(), {all, flow, step}});
    expect_as_planned({measure_job(), {all, flow, step, "link_smearing.type=stout", force_all}});
  }
}

TEST_F(Planned, MemoryIsThatOfGaugeFixing) {
  ASSERT_EQ(run_job({generate_job(lattices(ranks_).back()), {}}), 0);
  const std::string job =
      write("fix.toml", "job = \"gaugefix\"\n[gauge]\nfiles = [\"" + at("field.000001.nersc") +
                            "\"]\n[fixing]\ngauge = \"landau\"\ntheta = 1e-2\n"
                            "[output]\noverwrite = true\ndirectory = \"" +
                            directory_ + "\"\nfile = \"" + at("fixed.h5") +
                            "\"\n[run]\nlocation = \"host\"\nthreads = 1\n");
  for (const char* precision : {"single", "mixed", "double"})
    for (const char* gauge : {"landau", "coulomb"}) {
      const std::string p = std::string("fixing.precision=") + precision,
                        g = std::string("fixing.gauge=") + gauge;
      SCOPED_TRACE(p + " " + g);
      expect_as_planned({job, {p, g}});
      expect_as_planned({job, {p, g, force_all}});
      expect_as_planned(
          {job,
           {p, g, "fixing.copies=3", "fixing.groups=1", "fixing.at_once=2", "output.transformations=true"}});
    }
  expect_as_planned({job, {"output.fields=false"}});
}

TEST_F(Planned, MemoryIsThatOfEverySolve) {
  ASSERT_EQ(run_job({generate_job("[4, 4, 8, 8]"), {}}), 0);
  plaq::test::Turns turns(3);
  for (const char* method : {"cg", "bicgstab"})
    for (const char* precision : {"double", "single"})
      for (const char* preconditioning : {"even-odd", "none"})
        for (const char* mixed : {"reliable", "none"}) {
          if (!turns.mine()) continue;
          SCOPED_TRACE(std::string(method) + " " + precision + " " + preconditioning + " " + mixed);
          expect_as_planned(
              {propagator_job(),
               {std::string("solver.method=") + method, std::string("solver.precision=") + precision,
                std::string("solver.preconditioning=") + preconditioning,
                std::string("solver.mixed=") + mixed}});
        }
  expect_as_planned({propagator_job(), {force_all}});
  expect_as_planned({propagator_job(), {force_all, "solver.precision=single"}});
  expect_as_planned({propagator_job(), {force_all, "solver.halo_precision=half"}});
}

TEST_F(Planned, MemoryIsThatOfEveryStorage) {
  ASSERT_EQ(run_job({generate_job("[4, 4, 8, 8]"), {}}), 0);
  const std::string clover = "action.type=clover", c_sw = "action.c_sw=1",
                    half = "solver.inner_precision=half", eight = "solver.inner_links=8",
                    defect = "solver.mixed=defect", asymmetric = "solver.preconditioning=even-odd-asymmetric",
                    none = "solver.preconditioning=none", alone = "solver.fallback=false";
  const std::vector<JobFile::Overrides> kinds = {
      {clover, c_sw},
      {clover, c_sw, "solver.mixed=none"},
      {clover, c_sw, asymmetric, alone},
      {clover, c_sw, none, half},
      {clover, c_sw, half, eight},
      {clover, c_sw, half, eight, force_all},
      {clover, c_sw, eight, none, defect},
      {clover, c_sw, "solver.precision=single", half, "solver.method=bicgstab", alone},
      {half},
      {half, eight, none},
      {half, force_all, "solver.method=cgne"},
      {defect, half, alone},
      {defect, "solver.method=bicgstab"},
      {"solver.links=8", half},
      {"solver.links=12", none, "solver.mixed=none", alone},
      {"solver.links=8", "solver.mixed=none", none},
      {"solver.method=gcr", "solver.restart=5", half},
      {"solver.method=mr", defect, alone},
  };
  expect_each_as_planned(propagator_job(), kinds);
}

TEST_F(Planned, MemoryIsThatOfSourcesSmearingsAndSinks) {
  ASSERT_EQ(run_job({generate_job("[4, 4, 8, 8]"), {}}), 0);
  const std::string job = propagator_job(), steps = "quark_smearing.steps=2",
                    sigma = "quark_smearing.sigma=1", sinks = "correlators.sinks=[\"point\", \"smeared\"]",
                    bare = "quark_smearing.source=false", two = "source.count=2",
                    momenta = "correlators.max_momentum_squared=3",
                    channels = "correlators.channels=[\"pion\", \"rho\", \"proton\"]";
  const std::vector<JobFile::Overrides> kinds = {
      {steps, sigma},
      {steps, sigma, sinks, channels, momenta},
      {steps, sigma, sinks, bare},
      {steps, sigma, sinks, bare, two, "solver.precision=single"},
      {steps, sigma, sinks, "link_smearing.type=ape", "link_smearing.spatial=true", force_all},
      {"action.type=clover", "action.c_sw=1.1", "action_smearing.type=hyp",
       "action_smearing.clover_links=thin", force_all},
      {steps, sigma, sinks, "action.type=staggered", "action.kappa=", "action.mass=0.5", force_all},
      {two, "source.shift=[0, 0, 0, 3]", channels, momenta},
      {"source.type=wall", "correlators.channels=proton"},
      {"source.type=z2", "source.seed=1", "output.propagators=scidac"},
      {"source.type=normal", "source.seed=1", "source.by_trajectory=true", "source.spacing=[2, 1, 4]"},
      {"source.type=z2", "source.seed=1", "source.dilution=spin"},
      {"source.derivative=yx", "link_smearing.type=ape", "link_smearing.spatial=true", force_all},
      {steps, sigma, sinks, "source.derivative=z", "quark_smearing.momentum=[0.5, 0, 1]",
       "correlators.channels=proton"},
      {"output.propagators=hdf5", "solver.preconditioning=none"},
  };
  expect_each_as_planned(job, kinds);
}

TEST_F(Planned, MemoryIsThatOfALargerSolve) {
  if (ranks_ > 1) GTEST_SKIP() << "one rank is enough";
  ASSERT_EQ(run_job({generate_job("[8, 8, 8, 16]"), {}}), 0);
  expect_as_planned({propagator_job(), {}});
  expect_as_planned({propagator_job(), {"solver.method=bicgstab", "solver.precision=single"}});
  expect_as_planned({propagator_job(), {"action.type=clover", "action.c_sw=1", "solver.inner_links=8"}});
}

TEST_F(Planned, MemoryIsThatOfStaggeredQuarks) {
  ASSERT_EQ(run_job({generate_job("[4, 4, 8, 16]"), {}}), 0);  // hops of three steps: four slices a rank
  const std::string job = propagator_job(), no_kappa = "action.kappa=", mass = "action.mass=0.2",
                    type = "action.type=staggered", momenta = "correlators.max_momentum_squared=3";
  const std::vector<JobFile::Overrides> kinds = {
      {"source.type=corner_wall"},
      {"correlators.channels=[\"pion_sc\", \"rho_vt\", \"rho_pv_x\"]", momenta},
      {"source.count=2", "source.shift=[0, 0, 0, 3]", "output.propagators=scidac"},
      {"output.propagators=hdf5", "solver.preconditioning=none", force_all},
      {"action.type=asqtad", "action.u0=0.9"},
  };
  for (const auto& more : kinds) {
    JobFile::Overrides overrides = {no_kappa, mass, type};
    overrides.insert(overrides.end(), more.begin(), more.end());
    SCOPED_TRACE(more.front());
    expect_as_planned({job, overrides});
  }
}

// The comparison above can fail: a vector more is seen.
TEST_F(Planned, AnotherSolverIsSeen) {
  ASSERT_EQ(run_job({generate_job("[4, 4, 8, 8]"), {}}), 0);
  const std::string job = propagator_job();
  const std::string plain = "solver.mixed=none", alone = "solver.fallback=false";
  EXPECT_FALSE(near(planned_bytes({job, {plain, alone, "solver.method=bicgstab"}}),
                    used_bytes({job, {plain, alone}})));
}

TEST_F(Planned, FilesAreThoseOfTheJob) {
  const std::string generate = generate_job("[4, 4, 8, 8]"), measure = measure_job(),
                    propagator = propagator_job();
  for (const char* format : {"scidac", "ildg", "nersc"})
    expect_files({generate, {std::string("output.format=") + format}});
  expect_files({generate, {"output.format=openqcd", "output.byte_order=little"}});
  expect_files({generate, {"output.format=milc", "output.precision=single"}});
  expect_files({generate, {"output.rows=3x2", "output.measure_every=0", "output.prefix=" + at("small")}});
  expect_files({measure, {}});
  expect_files({measure, {"measure.observables=plaquette"}});
  expect_files({measure, {"measure.observables=[\"clover\", \"flow\"]", "flow.t_max=1.0"}});
  expect_files({propagator, {}});
  expect_files(
      {propagator, {"gauge.files=" + at("field.*.nersc"), "source.count=2", "output.propagators=scidac"}});
  expect_files({propagator,
                {"correlators.channels=[\"pion\", \"a1\", \"proton\"]", "correlators.max_momentum_squared=1",
                 "output.propagators=hdf5"}});
}

TEST_F(Planned, FilesAreThoseOfStaggeredQuarks) {
  ASSERT_EQ(run_job({generate_job("[4, 4, 8, 8]"), {}}), 0);
  const JobFile::Overrides action = {"action.kappa=", "action.type=staggered", "action.mass=0.2"};
  const std::string job = propagator_job();
  for (const char* format : {"scidac", "hdf5"})
    for (const char* channels : {"pion_ps", "[\"pion_ps\", \"pion_sc\", \"rho_vt\", \"rho_pv_y\"]"}) {
      JobFile::Overrides overrides = action;
      overrides.push_back(std::string("output.propagators=") + format);
      overrides.push_back(std::string("correlators.channels=") + channels);
      overrides.push_back("correlators.max_momentum_squared=1");
      expect_files({job, overrides});
    }
}

TEST_F(Planned, WhatIsThereDecidesWhatARunWouldDo) {
  using Kind = Outlook::Kind;
  const std::string generate = generate_job("[4, 4, 8, 8]"), measure = measure_job(),
                    propagator = propagator_job(), careful = "output.overwrite=false";
  EXPECT_EQ(outlook_of({generate, {careful}}).kind, Kind::begins);
  MPI_Barrier(MPI_COMM_WORLD);
  for (const auto& job : {generate, measure, propagator}) {
    ASSERT_EQ(run_job({job, {}}), 0);
    EXPECT_EQ(outlook_of({job, {careful}}).kind, Kind::complete);
    expect_holds(text_, "plaq run would do nothing");
    EXPECT_EQ(outlook_of({job, {}}).kind, Kind::begins);
    expect_holds(text_, "will be replaced");
    MPI_Barrier(MPI_COMM_WORLD);
  }
  EXPECT_EQ(outlook_of({generate, {careful, "update.seed=4"}}).kind, Kind::stops);
  expect_holds(text_, "plaq run would stop");
  EXPECT_EQ(outlook_of({measure, {careful, "measure.observables=plaquette"}}).kind, Kind::stops);
  EXPECT_EQ(outlook_of({propagator, {careful, "action.kappa=0.1"}}).kind, Kind::stops);
  // The plan stops like the job itself, which then changes nothing.
  EXPECT_EQ(outlook_of({measure, {careful, "measure.observables=plaquette"}}).reason,
            message_of(ErrorKind::output_file, [&] {
              run_job({measure, {careful, "measure.observables=plaquette"}});
            }));
}

TEST_F(Planned, UnfinishedEnsemblesGoOn) {
  using Kind = Outlook::Kind;
  ASSERT_EQ(run_job({generate_job("[4, 4, 8, 8]"), {}}), 0);
  if (rank_ == 0) {  // a link of the second field is damaged
    std::fstream field(at("field.000002.nersc"), std::ios::in | std::ios::out | std::ios::binary);
    field.seekp(-9, std::ios::end);
    field.put('x');
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const std::string measure = measure_job();
  message_of(ErrorKind::input_file, [&] { run_job({measure, {}}); });
  const Outlook going_on = outlook_of({measure, {}});
  EXPECT_EQ(going_on.kind, Kind::goes_on);
  expect_holds(going_on.reason, "1 of 2 fields are done, says ");
  expect_holds(text_, "would go on from there");
  const Outlook other = outlook_of({measure, {"measure.observables=plaquette"}});
  EXPECT_EQ(other.kind, Kind::stops);
  expect_holds(other.reason, "another unfinished job");
  EXPECT_TRUE(fs::exists(at("measured.h5.journal")));
}

TEST_F(Planned, UnfinishedChainsGoOn) {
  using Kind = Outlook::Kind;
  const std::string generate = generate_job("[4, 4, 8, 8]");
  ASSERT_EQ(run_job({generate, {}}), 0);
  const JobFile job = JobFile::read(generate);
  const auto say = [&](const std::vector<ChainEvent>& events) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank_ == 0) {
      fs::remove(at("field.history.h5"));
      fs::remove(at("field.journal"));
      Journal journal(at("field.journal"));
      begin_job(journal, job);
      for (const auto& event : events) journal.append(to_record(event));
    }
    MPI_Barrier(MPI_COMM_WORLD);
  };
  const GaugeFileInfo saved = inspect_gauge_file(at("field.000001.nersc"));
  using Event = ChainEvent::Kind;
  const ChainEvent none{Event::measured, 0, {}, {}, 0}, first{Event::measured, 1, {}, {}, 0},
      field{Event::saved, 1, {}, *saved.checksum, saved.file_bytes};
  say({none, first, field});
  const Outlook going_on = outlook_of({generate, {"output.overwrite=false"}});
  EXPECT_EQ(going_on.kind, Kind::goes_on);
  expect_holds(going_on.reason, "1 of 2 compound sweeps");
  expect_as_planned({generate, {}});
  say({none});
  EXPECT_EQ(outlook_of({generate, {"output.overwrite=false"}}).kind, Kind::begins);
  expect_holds(text_, "begin again");
  EXPECT_EQ(outlook_of({generate, {"gauge.beta=5.5"}}).kind, Kind::stops);
}

TEST_F(Planned, AbsentGaugeFieldsTakeTheLatticeOfTheJob) {
  for (const auto& file : {measure_job(), propagator_job()}) {
    expect_holds(message_of(ErrorKind::input_file, [&] { planned_bytes({file, {}}); }), "field.");
    const JobFile job = JobFile::read(file, {"lattice.extents=[8, 8, 8, 16]"});
    Plan plan(job, 4, Location::host);
    EXPECT_EQ(plan.geometry().local(), (Extents{8, 8, 8, 4}));
    EXPECT_EQ(plan.geometry().decomposition().ranks, (Extents{1, 1, 1, 4}));
    ASSERT_FALSE(plan.run().notes().empty());
    expect_holds(plan_text(plan), "lattice        8x8x8x16");
  }
}

TEST_F(Planned, TheGridFollowsTheNodes) {
  const JobFile job = JobFile::read(measure_job(), {"lattice.extents=[12, 8, 8, 8]"});
  Plan on_one(job, 12, Location::host), on_two(job, 12, Location::host, 6);
  EXPECT_EQ(on_one.geometry().decomposition().ranks, (Extents{3, 1, 1, 4}));
  expect_holds(plan_text(on_one), "process grid   3x1x1x4, chosen\n");
  EXPECT_EQ(on_two.geometry().decomposition().ranks, (Extents{6, 1, 1, 2}));
  expect_holds(plan_text(on_two), "process grid   6x1x1x2, chosen, of it 3x1x1x2 on a node\n");
  expect_holds(plan_json(on_two), "\"ranks_per_node\": 6");
}

// Hops of three steps need four slices a rank where the lattice is split.
TEST_F(Planned, TheGridHasTheSlicesThatAsqtadNeeds) {
  const JobFile::Overrides asqtad = {"action.kappa=",         "action.mass=0.2",
                                     "action.type=asqtad",    "lattice.extents=[8, 8, 8, 8]",
                                     "solver.tolerance=1e-3", "source.position=[0, 0, 0, 0]"};
  for (const auto& [ranks, grid] : {std::pair{4, Extents{1, 1, 2, 2}}, {8, Extents{1, 2, 2, 2}}}) {
    const JobFile job = JobFile::read(propagator_job(), asqtad);
    Plan plan(job, ranks, Location::host);
    EXPECT_EQ(plan.geometry().decomposition().ranks, grid);
  }
  ASSERT_EQ(run_job({generate_job("[8, 8, 8, 8]"), {"update.configurations=1"}}), 0);
  EXPECT_EQ(run_job({propagator_job(), asqtad}), 0);
}

TEST_F(Planned, ErrorsAreThoseOfTheJob) {
  const auto both_say = [&](const RunOptions& options, ErrorKind kind) {
    const std::string planned = message_of(kind, [&] { planned_bytes(options); });
    EXPECT_EQ(planned, message_of(kind, [&] { run_job(options); }));
  };
  const std::string generate = generate_job("[4, 4, 8, 8]");
  both_say({generate, {"comms.process_grid=[2, 2, 2, 1]"}}, ErrorKind::job_file);
  both_say({generate, {"lattice.extents=[2, 2, 2, 3]"}}, ErrorKind::job_file);
  both_say({generate, {"update.thermalization=1000000000", "update.heatbath=1000"}}, ErrorKind::job_file);
  ASSERT_EQ(run_job({generate, {}}), 0);
  both_say({measure_job(), {"lattice.extents=[4, 4, 4, 4]"}}, ErrorKind::job_file);
  both_say({propagator_job(), {"source.position=[0, 0, 0, 8]"}}, ErrorKind::job_file);
  both_say({propagator_job(), {"gauge.files=" + propagator_job()}}, ErrorKind::input_file);
  // On one and two ranks the grid is wrong, on four their slices are too few.
  both_say({propagator_job(),
            {"action.kappa=", "action.mass=0.2", "action.type=asqtad", "comms.process_grid=[2, 2, 1, 1]"}},
           ErrorKind::job_file);
  both_say({propagator_job(),
            {"output.propagators=hdf5", "gauge.files=[\"" + at("field.000001.nersc") + "\", \"" + directory_ +
                                            "/./field.000001.nersc\"]"}},
           ErrorKind::job_file);
  both_say({generate,
            {"gauge.start=file", "gauge.file=" + at("field.000001.nersc"), "output.prefix=" + at("more")}},
           ErrorKind::job_file);
}

TEST_F(Planned, HugeLatticesNeedNoMemory) {
  const JobFile job = JobFile::read(generate_job("[256, 256, 256, 512]"), {"output.precision=single"});
  Plan plan(job, 4096, Location::device);
  const double volume = 256.0 * 256 * 256 * 512;
  EXPECT_EQ(plan.geometry().local(), (Extents{64, 32, 32, 32}));
  // The checkpoint, from which a longer chain goes on, and the field.
  EXPECT_NEAR(static_cast<double>(plan.files().front().bytes), volume * 576, 1000);
  EXPECT_NEAR(static_cast<double>(plan.files().at(1).bytes), volume * 288, 1000);
  // The links of a rank with one slice around them.
  EXPECT_GE(plan.peak(Location::device).bytes, std::size_t{66} * 34 * 34 * 34 * 576);
  // Messages of a sweep, in four directions.
  EXPECT_EQ(nlohmann::json::parse(plan_json(plan))["messages_of_a_rank"].size(), 4u);
  message_of(ErrorKind::job_file, [&] { Plan alone(job, 1, Location::host); });
}

// Nor do fields of any other job: a rank of these has 16 million sites.
TEST_F(Planned, HugeLatticesTakeNoPages) {
  if (ranks_ > 1) GTEST_SKIP() << "one rank is enough";
  const auto most_kilobytes = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  };
  const std::string huge = "lattice.extents=[128, 128, 128, 256]",
                    fixing =
                        write("fix.toml",
                              "job = \"gaugefix\"\n[gauge]\nfiles = [\"" + at("none.nersc") +
                                  "\"]\n[fixing]\ngauge = \"landau\"\ntheta = 1e-6\n[output]\nfile = \"" +
                                  at("fixed.h5") + "\"\n"),
                    study = write(
                        "study.toml",
                        "job = \"study\"\n[study]\nlattices = [\"128x128x128x256\"]\nranks = [32]\ntargets = "
                        "[\"hop\", \"gauge_fixing\", \"cg\", \"accuracy\"]\nstorages = [\"double 12\"]\n"
                        "[action]\nmass = 0.5\n[output]\nfile = \"" +
                            at("study.h5") + "\"\n");
  const JobFile jobs[] = {JobFile::read(measure_job(), {huge, "measure.observables=[\"clover\", \"flow\"]"}),
                          JobFile::read(propagator_job(), {huge}), JobFile::read(fixing, {huge}),
                          JobFile::read(study)};
  const auto before = most_kilobytes();
  for (const JobFile& job : jobs)
    for (const Location location : {Location::host, Location::device}) {
      const Plan plan(job, 32, location);
      EXPECT_GT(plan.peak(location).bytes, std::size_t{1} << 30) << job.type();
      EXPECT_LT(most_kilobytes() - before, 100 << 10) << job.type();
    }
}

}  // namespace
}  // namespace plaq::jobs::test
