// Clover quarks, mixed precision, fallbacks and tuning in propagator jobs from end to end.
#include <cmath>

#include "tests/jobs/program/propagator_program.hpp"

namespace plaq::program_solvers_test {
namespace {

using test::contents;
using test::expect_failure;
using test::foreign_fields;
using test::Numbers;
using test::pion;

const std::string again = "--set output.overwrite=true ";
const std::string clover = "--set action.type=clover --set action.c_sw=1.1 ";
const std::string everywhere = "--set 'comms.force_partition=[\"x\", \"y\", \"z\", \"t\"]' ";

class ProgramSolvers : public test::PropagatorProgram {
 protected:
  Numbers one(const std::string& more, int ranks = 1) const {
    return run("pion", again + "--set gauge.files=field.000002.nersc " + more, ranks);
  }
  static void expect_solved(const Numbers& found, double tolerance) {
    ASSERT_TRUE(found.contains("/solves/true_residual"));
    for (const double residual : found.at("/solves/true_residual").values)
      EXPECT_LE(residual, tolerance * 1.000001);
  }
};

// An anisotropic clover action and a smeared source: numbers in single precision by another program.
TEST_F(ProgramSolvers, CloverCorrelatorOfAnotherProgram) {
  const std::string fields = foreign_fields();
  if (fields.empty()) GTEST_SKIP() << "PLAQ_DATA_DIR is not set";
  constexpr double expected[8] = {0.588734333,   0.0440054624,  0.0154934270, 0.00913658337,
                                  0.00757904347, 0.00913718635, 0.0155014543, 0.0440099930};
  box_.write("propagator.toml", "job = \"propagator\"\n[gauge]\nfiles = [\"" + fields + R"(weak_field.lime"]
[action]
type = "clover"
kappa = 0.115
xi = 2.464
nu = 0.95
c_r = 0.91
c_t = 1.07
[quark_smearing]
steps = 5
sigma = 2.0
allow_unstable = true
[output]
file = "pion.h5"
[run]
location = "host"
threads = 1
)");
  const std::string half = "--set solver.inner_precision=half ";
  for (const std::string& kind :
       {std::string(), std::string("--set solver.mixed=none "), half + "--set solver.inner_links=8 ",
        half + "--set solver.method=bicgstab --set solver.preconditioning=even-odd-asymmetric "}) {
    std::string alone;
    for (const auto& [ranks, more] : {std::pair{1, std::string()}, {2, std::string()}, {4, everywhere}}) {
      if (!kind.empty() && ranks == 4) continue;
      SCOPED_TRACE(kind + std::to_string(ranks) + more);
      const Numbers found = run("pion", again + kind + more, ranks);
      ASSERT_TRUE(found.contains(pion));
      const auto& c = found.at(pion);
      ASSERT_EQ(c.extents, (std::vector<std::size_t>{1, 1, 8, 2}));
      for (std::size_t t = 0; t < 8; ++t) EXPECT_NEAR(c.values[2 * t] / expected[t], 1, 5e-6) << "t " << t;
      expect_solved(found, 1e-10);
      EXPECT_EQ(found.at("/solves/attempts").values, std::vector<double>{1});
      const std::string bytes = contents(box_ / "pion.h5");
      if (alone.empty()) alone = bytes;
      EXPECT_TRUE(bytes == alone) << "other bytes";
    }
  }
}

TEST_F(ProgramSolvers, EveryMethodAndSchemeGetsThere) {
  const Numbers exact = one(clover + "--set solver.mixed=none --set solver.tolerance=1e-11");
  const auto expected = exact.at(pion).values;
  const std::string tight = clover + "--set solver.tolerance=1e-10 --set solver.fallback=false ";
  for (const char* method : {"cg", "cgne", "bicgstab", "gcr", "mr"})
    for (const char* mixed : {"reliable", "defect", "none"})
      for (const char* inner : {"single", "half"}) {
        if (std::string(mixed) == "none" && std::string(inner) == "half") continue;
        SCOPED_TRACE(std::string(method) + " " + mixed + " " + inner);
        std::string more = tight + "--set solver.method=" + method + " --set solver.mixed=" + mixed;
        if (std::string(mixed) != "none") more += std::string(" --set solver.inner_precision=") + inner;
        const Numbers found = one(more);
        expect_solved(found, 1e-10);
        ASSERT_TRUE(found.contains(pion));
        for (std::size_t i = 0; i < expected.size(); i += 2)
          EXPECT_NEAR(found.at(pion).values[i] / expected[i], 1, 1e-7);
        EXPECT_EQ(found.at("/solves/attempts").values, std::vector<double>{1});
      }
}

TEST_F(ProgramSolvers, EveryStorageAndPreconditioningGetsThere) {
  const auto expected = one(clover + "--set solver.mixed=none --set solver.tolerance=1e-11").at(pion).values;
  const std::string tight = clover + "--set solver.tolerance=1e-10 ";
  for (const char* preconditioning : {"even-odd", "even-odd-asymmetric", "none"})
    for (const char* links : {"--set solver.inner_links=18", "--set solver.inner_links=8",
                              "--set solver.links=12", "--set solver.links=8 --set solver.mixed=none"}) {
      SCOPED_TRACE(std::string(preconditioning) + " " + links);
      const Numbers found = one(tight + "--set solver.preconditioning=" + preconditioning + " " + links);
      expect_solved(found, 1e-10);
      ASSERT_TRUE(found.contains(pion));
      for (std::size_t i = 0; i < expected.size(); i += 2)
        EXPECT_NEAR(found.at(pion).values[i] / expected[i], 1, 1e-7);
    }
}

TEST_F(ProgramSolvers, SameBytesOnAnyRanksWithHalfInside) {
  std::string alone;
  for (const auto& [ranks, comms] : {std::pair{1, std::string()},
                                     {2, std::string()},
                                     {4, std::string()},
                                     {1, everywhere + "--set run.threads=2 "}}) {
    SCOPED_TRACE(std::to_string(ranks) + comms);
    one(clover + comms + "--set solver.inner_precision=half --set solver.inner_links=8 ", ranks);
    const std::string bytes = contents(box_ / "pion.h5");
    if (alone.empty()) alone = bytes;
    EXPECT_TRUE(bytes == alone) << "other bytes";
  }
}

// Beyond what double precision reaches: every attempt says how it ended.
TEST_F(ProgramSolvers, AMissedToleranceNamesTheOutcomes) {
  const std::string files =
      "--set gauge.files=field.000002.nersc --set solver.tolerance=1e-20 --set solver.max_iterations=300 ";
  const std::string in_double = " in double 18, reliable updates 0.1: ";
  expect_failure(propagator(files + "--set solver.inner_precision=half", 2), 6,
                 {"1e-20", "stagnation", "1: cg, half 12" + in_double, "2: cg, single 12" + in_double,
                  "3: cg, double 18" + in_double + "stagnation",
                  "4: cg, single 12 in double 18, defect correction 0.0001: stagnation",
                  "5: cg, double 18: ", "was not written"});
  const auto alone = propagator(files + "--set solver.fallback=false");
  expect_failure(alone, 6, {"1: cg, single 12" + in_double});
  EXPECT_EQ(alone.err.find("2: cg"), std::string::npos);
}

// What single precision leaves is not the links' fault.
TEST_F(ProgramSolvers, SinglePrecisionIsBlamedForItsRounding) {
  const std::string single = "--set gauge.files=field.000002.nersc --set solver.precision=single " + again +
                             "--set action.kappa=0.16 --set source.type=wall ";
  const auto missed = propagator(single + "--set solver.tolerance=1e-7");
  expect_failure(missed, 6, {"rounding of single precision", "precision = \"double\""});
  EXPECT_EQ(missed.err.find("SU(3)"), std::string::npos) << missed.err;
  EXPECT_NE(missed.err.find("light quarks may miss it"), std::string::npos) << missed.err;
  const auto reached = propagator(single + "--set solver.tolerance=1e-5");
  EXPECT_EQ(reached.code, 0) << reached.err;
  EXPECT_EQ(reached.err.find("light quarks"), std::string::npos) << reached.err;
}

// Quarks so light that the spectrum comes near and around zero, where minimal residuals and BiCGstab get
// lost.
TEST_F(ProgramSolvers, FallbacksAreUsedAndSaid) {
  const std::string light = "--set gauge.files=field.000002.nersc " + again;
  const std::string lost =
      light + "--set action.kappa=0.22 --set solver.method=mr --set solver.max_iterations=1000 ";
  expect_failure(propagator(lost + "--set solver.fallback=false"), 6,
                 {"tried 1: mr(1), single 12", "maximum of iterations after 1000"});
  const auto found = propagator(lost);
  ASSERT_EQ(found.code, 0) << found.err;
  for (const char* part : {"it took several solvers: 1: mr(1), single 12 in double 18", "2: mr(1), double 18",
                           "3: mr(1), single 12 in double 18, defect", "4: cg, double 18: converged"})
    EXPECT_NE(found.err.find(part), std::string::npos) << part << "\n" << found.err;
  const Numbers numbers = test::read_numbers((box_ / "pion.h5").string());
  EXPECT_EQ(numbers.at("/solves/attempts").values, std::vector<double>{4});
  expect_solved(numbers, 1e-9);
  expect_failure(propagator(light + "--set action.kappa=0.25 --set solver.method=bicgstab "
                                    "--set solver.max_iterations=200"),
                 6,
                 {"tried 1: bicgstab, single 12", "2: bicgstab, double 18",
                  "4: cg, double 18: maximum of "
                  "iterations after 200"});
}

TEST_F(ProgramSolvers, ResultsSayWhatRan) {
  one(clover + "--set solver.method=bicgstab --set solver.inner_precision=half");
  const auto info = box_.plaq("info --all pion.h5");
  ASSERT_EQ(info.code, 0) << info.err;
  for (const char* part :
       {"bicgstab, half 12 in double 18, reliable updates 0.1", "half 12", "clover_temporal"})
    EXPECT_NE(info.out.find(part), std::string::npos) << part << "\n" << info.out;
}

TEST_F(ProgramSolvers, EachRuleIsOneError) {
  struct Wrong {
    const char* more;
    std::vector<std::string> parts;
  };
  const std::vector<Wrong> all = {
      {"--set action.type=clover", {"c_sw", "missing"}},
      {"--set action.c_sw=1", {"c_sw", "clover"}},
      {"--set action.type=clover --set action.c_sw=1 --set action.c_t=1", {"c_sw", "c_t"}},
      {"--set action.type=clover --set action.c_r=1", {"c_t", "missing"}},
      {"--set action.type=clover --set action.c_sw=1 --set action.xi=2", {"c_sw", "xi = 1", "c_r and c_t"}},
      {"--set solver.links=10", {"links", "18, 12 or 8"}},
      {"--set solver.inner_links=9", {"inner_links", "18, 12 or 8"}},
      {"--set solver.mixed=none --set solver.inner_precision=half", {"inner_precision", "mixed"}},
      {"--set solver.precision=single --set solver.tolerance=1e-6 --set solver.inner_precision=double",
       {"inner_precision", "single"}},
      {"--set solver.inner_tolerance=0.1", {"inner_tolerance", "defect"}},
      {"--set solver.omega=2", {"omega"}},
      {"--set solver.restart=0", {"restart"}},
      {"--set run.tuning=maybe", {"tuning", "read-only"}},
  };
  for (const auto& wrong : all) {
    SCOPED_TRACE(wrong.more);
    expect_failure(propagator(wrong.more), 3, wrong.parts);
  }
  EXPECT_FALSE(exists("pion.h5"));
}

// On the host no kernel has a choice yet: nothing is written; but the file is read, and a bad one is no
// failure.
TEST_F(ProgramSolvers, ATuningFileIsNoReasonToFail) {
  const std::string file = "--set run.tuning_file=tuning.jsonl --set gauge.files=field.000002.nersc " + again;
  const auto calm = propagator(file);
  ASSERT_EQ(calm.code, 0) << calm.err;
  EXPECT_EQ(calm.err.find("tuning"), std::string::npos) << calm.err;
  const std::string result = contents(box_ / "pion.h5");
  box_.write("tuning.jsonl", "this is no tuning file\n");
  for (const char* mode : {"on", "read-only"}) {
    const auto warned = propagator(file + "--set run.tuning=" + mode, 2);
    ASSERT_EQ(warned.code, 0) << warned.err;
    EXPECT_NE(warned.err.find("tuning.jsonl"), std::string::npos) << warned.err;
    EXPECT_TRUE(contents(box_ / "pion.h5") == result);
    EXPECT_EQ(contents(box_ / "tuning.jsonl"), "this is no tuning file\n");
  }
  const auto off = propagator(file + "--set run.tuning=off");
  ASSERT_EQ(off.code, 0) << off.err;
  EXPECT_EQ(off.err.find("tuning.jsonl"), std::string::npos) << off.err;
  EXPECT_TRUE(contents(box_ / "pion.h5") == result);
}

}  // namespace
}  // namespace plaq::program_solvers_test
