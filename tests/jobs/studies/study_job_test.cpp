// Job files of studies of solvers: what they mean, and what is wrong with them.
#include "jobs/study/study_spec.hpp"
#include "quarks/action/domain_wall_action.hpp"
#include "quarks/action/staggered_action.hpp"
#include "quarks/action/wilson_action.hpp"
#include "settings/solver/solver_table.hpp"
#include "tests/jobs/schema/job_file_helpers.hpp"

namespace plaq::jobs::test::study_job_test {
namespace {

const std::string study_text = R"(job = "study"
[gauge]
files = ["a.nersc"]
[action]
kappas = [0.12, 0.11]
[study]
targets = []
solvers = ["bicgstab, double 18", "gcr, half 12 in double 18, reliable updates 0.1", "gcr(9), single 8"]
[output]
file = "study.h5"
)";

StudySpec study(const JobFile::Overrides& overrides = {}) {
  return StudySpec(JobFile::parse(study_text, "job.toml", overrides));
}

std::string complaint(const JobFile::Overrides& overrides, const std::string& text = study_text) {
  return message_of(ErrorKind::job_file, [&] { JobFile::parse(text, "job.toml", overrides); });
}

const WilsonParameters& wilson_of(const StudySpec& spec, std::size_t k) {
  return *parameters_of<WilsonParameters>(*spec.actions[k]);
}

TEST(StudyJob, SaysWhatIsSolved) {
  const StudySpec plain = study();
  ASSERT_EQ(plain.actions.size(), 2u);
  EXPECT_DOUBLE_EQ(wilson_of(plain, 0).mass, 1 / 0.24 - 4);
  EXPECT_EQ(wilson_of(plain, 0).boundary, (std::array<int, 4>{1, 1, 1, -1}));
  ASSERT_EQ(plain.solves.size(), 3u);
  EXPECT_EQ(name_of(plain.solves[1]), "gcr(16), half 12 in double 18, reliable updates 0.1");
  EXPECT_EQ(name_of(plain.solves[2]), "gcr(9), single 8");
  for (const SolverSettings& solver : plain.solves) {
    EXPECT_EQ(solver.tolerance, 1e-12);
    EXPECT_FALSE(solver.fallback);
  }
  EXPECT_EQ(plain.batches(4), 1);
  const StudySpec other =
      study({"action.kappas=", "action.masses=[0.5, -0.1, 0.2]", "action.type=clover", "action.c_sw=1.2",
             "study.sources=6", "study.right_hand_sides=[2]", "study.preconditioning=none", "study.restart=4",
             "study.max_iterations=30", "study.seed=9", "study.noise=z2"});
  ASSERT_EQ(other.actions.size(), 3u);
  EXPECT_EQ(wilson_of(other, 1).mass, -0.1);
  EXPECT_EQ(wilson_of(other, 2).clover.temporal, 1.2);
  EXPECT_EQ(other.batches(2), 3);
  EXPECT_EQ(other.noise, Noise::z2);
  EXPECT_EQ(other.seed, 9);
  EXPECT_EQ(other.solves[1].restart, 4);
  EXPECT_EQ(other.solves[1].max_iterations, 30);
  EXPECT_EQ(other.solves[1].preconditioning, Preconditioning::none);
}

TEST(StudyJob, MassesAreOneListWithoutDuplicates) {
  expect_holds(complaint({"action.kappas="}), "missing key 'mass' or 'kappa' in [action]");
  expect_holds(complaint({"action.masses=[0.1]"}), "'masses' is given as well");
  expect_holds(complaint({"action.kappas=[]"}), "must not be empty");
  expect_holds(complaint({"action.kappas=[0.12, 0.11, 0.12]"}), "'kappas' in [action]: 0.12 is listed twice");
  expect_holds(complaint({"action.kappas=", "action.masses=[0.1, -0.3, 0.1]"}),
               "'masses' in [action]: 0.1 is listed twice");
  expect_holds(complaint({"action.kappas=[0.12, -0.1]"}), "element 2");
  expect_holds(complaint({"action.kappa=0.12"}), "'kappa' is given as well");
  EXPECT_EQ(study({"action.kappas=", "action.mass=0.3"}).actions.size(), 1u);
  expect_holds(complaint({"action.c_sw=1"}), "type = \"clover\"");
  expect_holds(complaint({"action.boundary=[1,1,0,-1]"}), "found 0 in space, each sign must be 1 or -1");
}

// The lattice is that of the fields, which a plan needs before they are there.
TEST(StudyJob, GaugeFilesHaveOneLattice) {
  EXPECT_EQ(study({"study.lattices=[\"4x4x4x8\"]"}).strong.size(), 1u);
  expect_holds(complaint({"study.lattices=[\"4x4x4x8\", \"8x8x8x8\"]"}), "name this one, or none");
  expect_holds(complaint({"study.local_lattices=[\"4x4x4x8\"]"}), "name this one, or none");
}

TEST(StudyJob, MistakesInSolversAreAllNamed) {
  const std::string text =
      complaint({"study.solvers=[\"cg, double\", \"cg, double 18\", \"cg , double  18\", \"mr, half 8\", "
                 "\"cg, double 18 in single 12, defect correction 0.1\", \"lanczos, double 18\", "
                 "\"cg; double 18\"]"});
  for (const char* part :
       {"\"cg, double\", character 11: expected the reconstruction of links (18, 12, 8), found the end",
        "\"cg, double 18\" is listed twice", "\"mr, half 8\": half precision is for inside",
        "the precision inside is above the one outside", "expected a method",
        "expected ',' after the method"})
    expect_holds(text, part);
  expect_holds(complaint({"study.solvers=[]"}), "nothing is left to measure");
  expect_holds(complaint({"study.solvers="}), "nothing is left to measure");
}

TEST(StudyJob, NumbersHaveTheirRanges) {
  expect_holds(complaint({"study.sources=6", "study.right_hand_sides=[4]"}),
               "right_hand_sides must divide them");
  expect_holds(complaint({"study.right_hand_sides=[257]"}), "'right_hand_sides'");
  expect_holds(complaint({"study.samples=-1"}), "'samples'");
  expect_holds(complaint({"study.noise=gaussian"}), "\"z2\" or \"z4\"");
  expect_holds(complaint({"study.fallback=true"}), "unknown key 'fallback'");
  expect_holds(complaint({"study.tolerance=0"}), "'tolerance'");
  expect_holds(complaint({"study.restart=0"}), "'restart'");
  expect_holds(complaint({"solver.method=cg"}), "solver");
}

TEST(StudyJob, AttributesNameAllMasses) {
  const auto kappas = [](const JobFile::Overrides& overrides) {
    const Attributes all = action_attributes(JobFile::parse(study_text, "job.toml", overrides));
    EXPECT_EQ(find_attribute(all, "mass"), nullptr);
    return *find_attribute(all, "kappas");
  };
  const auto given = std::get<std::vector<double>>(kappas({}));
  ASSERT_EQ(given.size(), 2u);
  EXPECT_NEAR(given[1], 0.11, 1e-15);
  EXPECT_EQ(kappas({"action.kappas=", "action.masses=[0.0]"}), Attribute(std::vector<double>{0.125}));
}

// Each discretisation has keys of its own.
TEST(StudyJob, OtherActions) {
  const JobFile::Overrides staggered = {"action.type=staggered",
                                        "action.kappas=", "action.masses=[0.2, 0.1]"};
  const JobFile::Overrides wall = {"action.type=domain_wall", "action.kappas=", "action.masses=[0.2, 0.1]",
                                   "action.n_s=6"};
  const auto with = [](JobFile::Overrides all, const JobFile::Overrides& more) {
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  EXPECT_EQ(parameters_of<StaggeredParameters>(*study(staggered).actions[1])->mass, 0.1);
  const StudySpec doubled = study(with(staggered, {"action.type=asqtad", "action.mass_convention=doubled",
                                                   "action.u0=0.9", "action.boundary=[1, 1, 1, 1]"}));
  const AsqtadParameters improved = *parameters_of<AsqtadParameters>(*doubled.actions[0]);
  EXPECT_EQ(improved.staggered.mass, 0.1);
  EXPECT_EQ(improved.staggered.boundary[3], 1);
  EXPECT_EQ(improved.u0, 0.9);
  const auto choice = [&](const JobFile::Overrides& more) {
    return *parameters_of<DomainWallChoice>(*study(with(wall, more)).actions[1]);
  };
  EXPECT_EQ(choice({}).kind, WallKind::shamir);
  EXPECT_EQ(choice({}).n_s, 6);
  EXPECT_EQ(choice({}).m0, 1.8);
  EXPECT_EQ(choice({}).mass, 0.1);
  EXPECT_EQ(choice({"action.variant=moebius", "action.b5=1.5", "action.c5=0.25"}).c5, 0.25);
  EXPECT_TRUE(choice({"action.variant=optimal"}).measures_bounds());
  EXPECT_EQ(choice({"action.variant=optimal", "action.bounds=[0.1, 6]"}).bounds->second, 6);

  const auto complains = [&](const JobFile::Overrides& overrides, const char* what) {
    EXPECT_NE(complaint(overrides).find(what), std::string::npos) << complaint(overrides);
  };
  complains(with(staggered, {"action.masses=[0.1, 0]"}), "greater than 0 for staggered");
  complains(with(staggered, {"action.masses="}), "missing key 'mass' in [action]");
  complains(with(staggered, {"action.u0=0.9"}), "needs type = \"asqtad\"; leave the key out");
  complains(with(staggered, {"action.n_s=8"}), "needs type = \"domain_wall\"; leave the key out");
  complains(with(staggered, {"action.c_sw=1"}), "is a coefficient of the clover term");
  complains(with(staggered, {"action.xi=2"}),
            "is for Wilson, clover and domain-wall quarks alone; leave the key out");
  complains(with(staggered, {"action.kappas=[0.1]"}), "is for Wilson and clover quarks alone; give masses");
  complains(with(staggered, {"study.preconditioning=even-odd-asymmetric"}),
            "take \"even-odd\" for staggered ones");
  complains(with(wall, {"action.n_s="}), "missing key 'n_s'");
  complains(with(wall, {"action.variant=moebius", "action.b5=1"}), "missing key 'c5'");
  complains(with(wall, {"action.c5=1"}), "needs variant = \"moebius\"; leave the key out");
  complains(with(wall, {"action.bounds=[1, 2]"}), "needs variant = \"optimal\"; leave the key out");
  complains(with(wall, {"action.variant=optimal", "action.bounds=[3, 2]"}),
            "the smallest, 3, must be at most the largest, 2");
  complains(with(wall, {"action.m0=2"}), "'m0' in [action]");
  complains(with(wall, {"action.n_s=5", "action.variant=borici", "action.masses=[0.1, 1]"}), "singular");
  complains(with(wall, {"action.n_s=100", "study.right_hand_sides=[3]"}), "more than 256 at a time");
  complains({"action.n_s=4"}, "needs type = \"domain_wall\"; leave the key out");
}

}  // namespace
}  // namespace plaq::jobs::test::study_job_test
