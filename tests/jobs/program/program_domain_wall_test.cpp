// Propagator jobs of domain-wall quarks: residual and PCAC masses hang together with the correlators of the
// same file, the same bytes on any ranks, and what is wrong with a job.
#include <cmath>

#include "tests/jobs/program/propagator_program.hpp"

namespace plaq {
namespace {

using test::contents;
using test::expect_failure;
using test::Numbers;

const std::string wall =
    "--set action.type=domain_wall --set action.kappa= --set action.mass=0.1 --set action.m0=1.6 ";
const std::string one = "--set gauge.files=field.000002.nersc ";
const std::string channels = "--set 'correlators.channels=[\"pion\", \"axial_pseudoscalar\"]' ";
const std::string midpoint = "--set correlators.residual_mass=midpoint ";

class ProgramDomainWall : public test::PropagatorProgram {};

TEST_F(ProgramDomainWall, MassesAreThoseOfTheCorrelators) {
  const std::string more = wall + one + channels + midpoint +
                           "--set action.n_s=4 --set source.count=2 --set source.shift=[1,2,0,3] "
                           "--set output.overwrite=true ";
  const Numbers found = run("wall", more);
  ASSERT_EQ(found.size(), 2u + 1 + 5 + 4 + 1 + 1);  // the last: positions of sources
  const std::vector<std::size_t> number{1, 2}, in_time{1, 2, 8};
  EXPECT_EQ(found.at("/residual_mass/summed").extents, number);
  EXPECT_EQ(found.at("/residual_mass/midpoint_plateau").extents, number);
  EXPECT_EQ(found.at("/residual_mass/midpoint").extents, in_time);
  EXPECT_EQ(found.at("/residual_mass/pcac").extents, in_time);
  for (std::size_t source = 0; source < 2; ++source) {
    const auto of = [&](const std::string& path) { return found.at(path).at(0).at(source).values; };
    const auto pion = of(test::pion), mid = of("/correlators/midpoint_pion/p_0_0_0/point"),
               axial = of("/correlators/axial_pseudoscalar/p_0_0_0/point");
    const auto ratio = of("/residual_mass/midpoint"), pcac = of("/residual_mass/pcac");
    const auto summed = of("/residual_mass/summed"), plateau = of("/residual_mass/midpoint_plateau"),
               pcac_plateau = of("/residual_mass/pcac_plateau");
    double all_mid = 0, all_pion = 0, average = 0, pcac_average = 0;
    for (std::size_t t = 0; t < 8; ++t) {
      EXPECT_NEAR(ratio[t], mid[2 * t] / pion[2 * t], 1e-14);
      EXPECT_NEAR(pcac[t], (axial[2 * ((t + 1) % 8)] - axial[2 * ((t + 7) % 8)]) / (4 * pion[2 * t]), 1e-14);
      EXPECT_GT(ratio[t], 0);
      all_mid += mid[2 * t];
      all_pion += pion[2 * t];
      if (t < 2 || t > 6) continue;  // the middle half
      average += ratio[t] / 5;
      pcac_average += pcac[t] / 5;
    }
    EXPECT_NEAR(summed[0], all_mid / all_pion, 1e-7);  // the Ward identity
    EXPECT_NEAR(plateau[0], average, 1e-15);
    EXPECT_NEAR(pcac_plateau[0], pcac_average, 1e-14);
    EXPECT_GT(pcac_average, 0.05);
  }
  const std::string bytes = contents(box_ / "wall.h5");
  for (const auto& [ranks, other] : {std::pair{2, ""}, {1, "--set solver.columns=4"}}) {
    run("wall", more + other, ranks);
    if (ranks > 1) {
      EXPECT_TRUE(contents(box_ / "wall.h5") == bytes) << "other bytes on " << ranks << " ranks";
    }
    const Numbers again = test::read_numbers((box_ / "wall.h5").string());
    EXPECT_EQ(again, found) << other;
  }
}

// Odd numbers of slices and optimal weights have the summed mass alone; optimal weights of a narrow interval
// around 1 are nearly Borici's.
TEST_F(ProgramDomainWall, SummedMassesAndPlateaus) {
  const std::string summed = wall + one + "--set action.n_s=3 --set correlators.residual_mass=summed ";
  const Numbers borici =
                    run("borici", summed + "--set action.variant=borici --set correlators.plateau=[3,3] "),
                optimal = run("optimal", summed +
                                             "--set action.variant=optimal --set "
                                             "action.bounds=[0.99999,1.00001]");
  for (const Numbers& found : {borici, optimal}) {
    EXPECT_EQ(found.size(), 1u + 3 + 4 + 1 + 1);
    EXPECT_FALSE(found.contains("/residual_mass/midpoint"));
  }
  EXPECT_EQ(borici.at("/residual_mass/pcac_plateau").values[0], borici.at("/residual_mass/pcac").values[3]);
  const double expected = borici.at("/residual_mass/summed").values[0];
  EXPECT_GT(std::abs(expected), 1e-4);
  EXPECT_NEAR(optimal.at("/residual_mass/summed").values[0], expected, 1e-4 * std::abs(expected));
}

// The source is the one that was smeared, and sinks are smeared afterwards.
TEST_F(ProgramDomainWall, SmearedSourcesAndSinks) {
  const std::string more = wall + one + channels + midpoint +
                           "--set action.n_s=4 --set quark_smearing.steps=2 --set quark_smearing.sigma=1 ";
  const Numbers point = run("point", more),
                both = run("both", more +
                                       "--set 'correlators.sinks=[\"point\", \"smeared\"]' --set "
                                       "solver.columns=3");
  for (const auto& [path, numbers] : point) EXPECT_EQ(both.at(path), numbers) << path;
  double all_mid = 0, all_pion = 0;
  for (std::size_t t = 0; t < 8; ++t) {
    all_mid += point.at("/correlators/midpoint_pion/p_0_0_0/point").values[2 * t];
    all_pion += point.at(test::pion).values[2 * t];
  }
  EXPECT_NEAR(point.at("/residual_mass/summed").values[0], all_mid / all_pion, 1e-7);
}

// Weights that are given are those of a variant where they are the same numbers; the Ward identity holds on
// anisotropic lattices and for weights that are the same read backwards, too.
TEST_F(ProgramDomainWall, WeightsOfEachSliceAndAnisotropy) {
  const std::string more = wall + one + midpoint + "--set action.n_s=4 ";
  const std::string same =
      "--set action.omega=[1.5,1.5,1.5,1.5] --set action.sigma=[0.5,0.5,0.5,0.5] --set action.xi=1.25 ";
  const Numbers moebius = run("moebius", more +
                                             "--set action.variant=moebius --set action.b5=1.5 --set "
                                             "action.c5=0.5 --set action.xi=1.25 "),
                general = run("general", more + same);
  EXPECT_EQ(general, moebius);
  const auto values = [&](const Numbers& numbers, const std::string& path) {
    return numbers.at(path).values;
  };
  const auto mid = values(general, "/correlators/midpoint_pion/p_0_0_0/point"),
             pion = values(general, test::pion);
  double all_mid = 0, all_pion = 0;
  for (std::size_t t = 0; t < 8; ++t) all_mid += mid[2 * t], all_pion += pion[2 * t];
  EXPECT_NEAR(values(general, "/residual_mass/summed")[0], all_mid / all_pion, 1e-7);
  const Numbers isotropic = run("isotropic", more + same + "--set action.xi=1.0 ");
  EXPECT_GT(std::abs(values(isotropic, test::pion)[8] / pion[8] - 1), 0.01);
  const std::string palindrome =
      wall + one +
      "--set action.n_s=3 --set correlators.residual_mass=summed --set "
      "action.omega=[1.2,0.7,1.2] --set action.sigma=[0.5,0.1,0.5] --set output.overwrite=true ";
  const Numbers alone = run("palindrome", palindrome);
  EXPECT_GT(std::abs(values(alone, "/residual_mass/summed")[0]), 1e-4);
  const std::string bytes = contents(box_ / "palindrome.h5");
  EXPECT_EQ(run("palindrome", palindrome, 2), alone);
  EXPECT_TRUE(contents(box_ / "palindrome.h5") == bytes) << "other bytes on 2 ranks";
  // Another operator: its result is not that of this job.
  expect_failure(propagator("--set output.file=palindrome.h5 " + palindrome +
                            "--set action.nu=0.9 --set output.overwrite=false"),
                 5, {"palindrome.h5", "exists"});
}

TEST_F(ProgramDomainWall, WrongJobs) {
  const struct {
    std::string more;
    std::vector<std::string> parts;
  } all[] = {
      {midpoint, {"residual_mass", "is of domain-wall quarks", "type = \"domain_wall\""}},
      {wall + midpoint + "--set action.n_s=5", {"residual_mass", "n_s = 5, has no midpoint", "\"summed\""}},
      {wall + midpoint + "--set action.n_s=4 --set action.variant=optimal",
       {"residual_mass", "the same weights", "\"summed\""}},
      {wall + "--set action.n_s=4 --set correlators.plateau=[2,4]", {"plateau", "residual_mass"}},
      {wall + "--set action.n_s=4 --set action.omega=[1,2,3]", {"sigma", "come together"}},
      {wall + "--set action.n_s=4 --set action.omega=[1,1,1,1] --set action.sigma=[1,1,1]",
       {"action.sigma", "found 3 numbers", "n_s = 4"}},
      {wall +
           "--set action.n_s=2 --set action.omega=[1,1] --set action.sigma=[1,1] --set action.variant=borici",
       {"variant", "'omega' or 'sigma' is given"}},
      {wall + "--set action.n_s=2 --set action.omega=[1,1] --set action.sigma=[1,1] --set action.b5=1.5",
       {"b5", "moebius"}},
      {wall + "--set action.n_s=2 --set action.omega=[1,0] --set action.sigma=[1,1]",
       {"omega", "greater than 0"}},
      {wall + midpoint + "--set action.n_s=2 --set action.omega=[1,2] --set action.sigma=[0.5,1.5]",
       {"residual_mass", "the same weights", "\"summed\""}},
      {wall + "--set action.n_s=2 --set action.omega=[1,2] --set action.sigma=[1,1] --set "
              "correlators.residual_mass=summed",
       {"residual_mass", "gamma5-hermitian"}},
      {wall + midpoint + "--set action.n_s=4 --set correlators.plateau=[4,2]", {"plateau", "comes after"}},
      {wall + midpoint + "--set action.n_s=4 --set correlators.plateau=[2,8] --set lattice.extents=[4,4,4,8]",
       {"plateau", "0 to 7"}},
      {wall + midpoint + "--set action.n_s=4 --set correlators.plateau=[2,8]", {"plateau", "0 to 7"}},
  };
  for (const auto& wrong : all) {
    SCOPED_TRACE(wrong.more);
    expect_failure(propagator(wrong.more), 3, wrong.parts);
  }
  EXPECT_FALSE(exists("pion.h5"));
}

}  // namespace
}  // namespace plaq
