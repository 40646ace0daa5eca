// A directory with job files of which plaq plan predicts times.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "jobs/common/commands.hpp"
#include "tests/jobs/schema/job_file_helpers.hpp"

namespace plaq::jobs::test {

using Json = nlohmann::json;

class Predicted : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "plaq-predicted-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    directory_ = name;
    write("propagator.toml", propagator_text + "[lattice]\nextents = [32, 32, 32, 64]\n");
    write("generate.toml", generate_text);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string at(const std::string& name) const { return (directory_ / name).string(); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(at(name)) << text; }
  PlanOptions options(const std::string& job, int ranks, const std::string& gpu = "h200") const {
    PlanOptions o;
    o.run = {at(job), {}};
    o.ranks = ranks;
    o.gpu = gpu;
    return o;
  }
  static Json json_of(PlanOptions o) {
    o.json = true;
    return Json::parse(text_of(o));
  }

  std::filesystem::path directory_;
};

}  // namespace plaq::jobs::test
