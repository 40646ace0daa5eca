// The program with propagator jobs on two generated fields of 4x4x4x8.
#pragma once

#include <map>

#include "tests/jobs/program/program.hpp"
#include "tests/jobs/results/result_data.hpp"

namespace plaq::test {

using Numbers = std::map<std::string, StoredNumbers>;

class PropagatorProgram : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const Sandbox box;
    box.write("generate.toml", generate_job);
    ASSERT_EQ(box.plaq("run generate.toml").code, 0);
    for (const char* name : {"field.000002.nersc", "field.000004.nersc"})
      fields_[name] = contents(box / name);
  }
  void SetUp() override {
    for (const auto& [name, bytes] : fields_) box_.write(name, bytes);
    box_.write("propagator.toml", propagator_job);
  }
  Outcome propagator(const std::string& more = "", int ranks = 1) const {
    return box_.plaq("run propagator.toml " + more, ranks);
  }
  // To NAME.h5, all of its numbers.
  Numbers run(const std::string& name, const std::string& more, int ranks = 1) const {
    const Outcome outcome = propagator("--set output.file=" + name + ".h5 " + more, ranks);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.code == 0 ? read_numbers((box_ / (name + ".h5")).string()) : Numbers{};
  }
  bool exists(const std::string& name) const { return std::filesystem::exists(box_ / name); }

  inline static std::map<std::string, std::string> fields_;
  Sandbox box_;
};

constexpr const char* pion = "/correlators/pion/p_0_0_0/point";

// Everything that a job can contract, with smeared links, sources and sinks.
inline std::string everything() {
  return "--set link_smearing.type=ape --set link_smearing.steps=2 --set link_smearing.spatial=true "
         "--set quark_smearing.steps=3 --set quark_smearing.sigma=1.2 "
         "--set 'correlators.sinks=[\"point\", \"smeared\"]' --set correlators.max_momentum_squared=1 "
         "--set 'correlators.channels=[\"pion\", \"rho\", \"rho_x\", \"rho_y\", \"rho_z\", \"a0\", \"a1\", "
         "\"b1\", \"axial_pseudoscalar\", \"proton\", \"proton_minus\"]' ";
}

}  // namespace plaq::test
