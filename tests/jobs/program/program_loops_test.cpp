// loops jobs from end to end: full dilution against the inverse of a dense matrix, noise against its exact variance, the
// same files on any ranks and grown.
#include <cmath>
#include <complex>
#include <map>
#include <numbers>

#include "tests/jobs/program/program.hpp"
#include "tests/jobs/results/result_data.hpp"
#include "tests/reference/dense.hpp"
#include "tests/reference/gamma.hpp"
#include "tests/reference/nersc.hpp"
#include "tests/reference/staggered.hpp"
#include "tests/reference/wilson.hpp"

namespace plaq {
namespace {

using ComplexNumber = std::complex<double>;
using reference::ComplexDense;
using reference::SpinMatrix;
using test::contents;
using test::expect_failure;
using Numbers = std::map<std::string, test::StoredNumbers>;

constexpr const char* loops_job = R"(job = "loops"
[gauge]
files = ["field.*.nersc"]
[action]
kappa = 0.13
[noise]
seed = 7
vectors = 4
[dilution]
time = 2
even_odd = true
[solver]
tolerance = 1e-9
[output]
file = "loops.h5"
[run]
location = "host"
threads = 1
)";

const std::array<int, 4> small{2, 2, 2, 4};

class LoopsJob : public testing::Test {
 protected:
  void make_fields(const std::string& more = "") {
    box_.write("generate.toml", test::generate_job);
    box_.write("loops.toml", loops_job);
    const auto outcome = box_.plaq("run generate.toml " + more);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  void make_small_field() { make_fields("--set lattice.extents=[2,2,2,4] --set update.configurations=1"); }
  Numbers run(const std::string& more = "", int ranks = 1) const {
    const auto outcome = box_.plaq("run loops.toml --set output.overwrite=true " + more, ranks);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.code == 0 ? test::read_numbers((box_ / "loops.h5").string()) : Numbers{};
  }
  reference::GaugeField small_field() const {
    return reference::read_nersc((box_ / "field.000002.nersc").string()).gauge;
  }
  test::Sandbox box_;
};

// Row and column: components * site + component.
template <class ReferenceField, class Apply>
ComplexDense inverse_of(int components, const Apply& apply) {
  const reference::Lattice lattice{small};
  ComplexDense m(components * lattice.volume());
  for (int column = 0; column < m.size(); ++column) {
    ReferenceField in(static_cast<std::size_t>(lattice.volume()));
    auto* first = reinterpret_cast<ComplexNumber*>(in.data());
    first[column] = 1;
    const ReferenceField out = apply(in);
    const auto* values = reinterpret_cast<const ComplexNumber*>(out.data());
    for (int row = 0; row < m.size(); ++row) m(row, column) = values[row];
  }
  return m.inverse();
}

ComplexDense wilson_inverse(const reference::GaugeField& gauge) {
  reference::WilsonParameters parameters;
  parameters.mass = reference::mass_from_kappa(0.13);
  return inverse_of<reference::SpinorField>(
      12, [&](const reference::SpinorField& in) { return reference::wilson(parameters, gauge, in); });
}

const std::string fully = "--set dilution.time=4 --set dilution.space=[2,2,2] --set dilution.even_odd=false ";

// tr[Gamma M^-1(x, x)] with the phases of a momentum, by slices.
std::vector<ComplexNumber> exact_loop(const ComplexDense& inverse, const SpinMatrix& gamma,
                                      const std::array<int, 3>& n) {
  const reference::Lattice lattice{small};
  std::vector<ComplexNumber> loop(4);
  for (int site = 0; site < lattice.volume(); ++site) {
    const auto x = lattice.coordinates(site);
    double angle = 0;
    for (std::size_t mu = 0; mu < 3; ++mu) angle -= 2 * std::numbers::pi * n[mu] * x[mu] / small[mu];
    ComplexNumber trace = 0;
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b)
        for (int i = 0; i < 3; ++i)
          trace += gamma(a, b) * inverse(12 * site + 3 * b + i, 12 * site + 3 * a + i);
    loop[static_cast<std::size_t>(x[3])] += std::polar(1.0, angle) * trace;
  }
  return loop;
}

TEST_F(LoopsJob, FullDilutionIsExact) {
  make_small_field();
  const ComplexDense inverse = wilson_inverse(small_field());
  std::map<std::string, SpinMatrix> gammas = {{"scalar", SpinMatrix::unit()},
                                              {"pseudoscalar", reference::gamma5()}};
  const std::string xyzt = "xyzt";
  const ComplexNumber half_i{0, 0.5};
  for (int mu = 0; mu < 4; ++mu) {
    const std::string name(1, xyzt[static_cast<std::size_t>(mu)]);
    gammas["vector_" + name] = reference::gamma(mu);
    gammas["axial_" + name] = reference::gamma(mu) * reference::gamma5();
    for (int nu = mu + 1; nu < 4; ++nu)
      gammas["tensor_" + name + xyzt[static_cast<std::size_t>(nu)]] =
          half_i *
          (reference::gamma(mu) * reference::gamma(nu) - reference::gamma(nu) * reference::gamma(mu));
  }
  for (const char* noise : {"z2", "u1"}) {
    const Numbers found =
        run(fully + "--set dilution.spin=true --set dilution.color=true --set noise.vectors=1 " +
            "--set loops.max_momentum_squared=1 --set solver.tolerance=1e-13 " + "--set noise.type=" + noise);
    ASSERT_TRUE(found.contains("/solves/true_residual"));
    EXPECT_EQ(found.at("/solves/true_residual").extents, (std::vector<std::size_t>{1, 1, 384}));
    EXPECT_EQ(gammas.size(), 16u);
    double scalar = 0;
    for (const auto& [name, gamma] : gammas)
      for (const std::array<int, 3>& n : {std::array{0, 0, 0}, std::array{0, 1, 0}, std::array{0, 0, 1}}) {
        const auto expected = exact_loop(inverse, gamma, n);
        const std::string path =
            name + "/p_" + std::to_string(n[0]) + "_" + std::to_string(n[1]) + "_" + std::to_string(n[2]);
        ASSERT_TRUE(found.contains("/noise/" + path)) << path;
        const auto values = found.at("/noise/" + path).at(0).at(0).values;
        EXPECT_EQ(values, found.at("/loops/" + path).at(0).values);
        ASSERT_EQ(values.size(), 8u);
        for (std::size_t t = 0; t < 4; ++t)
          EXPECT_LT(std::abs(ComplexNumber(values[2 * t], values[2 * t + 1]) - expected[t]), 1e-10)
              << path << t;
        if (name == "scalar" && n == std::array{0, 0, 0})
          for (const ComplexNumber& z : expected) scalar += z.real();
      }
    EXPECT_NEAR(found.at("/loops/condensate").values.at(0), scalar / 32, 1e-12);
  }
}

TEST_F(LoopsJob, StaggeredCondensateIsExact) {
  make_small_field();
  reference::StaggeredParameters parameters;
  parameters.mass = 0.2;
  const reference::GaugeField gauge = small_field();
  const reference::StaggeredLinks links{gauge, gauge};  // no hops of three links
  const ComplexDense inverse = inverse_of<reference::ColorField>(
      3, [&](const reference::ColorField& in) { return reference::staggered(parameters, links, in); });
  ComplexNumber trace = 0;
  for (int i = 0; i < inverse.size(); ++i) trace += inverse(i, i);
  const std::string staggered = "--set action.type=staggered --set action.mass=0.2 --set noise.vectors=1 ";
  std::string job = loops_job;
  job.erase(job.find("kappa = 0.13\n"), std::string("kappa = 0.13\n").size());
  box_.write("loops.toml", job);
  const Numbers found = run(staggered + fully + "--set dilution.color=true --set solver.tolerance=1e-13");
  ASSERT_TRUE(found.contains("/loops/condensate"));
  EXPECT_NEAR(found.at("/loops/condensate").values.at(0), trace.real() / 32, 1e-12);
  EXPECT_FALSE(found.contains("/noise/vector_x/p_0_0_0"));
  expect_failure(box_.plaq("run loops.toml --set dilution.spin=true " + staggered), 3, {"spin"});
}

// Z2: the variance of eta^T A eta is half the sum over i != j of (A_ij + A_ji)^2, of the real part of A; A is the scalar
// loop's M^-1. Means of 16 vectors have a sixteenth of it.
TEST_F(LoopsJob, ErrorsFallWithTheNumberOfVectors) {
  make_small_field();
  const ComplexDense inverse = wilson_inverse(small_field());
  double mean = 0, variance = 0;
  for (int i = 0; i < inverse.size(); ++i) {
    mean += inverse(i, i).real();
    for (int j = 0; j < i; ++j) variance += std::norm((inverse(i, j) + inverse(j, i)).real());
  }
  constexpr std::size_t vectors = 768;
  const Numbers found =
      run("--set noise.type=z2 --set dilution.time=1 --set dilution.even_odd=false --set "
          "'loops.currents=[\"scalar\"]' --set noise.vectors=768");
  ASSERT_TRUE(found.contains("/noise/scalar/p_0_0_0"));
  const auto& values = found.at("/noise/scalar/p_0_0_0");
  ASSERT_EQ(values.extents, (std::vector<std::size_t>{1, vectors, 4, 2}));
  std::vector<double> traces(vectors);
  for (std::size_t v = 0; v < vectors; ++v)
    for (std::size_t t = 0; t < 4; ++t) traces[v] += values.values[8 * v + 2 * t];
  const auto spread = [&](std::size_t together) {
    double square = 0;
    for (std::size_t first = 0; first < vectors; first += together) {
      double sum = 0;
      for (std::size_t v = first; v < first + together; ++v) sum += traces[v] - mean;
      square += sum * sum / static_cast<double>(together * together);
    }
    return square / static_cast<double>(vectors / together);
  };
  double average = 0;
  for (const double trace : traces) average += trace / static_cast<double>(vectors);
  EXPECT_LT(std::abs(average - mean), 5 * std::sqrt(variance / static_cast<double>(vectors)));
  EXPECT_GT(std::sqrt(variance), 1e-2 * mean);
  for (const std::size_t together : {1u, 16u}) {
    const double count = static_cast<double>(vectors / together);
    EXPECT_NEAR(spread(together) * static_cast<double>(together) / variance, 1, 5 * std::sqrt(2 / count))
        << together;
  }
}

TEST_F(LoopsJob, SameFilesOnAnyRanksInAnyBatchAndGrown) {
  make_fields();
  const std::string keys = "--set loops.max_momentum_squared=1 --set noise.type=u1 ";
  std::string alone;
  for (const auto& [ranks, more] : {std::pair{1, ""},
                                    {2, ""},
                                    {4, "--set comms.process_grid=[2,1,1,2]"},
                                    {1, "--set 'comms.force_partition=[\"x\", \"y\", \"z\", \"t\"]'"}}) {
    SCOPED_TRACE(std::to_string(ranks) + more);
    const Numbers found = run(keys + more, ranks);
    const std::string bytes = contents(box_ / "loops.h5");
    if (alone.empty()) alone = bytes;
    EXPECT_TRUE(bytes == alone) << "other bytes";
    ASSERT_TRUE(found.contains("/noise/tensor_zt/p_0_0_1"));
    EXPECT_EQ(found.at("/noise/tensor_zt/p_0_0_1").extents, (std::vector<std::size_t>{2, 4, 8, 2}));
    EXPECT_EQ(found.at("/loops/tensor_zt/p_0_0_1").extents, (std::vector<std::size_t>{2, 8, 2}));
    EXPECT_EQ(found.at("/solves/true_residual").extents, (std::vector<std::size_t>{2, 4, 4}));
    EXPECT_EQ(found.at("/loops/condensate").extents, (std::vector<std::size_t>{2}));
  }
  // A field that comes later is added, and the first one not solved again; averages are there of both.
  run(keys + "--set 'gauge.files=[\"field.000002.nersc\"]'");
  const auto more = box_.plaq("run loops.toml " + keys);
  EXPECT_EQ(more.code, 0) << more.err;
  EXPECT_TRUE(contents(box_ / "loops.h5") == alone) << "a result that has grown has other bytes";
  const auto whole = run(keys), parts = run(keys + "--set solver.columns=1");
  for (const char* path : {"/noise/scalar/p_0_0_0", "/loops/axial_t/p_1_0_0"})
    EXPECT_EQ(whole.at(path), parts.at(path)) << path;
}

TEST_F(LoopsJob, RefusesWhatDoesNotFit) {
  make_fields();
  expect_failure(box_.plaq("run loops.toml --set dilution.time=3"), 3, {"3 does not divide", "dilution"});
  expect_failure(box_.plaq("run loops.toml --set dilution.space=[2,2,2]"), 3, {"even_odd"});
  expect_failure(box_.plaq("run loops.toml --set lattice.extents=[4,4,4,8] --set dilution.space=[3,1,1]"), 3,
                 {"does not divide"});
  expect_failure(box_.plaq("run loops.toml --set 'loops.currents=[\"pion\"]'"), 3, {"currents"});
}

}  // namespace
}  // namespace plaq
