// Kinds of sources and written propagators: what programs of others would read from our files, against the
// results.
#include <algorithm>
#include <cmath>
#include <complex>

#include "tests/jobs/program/propagator_program.hpp"
#include "tests/reference/baryons.hpp"
#include "tests/reference/correlators.hpp"
#include "tests/reference/gamma.hpp"
#include "tests/reference/lime.hpp"
#include "tests/reference/propagator.hpp"

namespace plaq {
namespace {

using reference::Complex;
using test::contents;
using test::expect_failure;
using test::Numbers;
using test::pion;

constexpr const char* written = "--set output.propagators=scidac ";

class ProgramSources : public test::PropagatorProgram {
 protected:
  static reference::Propagator zero(const reference::Lattice& lattice) {
    reference::Propagator s;
    s.fill(reference::zero_spinor(lattice));
    return s;
  }
  // What a written propagator has, by its bytes alone.
  reference::Propagator from_scidac(const std::string& name, const reference::Lattice& lattice) const {
    reference::Propagator s = zero(lattice);
    for (const auto& record : reference::lime_records(contents(box_ / name)))
      if (record.type == "scidac-binary-data") {
        const auto columns = reference::qdp_propagator(record.data, lattice, 64);
        std::copy(columns.begin(), columns.end(), s.begin());
        return s;
      }
    ADD_FAILURE() << name << " has no data";
    return s;
  }
  // [t][z][y][x][source spin][source color][sink spin][sink color][re, im]
  reference::Propagator from_hdf5(const std::string& name, const reference::Lattice& lattice) const {
    const auto numbers = test::read_numbers((box_ / name).string()).at("/propagator");
    reference::Propagator s = zero(lattice);
    auto at = numbers.values.begin();
    for (std::size_t site = 0; site < s[0].size(); ++site)
      for (auto& column : s)
        for (auto& spin : column[site])
          for (auto& z : spin) {
            z = {at[0], at[1]};
            at += 2;
          }
    EXPECT_EQ(at, numbers.values.end());
    return s;
  }
};

// sum of |S|^2 of each time slice
std::vector<double> norms(const reference::Lattice& lattice, const reference::Propagator& s) {
  std::vector<double> sums(static_cast<std::size_t>(lattice.extents[3]));
  for (const auto& column : s)
    for (std::size_t x = 0; x < column.size(); ++x)
      for (const auto& spin : column[x])
        for (const auto& z : spin)
          sums[static_cast<std::size_t>(lattice.coordinates(static_cast<int>(x))[3])] += std::norm(z);
  return sums;
}

// The delta, and a spin matrix of another baryon whose other parity was asked for.
void expect_baryons(const Numbers& found, std::size_t file, std::size_t source,
                    const reference::Lattice& lattice, const reference::Propagator& s,
                    const std::array<int, 3>& n, const reference::Coordinates& at) {
  using reference::gamma;
  const auto unit = reference::SpinMatrix::unit(), c = gamma(3) * gamma(1), g5 = reference::gamma5();
  const auto of_job = [&](const std::string& channel) {
    return found.at("/correlators/" + channel + "/p_1_0_-1/point").at(file).at(source).values;
  };
  const reference::Interpolator chi_1{c * g5, unit, {{1, {0, 1, 0}}}}, chi_2{c, g5, {{1, {0, 1, 0}}}};
  std::vector<reference::BaryonSum> delta;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      delta.push_back({(i == j ? unit : reference::SpinMatrix()) - Complex(1.0 / 3) * (gamma(i) * gamma(j)),
                       {c * gamma(j), unit, {{1, {0, 0, 0}}}},
                       {c * gamma(i), unit, {{1, {0, 0, 0}}}}});
  const auto mixed = reference::baryon(lattice, {&s, &s, &s}, {{unit, chi_2, chi_1}}, n, at, -1),
             spin_3_2 = reference::baryon(lattice, {&s, &s, &s}, delta, n, at, -1);
  const auto matrix = of_job("proton_21_matrix"), minus = of_job("proton_21_minus"), plus = of_job("delta");
  ASSERT_EQ(matrix.size(), 8 * 32u);
  ASSERT_EQ(plus.size(), 16u);
  double scale = 0;
  for (const auto& x : spin_3_2) scale = std::max(scale, std::abs(trace(x)));
  const auto expect = [&](const std::vector<double>& values, std::size_t k, const Complex& z) {
    EXPECT_LT(std::abs(Complex(values[2 * k], values[2 * k + 1]) - z), 1e-12 * scale) << k;
  };
  for (std::size_t t = 0; t < 8; ++t) {
    for (std::size_t i = 0; i < 16; ++i)
      expect(matrix, 16 * t + i, mixed[t](static_cast<int>(i / 4), static_cast<int>(i % 4)));
    expect(minus, t, trace(0.5 * ((unit - gamma(3)) * mixed[t])));
    expect(plus, t, trace(0.5 * ((unit + gamma(3)) * spin_3_2[t])));
  }
}

// The traces of matrices of spin by hand are the correlators of both parities.
void expect_traces(const Numbers& found, std::size_t file, std::size_t source) {
  const auto half = Complex(0.5) * (reference::SpinMatrix::unit() + reference::gamma(3));
  const auto other = Complex(0.5) * (reference::SpinMatrix::unit() - reference::gamma(3));
  const auto of_job = [&](const std::string& channel) {
    return found.at("/correlators/" + channel + "/p_0_0_0/point").at(file).at(source).values;
  };
  for (const auto& [channel, matrix_of, projector] : {std::tuple{"proton", "proton", half},
                                                      {"proton_21_minus", "proton_21", other},
                                                      {"delta", "delta", half}}) {
    SCOPED_TRACE(channel);
    const auto matrix = of_job(std::string(matrix_of) + "_matrix"), correlator = of_job(channel);
    ASSERT_EQ(matrix.size(), 16 * correlator.size());
    for (std::size_t t = 0; 2 * t < correlator.size(); ++t) {
      Complex trace = 0;
      double scale = 0;
      for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j) {
          const std::size_t k = 2 * (16 * t + 4 * i + j);
          const Complex z(matrix[k], matrix[k + 1]);
          trace += projector(static_cast<int>(j), static_cast<int>(i)) * z;
          scale += std::abs(z);
        }
      EXPECT_LT(std::abs(Complex(correlator[2 * t], correlator[2 * t + 1]) - trace), 1e-13 * scale) << t;
    }
  }
}

TEST_F(ProgramSources, WrittenPropagatorsGiveTheCorrelators) {
  const reference::Lattice lattice{{4, 4, 4, 8}};
  const std::string more =
      "--set source.count=2 --set source.position=[0,1,2,5] --set source.shift=[1,1,1,4] "
      "--set 'correlators.channels=[\"pion\", \"rho_y\", \"axial_pseudoscalar\", \"proton\", "
      "\"proton_21_minus\", \"delta\"]' --set correlators.spin_matrix=true "
      "--set correlators.max_momentum_squared=2 --set output.overwrite=true ";
  const Numbers found = run("pion", more + written);
  std::map<std::string, std::string> alone;
  const auto expect_same_files = [&](int ranks) {
    for (const auto& entry : std::filesystem::directory_iterator(box_ / ""))
      if (const std::string name = entry.path().filename().string();
          name.find(".prop.") != std::string::npos) {
        if (ranks == 1) alone[name] = contents(entry.path());
        EXPECT_TRUE(contents(entry.path()) == alone[name]) << name;
      }
  };
  run("pion", more + "--set output.propagators=hdf5");
  expect_same_files(1);
  EXPECT_EQ(alone.size(), 8u);  // two fields, two sources, two formats
  EXPECT_EQ(run("pion", more + written, 4), found);
  EXPECT_EQ(run("pion", more + "--set output.propagators=hdf5", 2), found);
  expect_same_files(2);

  using reference::gamma;
  const auto g5 = reference::gamma5();
  const auto unit = reference::SpinMatrix::unit();
  const reference::Coordinates positions[] = {{0, 1, 2, 5}, {1, 2, 3, 1}};
  const char* const fields[] = {"field.000002.nersc", "field.000004.nersc"};
  for (std::size_t file = 0; file < 2; ++file)
    for (std::size_t source = 0; source < 2; ++source) {
      const std::string name = std::string(fields[file]) + ".s" + std::to_string(source) + ".prop.";
      const auto s = from_scidac(name + "lime", lattice);
      EXPECT_TRUE(s == from_hdf5(name + "h5", lattice)) << name;
      const std::array<int, 3> p{1, 0, -1};
      const auto& at = positions[source];
      const std::vector<std::tuple<std::string, reference::CorrelatorInTime>> expected = {
          {"pion/p_0_0_0", reference::meson(lattice, s, s, g5, g5, {0, 0, 0}, at)},
          {"pion/p_1_0_-1", reference::meson(lattice, s, s, g5, g5, p, at)},
          {"rho_y/p_1_0_-1", reference::meson(lattice, s, s, gamma(1), gamma(1), p, at)},
          {"axial_pseudoscalar/p_0_0_0", reference::meson(lattice, s, s, gamma(3) * g5, g5, {0, 0, 0}, at)},
          {"proton/p_1_0_-1", reference::proton(lattice, s, s, 0.5 * (unit + gamma(3)), p, at, -1)}};
      for (const auto& [path, c] : expected) {
        const auto numbers = found.at("/correlators/" + path + "/point").at(file).at(source);
        double scale = 0;
        for (const auto& z : c) scale = std::max(scale, std::abs(z));
        for (std::size_t t = 0; t < 8; ++t)
          EXPECT_LT(std::abs(Complex(numbers.values[2 * t], numbers.values[2 * t + 1]) - c[t]), 1e-13 * scale)
              << path << " t " << t << " of " << name;
      }
      if (file == 1 && source == 1) expect_baryons(found, file, source, lattice, s, p, at);
      expect_traces(found, file, source);
    }
  EXPECT_FALSE(found.contains("/correlators/proton_21/p_0_0_0/point"));
}

TEST_F(ProgramSources, PropagatorsAreNotReplacedUnasked) {
  box_.write("field.000004.nersc.s0.prop.lime", "precious");
  expect_failure(propagator(written, 2), 5, {"field.000004.nersc.s0.prop.lime", "exists"});
  EXPECT_EQ(contents(box_ / "field.000004.nersc.s0.prop.lime"), "precious");
  EXPECT_FALSE(exists("pion.h5"));
  expect_failure(propagator(std::string(written) + "--set output.propagator_directory=nowhere"), 5,
                 {"nowhere"});
  // Two fields of one name, from two directories.
  std::filesystem::create_directory(box_ / "other");
  box_.write("other/field.000002.nersc", contents(box_ / "field.000004.nersc"));
  expect_failure(propagator(std::string(written) +
                            "--set 'gauge.files=[\"field.000002.nersc\", \"other/field.000002.nersc\"]'"),
                 3, {"field.000002.nersc.s0.prop.lime", "both"});
  std::filesystem::remove(box_ / "field.000004.nersc.s0.prop.lime");
  ASSERT_EQ(propagator(written).code, 0);
  std::filesystem::remove(box_ / "field.000004.nersc.s0.prop.lime");
  expect_failure(propagator(written), 5, {"pion.h5", "field.000004.nersc.s0.prop.lime is missing"});
}

// On a slice of 2x2x2 sites every source is a sum of points, and so is its propagator.
TEST_F(ProgramSources, SourcesOnASliceAreSumsOfPoints) {
  box_.write("generate.toml", test::generate_job);
  ASSERT_EQ(box_.plaq("run generate.toml --set lattice.extents=[2,2,2,4] --set update.configurations=1 "
                      "--set output.prefix=small")
                .code,
            0);
  const reference::Lattice lattice{{2, 2, 2, 4}};
  constexpr int t = 3;
  const std::string job = std::string(written) +
                          "--set gauge.files=small.000002.nersc --set solver.tolerance=1e-12 " +
                          "--set output.overwrite=true --set source.position=";
  std::vector<reference::Propagator> points;  // x, y, z; x fastest
  for (const char* at : {"[0,0,0,3]", "[0,1,0,3]", "[0,0,1,3]", "[0,1,1,3]"}) {
    run("points", job + at + " --set source.count=2 --set source.shift=[1,0,0,0]");
    for (const char* name : {"small.000002.nersc.s0.prop.lime", "small.000002.nersc.s1.prop.lime"})
      points.push_back(from_scidac(name, lattice));
  }
  const auto sum_of_points = [&](const std::vector<Complex>& weights) {
    reference::Propagator sum = zero(lattice);
    for (std::size_t i = 0; i < 8; ++i)
      for (std::size_t column = 0; column < 12; ++column)
        reference::add(sum[column], weights[i], points[i][column]);
    return sum;
  };
  const auto distance = [&](const reference::Propagator& a, const reference::Propagator& b) {
    double most = 0;
    for (std::size_t column = 0; column < 12; ++column)
      most = std::max(most, reference::relative_difference(a[column], b[column]));
    return most;
  };
  const auto solved = [&](const std::string& name, const std::string& more) {
    const Numbers found = run(name, job + "[0,0,0," + std::to_string(t) + "] " + more, 2);
    const auto s = from_scidac("small.000002.nersc.s0.prop.lime", lattice);
    const auto expected = norms(lattice, s);
    for (std::size_t i = 0; i < 4; ++i)  // t counts from the source
      EXPECT_NEAR(found.at(pion).values[2 * i] / expected[(i + t) % 4], 1, 1e-13) << name;
    return s;
  };
  EXPECT_LT(distance(solved("wall", "--set source.type=wall"), sum_of_points(std::vector<Complex>(8, 1.0))),
            1e-10);
  std::vector<Complex> phases;
  for (int i = 0; i < 8; ++i) phases.emplace_back((i & 1) + (i >> 2 & 1) == 1 ? -1.0 : 1.0);  // pi (x + z)
  EXPECT_LT(distance(solved("momentum", "--set source.type=momentum --set source.momentum=[1,0,1]"),
                     sum_of_points(phases)),
            1e-10);
  const auto noise = solved("noise", "--set source.type=z2 --set source.seed=5");
  int patterns = 0;
  for (unsigned bits = 0; bits < 256; ++bits) {
    std::vector<Complex> signs;
    for (unsigned i = 0; i < 8; ++i) signs.emplace_back(bits >> i & 1 ? -1.0 : 1.0);
    patterns += distance(noise, sum_of_points(signs)) < 1e-10 ? 1 : 0;
  }
  EXPECT_EQ(patterns, 1);
}

// A plain Gaussian in Coulomb gauge; 1 + clover - kappa hop is 2 kappa times our matrix, and the correlator an average
// over the slice of 64 sites.
TEST_F(ProgramSources, GaussianOfAnotherProgram) {
  if (test::foreign_fields().empty()) GTEST_SKIP() << "PLAQ_DATA_DIR is not set";
  const Numbers found =
      run("gaussian", "--set gauge.files=" + test::foreign_fields() +
                          "l4444_coulomb.nersc --set action.type=clover --set action.kappa=0.1 "
                          "--set action.c_sw=1.2 --set action.boundary=[1,1,1,1] --set "
                          "source.type=gaussian --set source.width=1.5");
  constexpr double expected[] = {4.408245, 0.2786407, 0.06210014, 0.2631308};
  for (std::size_t t = 0; t < 4; ++t)
    EXPECT_NEAR(found.at(pion).values[2 * t] / (64 * 4 * 0.1 * 0.1) / expected[t], 1, 2e-5) << "t " << t;
}

TEST_F(ProgramSources, NoiseBelongsToItsSeed) {
  for (const std::string type : {"z2", "z4"}) {
    const std::string job = "--set source.count=2 --set source.type=" + type + " --set source.seed=";
    const Numbers one = run(type + "one", job + "7"), again = run(type + "again", job + "7", 4),
                  other = run(type + "other", job + "8");
    EXPECT_EQ(one, again);
    for (std::size_t source = 0; source < 2; ++source)
      EXPECT_NE(one.at(pion).at(0).at(source), other.at(pion).at(0).at(source)) << type;
    EXPECT_NE(one.at(pion).at(0).at(0), one.at(pion).at(0).at(1)) << type;  // samples
  }
}

}  // namespace
}  // namespace plaq
