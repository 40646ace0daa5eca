// Three-point functions of a job: the scalar current summed over the lattice is minus the derivative of the job's
// two-point functions by the mass (Feynman, Hellmann), at point and smeared sinks behind the boundary in time; the
// same numbers on any number of ranks.
#include <fmt/format.h>

#include <complex>

#include "tests/jobs/program/propagator_program.hpp"

namespace plaq {
namespace {

using ComplexNumber = std::complex<double>;
using test::expect_failure;
using test::Numbers;

class ProgramThreePoint : public test::PropagatorProgram {};

std::vector<ComplexNumber> of_time(const Numbers& numbers, const std::string& path) {
  const auto values = numbers.at(path).at(0).at(0).values;
  std::vector<ComplexNumber> c;
  for (std::size_t t = 0; 2 * t < values.size(); ++t) c.emplace_back(values[2 * t], values[2 * t + 1]);
  return c;
}

TEST_F(ProgramThreePoint, ScalarCurrentsAreDerivativesByTheMass) {
  const double mass = 0.9, step = 1e-4;
  const auto of_mass = [&](double m) {
    return fmt::format(
        "--set action.kappa={:.17g} --set 'gauge.files=[\"field.000004.nersc\"]' --set "
        "solver.tolerance=1e-13 "
        "--set solver.precision=double --set source.position=[0,1,2,6] --set quark_smearing.steps=3 "
        "--set quark_smearing.sigma=1.2 --set 'correlators.sinks=[\"point\", \"smeared\"]' "
        "--set 'correlators.channels=[\"pion\", \"proton\"]' ",
        1 / (2 * (4 + m)));
  };
  const std::string three_point =
      "--set 'three_point.insertions=[\"pion\", \"proton_u\", \"proton_d\"]' --set three_point.sink_time=3 ";
  const Numbers above = run("above", of_mass(mass + step)), below = run("below", of_mass(mass - step));
  for (const std::string sink : {"point", "smeared"}) {
    const std::string more =
        of_mass(mass) + three_point + (sink == "smeared" ? "--set three_point.smeared_sink=true " : "");
    const Numbers found = run(sink, more);
    const auto slope = [&](const std::string& channel) {
      const std::string path = "/correlators/" + channel + "/p_0_0_0/" + sink;
      return (of_time(above, path)[3] - of_time(below, path)[3]) / (2 * step);
    };
    const auto summed = [&](const std::string& insertion) {
      ComplexNumber sum = 0.0;
      for (const ComplexNumber& z : of_time(found, "/three_point/" + insertion + "/scalar/p_0_0_0")) sum += z;
      return sum;
    };
    EXPECT_LT(std::abs(slope("pion") + 2 * summed("pion").real()), 1e-6 * std::abs(slope("pion"))) << sink;
    EXPECT_LT(std::abs(slope("proton") + summed("proton_u") + summed("proton_d")),
              1e-6 * std::abs(slope("proton")))
        << sink;
    EXPECT_EQ(found.at("/three_point/proton_u/true_residual").at(0).at(0).values.size(), 12u);
    if (sink == "point") continue;
    for (const int ranks : {2, 4}) EXPECT_EQ(run(sink + std::to_string(ranks), more, ranks), found) << ranks;
  }
}

TEST_F(ProgramThreePoint, RefusesWhatHasNoSink) {
  const std::string pion = "--set 'three_point.insertions=[\"pion\"]' ";
  expect_failure(propagator(pion), 3, {"sink_time", "[three_point]"});
  expect_failure(propagator(pion + "--set three_point.sink_time=8"), 3, {"sink_time", "1 to 7"});
  expect_failure(propagator(pion + "--set three_point.sink_time=3 --set three_point.smeared_sink=true"), 3,
                 {"smeared_sink", "quark_smearing"});
  expect_failure(
      propagator("--set 'three_point.insertions=[\"proton_u\"]' --set three_point.sink_time=3 --set "
                 "source.type=z2 --set source.seed=1"),
      3, {"insertions", "noise"});
}

}  // namespace
}  // namespace plaq
