// Propagator jobs of staggered quarks from end to end: written propagators are M^-1 of the source and give
// the correlators; sources; what is of other quarks.
#include <hdf5.h>

#include <cmath>

#include "io/propagator/hdf5_handle.hpp"
#include "tests/io/propagator/staggered_files.hpp"
#include "tests/jobs/program/propagator_program.hpp"
#include "tests/reference/asqtad.hpp"
#include "tests/reference/nersc.hpp"
#include "tests/reference/sources.hpp"
#include "tests/reference/staggered_correlators.hpp"

namespace plaq::program_staggered_test {
namespace {

using reference::Complex;
using test::contents;
using test::expect_failure;
using test::Numbers;

constexpr const char* fields[] = {"field.000002.nersc", "field.000004.nersc"};
const std::string written = "--set output.propagators=scidac ";
const std::string pion_ps = "/correlators/pion_ps/p_0_0_0/point";

const std::map<std::string, std::vector<std::array<int, 3>>> signs_of{
    {"pion_ps", {{0, 0, 0}}},
    {"pion_sc", {{1, 1, 1}}},
    {"rho_vt", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {"rho_vt_y", {{0, 1, 0}}},
    {"rho_pv", {{1, 1, 0}, {1, 0, 1}, {0, 1, 1}}},
    {"rho_pv_z", {{1, 1, 0}}},
};

std::string all_channels() {
  std::string names;
  for (const auto& [name, signs] : signs_of) names += "\"" + name + "\", ";
  names += "\"nucleon\"";
  return "--set 'correlators.channels=[" + names + "]' ";
}

class ProgramStaggered : public test::PropagatorProgram {
 protected:
  const reference::Lattice lattice{{4, 4, 4, 8}};
  const std::string action =
      "--set action.kappa= --set action.type=staggered --set action.mass=0.3 --set output.overwrite=true ";

  // What a written propagator has, by its bytes alone.
  reference::ColorPropagator from_scidac(const std::string& name) const {
    for (const auto& record : reference::lime_records(contents(box_ / name)))
      if (record.type == "scidac-binary-data") {
        reference::ColorPropagator s;
        s.fill(reference::ColorField(static_cast<std::size_t>(lattice.volume())));
        EXPECT_EQ(record.data.size(), static_cast<std::size_t>(lattice.volume()) * 144);
        std::size_t at = 0;
        const auto next = [&] {
          std::uint64_t word = 0;
          for (int i = 0; i < 8; ++i) word = word << 8 | static_cast<unsigned char>(record.data.at(at++));
          return __builtin_bit_cast(double, word);
        };
        for (std::size_t site = 0; site < s[0].size(); ++site)
          for (auto& column : s)
            for (auto& z : column[site]) {
              const double re = next();
              z = {re, next()};
            }
        return s;
      }
    ADD_FAILURE() << name << " has no data";
    return {};
  }
  reference::ColorPropagator from_hdf5(const std::string& name) const {
    const auto numbers = test::read_numbers((box_ / name).string()).at("/propagator");
    EXPECT_EQ(numbers.extents, (std::vector<std::size_t>{8, 4, 4, 4, 3, 3, 2}));
    reference::ColorPropagator s;
    s.fill(reference::ColorField(static_cast<std::size_t>(lattice.volume())));
    auto at = numbers.values.begin();
    for (std::size_t site = 0; site < s[0].size(); ++site)
      for (auto& column : s)
        for (auto& z : column[site]) {
          z = {at[0], at[1]};
          at += 2;
        }
    return s;
  }
  reference::StaggeredLinks links(const std::string& file) const {
    const auto gauge = reference::read_nersc((box_ / file).string()).gauge;
    return {gauge, gauge};
  }
  // ||b - M s|| of one column over that of b, b being `numbers` in its color.
  double residual(const reference::StaggeredParameters& p, const reference::StaggeredLinks& u,
                  const reference::ColorPropagator& s, const std::vector<Complex>& numbers) const {
    double most = 0;
    for (std::size_t color = 0; color < 3; ++color) {
      reference::ColorField b(numbers.size());
      for (std::size_t x = 0; x < b.size(); ++x) b[x][color] = numbers[x];
      const double norm = std::sqrt(reference::dot(b, b).real());
      reference::add(b, -1.0, reference::staggered(p, u, s[color]));
      most = std::max(most, std::sqrt(reference::dot(b, b).real()) / norm);
    }
    return most;
  }
  std::vector<Complex> point(const reference::Coordinates& x) const {
    std::vector<Complex> numbers(static_cast<std::size_t>(lattice.volume()));
    numbers[static_cast<std::size_t>(lattice.index(x))] = 1.0;
    return numbers;
  }
  void expect_correlators(const Numbers& found, std::size_t file, std::size_t source,
                          const reference::ColorPropagator& s, const reference::Coordinates& at,
                          const std::array<int, 3>& p) const {
    const auto norm = reference::staggered_meson(lattice, s, {{0, 0, 0}}, {0, 0, 0}, at);
    for (const auto& [name, signs] : signs_of) {
      const std::string path = "/correlators/" + name + "/p_" + std::to_string(p[0]) + "_" +
                               std::to_string(p[1]) + "_" + std::to_string(p[2]) + "/point";
      ASSERT_TRUE(found.contains(path)) << path;
      const auto values = found.at(path).at(file).at(source).values;
      const auto expected = reference::staggered_meson(lattice, s, signs, p, at);
      for (std::size_t t = 0; t < 8; ++t)
        EXPECT_LT(std::abs(Complex(values[2 * t], values[2 * t + 1]) - expected[t]),
                  1e-13 * std::abs(norm[0]))
            << path << " t " << t;
    }
    const std::string path = "/correlators/nucleon/p_" + std::to_string(p[0]) + "_" + std::to_string(p[1]) +
                             "_" + std::to_string(p[2]) + "/point";
    ASSERT_TRUE(found.contains(path)) << path;
    const auto values = found.at(path).at(file).at(source).values;
    const auto expected = reference::staggered_nucleon(lattice, s, p, at, -1);
    double scale = 0;
    for (const Complex& z : expected) scale = std::max(scale, std::abs(z));
    for (std::size_t t = 0; t < 8; ++t)
      EXPECT_LT(std::abs(Complex(values[2 * t], values[2 * t + 1]) - expected[t]), 1e-12 * scale)
          << path << " t " << t;
  }
};

TEST_F(ProgramStaggered, PropagatorsAreInversesAndGiveTheCorrelators) {
  const std::string more = action + all_channels() +
                           "--set source.count=2 --set source.position=[0,1,2,5] "
                           "--set source.shift=[1,1,0,4] --set correlators.max_momentum_squared=2 ";
  const Numbers found = run("pion", more + written);
  EXPECT_EQ(run("pion", more + written, 4), found);
  const auto scidac = contents(box_ / "field.000002.nersc.s1.prop.lime");
  EXPECT_EQ(run("pion", more + "--set output.propagators=hdf5", 2), found);
  run("pion", more + written + "--set 'comms.force_partition=[\"y\", \"t\"]'");
  EXPECT_TRUE(contents(box_ / "field.000002.nersc.s1.prop.lime") == scidac);
  EXPECT_EQ(found.at("/solves/true_residual").extents, (std::vector<std::size_t>{2, 2, 3}));

  const reference::Coordinates positions[] = {{0, 1, 2, 5}, {1, 2, 2, 1}};
  for (std::size_t file = 0; file < 2; ++file)
    for (std::size_t source = 0; source < 2; ++source) {
      const std::string name = std::string(fields[file]) + ".s" + std::to_string(source) + ".prop.";
      const auto s = from_scidac(name + "lime");
      EXPECT_TRUE(s == from_hdf5(name + "h5")) << name;
      EXPECT_LT(residual({0.3, {1, 1, 1, -1}, 0}, links(fields[file]), s, point(positions[source])), 1e-8);
      for (const std::array<int, 3>& p : {std::array{0, 0, 0}, std::array{1, 0, -1}, std::array{0, 1, 0}})
        expect_correlators(found, file, source, s, positions[source], p);
    }
}

// The mass as half of its double; boundary signs; asqtad's links from the thin ones.
TEST_F(ProgramStaggered, ConventionsAndImprovedLinks) {
  const std::string one = "--set gauge.files=field.000002.nersc --set source.position=[1,2,3,4] ";
  const Numbers milc = run("milc", action + one), doubled = run("doubled", action + one +
                                                                               "--set action.mass=0.6 "
                                                                               "--set action.mass_convention="
                                                                               "doubled");
  EXPECT_EQ(milc.at(pion_ps), doubled.at(pion_ps));

  const Numbers asqtad = run("asqtad", action + one + written +
                                           "--set action.type=asqtad --set action.u0=0.9 "
                                           "--set action.boundary=[1,-1,1,-1]");
  const auto s = from_scidac("field.000002.nersc.s0.prop.lime");
  const auto thin = links("field.000002.nersc").near;
  // Coefficients: Orginos, Toussaint, Sugar, Phys. Rev. D 60 (1999) 054503; paths without their signs.
  const double two = 0.9 * 0.9, four = two * two;
  const reference::FatCoefficients fat{5.0 / 8, 1 / (16 * two), 1 / (64 * four), 1 / (384 * four * two),
                                       -1 / (16 * four)};
  const reference::StaggeredLinks improved{reference::fat_links(thin, fat),
                                           reference::three_link_products(thin)};
  EXPECT_LT(residual({0.3, {1, -1, 1, -1}, -1 / (24 * two)}, improved, s, point({1, 2, 3, 4})), 1e-8);
  double square = 0;
  for (const auto& column : s)
    for (std::size_t x = 0; x < column.size(); ++x)
      if (lattice.coordinates(static_cast<int>(x))[3] == 5)
        for (const auto& z : column[x]) square += std::norm(z);
  EXPECT_NEAR(asqtad.at(pion_ps).values[2] / square, 1, 1e-12);
}

// Follana et al. 2007, with the numbers of MILC's programs.
TEST_F(ProgramStaggered, HisqLinks) {
  const std::string hisq = action + written +
                           "--set gauge.files=field.000002.nersc --set source.position=[1,2,3,4] --set "
                           "action.type=hisq --set action.boundary=[1,-1,1,-1] ";
  const double epsilon = -0.3;
  run("hisq", hisq + "--set action.epsilon=-0.3", 2);
  const auto s = from_scidac("field.000002.nersc.s0.prop.lime");
  const auto w = reference::hisq_unitary_links(links("field.000002.nersc").near);
  const reference::StaggeredLinks improved{
      reference::fat_links(w, {1 + epsilon / 8, 1.0 / 16, 1.0 / 64, 1.0 / 384, -1.0 / 8}),
      reference::three_link_products(w)};
  EXPECT_LT(residual({0.3, {1, -1, 1, -1}, -(1 + epsilon) / 24}, improved, s, point({1, 2, 3, 4})), 1e-8);

  const auto refused = [&](const std::string& keys, const std::vector<std::string>& parts) {
    expect_failure(propagator(hisq + keys), 3, parts);
  };
  refused("--set solver.links=12", {"'links' in [solver]", "hisq"});
  refused("--set solver.inner_links=8", {"'inner_links' in [solver]", "hisq"});
  refused("--set action_smearing.type=stout", {"'type' in [action_smearing]", "hisq"});
  refused("--set action.type=asqtad --set action.epsilon=0.1", {"'epsilon' in [action]"});
}

TEST_F(ProgramStaggered, WallsAndNoise) {
  const std::string one = action + written + "--set gauge.files=field.000002.nersc ";
  const std::string name = "field.000002.nersc.s0.prop.lime";
  const reference::StaggeredParameters parameters{0.3, {1, 1, 1, -1}, 0};
  const auto u = links("field.000002.nersc");
  const auto numbers = [&](const auto& value) {
    std::vector<Complex> b;
    for (int x = 0; x < lattice.volume(); ++x) b.push_back(value(lattice.coordinates(x)));
    return b;
  };
  const reference::Coordinates at{3, 0, 1, 6};
  const std::string position = "--set source.position=[3,0,1,6] ";
  const Numbers corner = run("corner", one + position + all_channels() + "--set source.type=corner_wall", 2);
  const auto s = from_scidac(name);
  EXPECT_LT(residual(parameters, u, s, numbers([](const auto& x) {
                       return x[3] == 6 && x[0] % 2 == 1 && x[1] % 2 == 0 && x[2] % 2 == 1 ? 1.0 : 0.0;
                     })),
            1e-8);
  expect_correlators(corner, 0, 0, s, at, {0, 0, 0});

  run("wall", one + position + "--set source.type=wall");
  EXPECT_LT(residual(parameters, u, from_scidac(name),
                     numbers([](const auto& x) { return x[3] == 6 ? 1.0 : 0.0; })),
            1e-8);
  run("momentum", one + position + "--set source.type=momentum --set source.momentum=[2,0,2]");
  EXPECT_LT(residual(parameters, u, from_scidac(name), numbers([](const auto& x) {
                       return x[3] != 6 ? 0.0 : (x[0] + x[2]) % 2 == 0 ? 1.0 : -1.0;
                     })),
            1e-8);

  const std::string noise = "--set source.type=z4 --set source.seed=";
  const Numbers seven = run("seven", one + noise + "7"), again = run("again", one + noise + "7", 4),
                eight = run("eight", one + noise + "8");
  EXPECT_EQ(seven, again);
  EXPECT_NE(seven.at(pion_ps), eight.at(pion_ps));
}

TEST_F(ProgramStaggered, ResultsSayWhatTheyAre) {
  run("pion", action + all_channels());
  const Hdf5Handle file(H5Fopen((box_ / "pion.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  const auto text = [&](const std::string& object, const char* name) {
    const Hdf5Handle attribute(H5Aopen_by_name(file, object.c_str(), name, H5P_DEFAULT, H5P_DEFAULT),
                               H5Aclose);
    const Hdf5Handle type(H5Aget_type(attribute), H5Tclose);
    std::string value;
    if (H5Tis_variable_str(type) > 0) {
      char* found = nullptr;
      H5Aread(attribute, type, &found);
      value = found ? found : "";
      H5free_memory(found);
    } else {
      value.resize(H5Tget_size(type));
      H5Aread(attribute, type, value.data());
      value = value.c_str();
    }
    return value;
  };
  EXPECT_EQ(text(pion_ps, "symmetry"), "cosh");
  for (const char* channel : {"pion_sc", "rho_vt", "rho_vt_y", "rho_pv", "rho_pv_z"})
    EXPECT_EQ(text(std::string("/correlators/") + channel + "/p_0_0_0/point", "symmetry"),
              "cosh_oscillating");
  EXPECT_EQ(text("/correlators/nucleon/p_0_0_0/point", "symmetry"), "baryon_oscillating");
  const auto normalization = [&](const std::string& channel) {
    return text("/correlators/" + channel + "/p_0_0_0/point", "normalization");
  };
  EXPECT_NE(normalization("pion_ps").find("phi = 1, S = M^-1 b, M = m + D/2, M^-1 = 2 (2m + D)^-1"),
            std::string::npos)
      << normalization("pion_ps");
  EXPECT_NE(normalization("pion_sc").find("phi = (-1)^(x+y+z),"), std::string::npos);
  EXPECT_NE(normalization("rho_vt").find("phi = (-1)^(x) + (-1)^(y) + (-1)^(z),"), std::string::npos);
  EXPECT_NE(normalization("rho_pv_z").find("phi = (-1)^(x+y),"), std::string::npos);
  EXPECT_EQ(text("/source", "columns"), "color of the source");
}

// The source and the sink are smeared by two-link hops over smeared or thin links.
TEST_F(ProgramStaggered, SmearedSourcesAndSinks) {
  const std::string one = "--set gauge.files=field.000002.nersc --set solver.tolerance=1e-12 " + action;
  const Numbers found =
      run("smeared", one + written +
                         "--set source.position=[1,2,0,3] --set quark_smearing.steps=3 --set "
                         "quark_smearing.sigma=1.4 --set 'correlators.sinks=[\"point\", "
                         "\"smeared\"]'");
  const auto u = links(fields[0]);
  auto s = from_scidac(std::string(fields[0]) + ".s0.prop.lime");
  reference::StaggeredParameters p;
  p.mass = 0.3;
  double worst = 0;
  std::vector<double> sums(8), smeared_sums(8);
  for (std::size_t color = 0; color < 3; ++color) {
    reference::ColorField b(static_cast<std::size_t>(lattice.volume()));
    b[static_cast<std::size_t>(lattice.index({1, 2, 0, 3}))][color] = 1;
    b = reference::two_link_smeared(u.near, b, 1.4, 3);
    const double norm = reference::dot(b, b).real();
    reference::add(b, -1, reference::staggered(p, u, s[color]));
    worst = std::max(worst, std::sqrt(reference::dot(b, b).real() / norm));
    const auto at_sink = reference::two_link_smeared(u.near, s[color], 1.4, 3);
    for (int x = 0; x < lattice.volume(); ++x)
      for (std::size_t c = 0; c < 3; ++c) {
        const auto t = static_cast<std::size_t>((lattice.coordinates(x)[3] + 5) % 8);
        sums[t] += std::norm(s[color][static_cast<std::size_t>(x)][c]);
        smeared_sums[t] += std::norm(at_sink[static_cast<std::size_t>(x)][c]);
      }
  }
  EXPECT_LT(worst, 1e-11);
  for (std::size_t t = 0; t < 8; ++t) {
    EXPECT_NEAR(found.at(pion_ps).values[2 * t] / sums[t], 1, 1e-12);
    EXPECT_NEAR(found.at("/correlators/pion_ps/p_0_0_0/smeared").values[2 * t] / smeared_sums[t], 1, 1e-12);
  }
  const std::string bytes = contents(box_ / "smeared.h5");
  run("smeared",
      one +
          "--set source.position=[1,2,0,3] --set quark_smearing.steps=3 --set quark_smearing.sigma=1.4 "
          "--set 'correlators.sinks=[\"point\", \"smeared\"]'",
      4);
  const Numbers split = test::read_numbers((box_ / "smeared.h5").string());
  for (const auto& [path, numbers] : found) EXPECT_EQ(split.at(path), numbers) << path;
}

TEST_F(ProgramStaggered, EachRuleIsOneError) {
  struct Wrong {
    std::string more;
    std::vector<std::string> parts;
  };
  const std::vector<Wrong> all = {
      {"--set 'correlators.channels=[\"pion\", \"pion_ps\", \"proton\"]'",
       {"'channels'", "pion, proton", "quarks with spin", "\"staggered\"", "pion_ps"}},
      {"--set source.type=z2 --set source.seed=1 --set correlators.channels=rho_vt", {"rho_vt", "noise"}},
      {"--set source.type=z2 --set source.seed=1 --set correlators.channels=nucleon",
       {"nucleon", "three quarks"}},
      {"--set action.type=wilson --set correlators.channels=nucleon", {"nucleon", "of staggered quarks"}},
      {"--set quark_smearing.steps=2", {"sigma", "width"}},
      {"--set action.mass=0", {"mass", "greater than 0"}},
      {"--set action.type=wilson --set correlators.channels=pion_ps",
       {"pion_ps", "of staggered quarks", "\"wilson\""}},
      {"--set action.type=wilson --set source.type=corner_wall", {"corner_wall", "staggered", "wall"}},
  };
  for (const auto& wrong : all) {
    SCOPED_TRACE(wrong.more);
    expect_failure(propagator(action + wrong.more), 3, wrong.parts);
  }
  EXPECT_FALSE(exists("pion.h5"));
}

}  // namespace
}  // namespace plaq::program_staggered_test
