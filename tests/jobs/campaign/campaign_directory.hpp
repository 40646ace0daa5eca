// A campaign in a directory of its own, in which the test is while it lives. No job of it is run.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "jobs/campaign/campaign.hpp"
#include "jobs/campaign/worker.hpp"
#include "jobs/campaign/worker_log.hpp"

namespace plaq::jobs {

inline constexpr const char* three_tasks = R"([ensemble]
files = "fields/f.{trajectory}.nersc"
[task.measure]
job = "measure.toml"
[task.landau]
job = "landau.toml"
[task.pion]
job = "pion.toml"
gauge = "landau"
ladder = ["solver.max_iterations=2000", "solver.method=bicgstab; solver.tolerance=1e-7"]
)";

class CampaignDirectory {
 public:
  explicit CampaignDirectory(const std::string& campaign = three_tasks)
      : before_(std::filesystem::current_path()) {
    std::string name = (std::filesystem::temp_directory_path() / "plaq-campaign-XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    path_ = name;
    std::filesystem::current_path(path_);
    std::filesystem::create_directory("leases");
    write("campaign.toml", campaign);
    write("measure.toml", "job = \"measure\"\n[gauge]\nfiles = [\"x\"]\n[output]\nfile = \"x.h5\"\n");
    write("landau.toml",
          "job = \"gaugefix\"\n[gauge]\nfiles = [\"x\"]\n[fixing]\ngauge = \"landau\"\n[output]\nfile = "
          "\"x.h5\"\ndirectory = \"fixed\"\n");
    write(
        "pion.toml",
        "job = \"propagator\"\n[gauge]\nfiles = [\"x\"]\n[action]\nkappa = 0.1\n[output]\nfile = \"x.h5\"\n");
  }
  ~CampaignDirectory() {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(path_);
  }
  CampaignDirectory(const CampaignDirectory&) = delete;
  CampaignDirectory& operator=(const CampaignDirectory&) = delete;

  static void write(const std::string& name, const std::string& text) {
    const auto directory = std::filesystem::path(name).parent_path();
    if (!directory.empty()) std::filesystem::create_directories(directory);
    std::ofstream(name, std::ios::binary) << text;
  }
  // fields/f.NUMBER.nersc, with nothing in it.
  static void field(int number) { write("fields/f." + std::to_string(number) + ".nersc", ""); }
  static void done(const Campaign& campaign, const Item& item) { write(row_file(campaign, item), ""); }
  // Records an event of an item, as a worker does.
  static void tell(EventKind kind, const std::string& item, int code = 0, int rung = 0,
                   const std::string& node = "n1") {
    Event event;
    event.kind = kind;
    event.item = item;
    event.code = code;
    event.rung = rung;
    event.seconds = 10;
    event.ranks = 1;
    event.nodes = 1;
    std::filesystem::create_directories("log");
    WorkerLog("w").write_for(node, event);
  }

 private:
  std::filesystem::path before_, path_;
};

}  // namespace plaq::jobs
