// What a job would take and write, without doing it: plaq plan.
//
// A planner is its job with nothing left but the allocations, in their order and with their lifetimes; the
// sizes come from the classes that allocate. All ranks have the same local lattice, so one plan is every
// rank's.
#pragma once

#include <cstdint>
#include <list>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/lattice/geometry.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/location.hpp"
#include "jobs/model/iteration_model.hpp"
#include "jobs/run/job_context.hpp"

namespace plaq::jobs {

struct MemoryItem {
  std::string name;
  int count = 1;
  std::size_t bytes = 0;  // of one
  Location location = Location::host;
  // Allocated as Buffer, which counts it. Else ExportedMemory (`lasting`): given back, it waits for the next
  // that takes as much; or containers, whose sizes are estimates.
  bool buffer = true, lasting = false;
  std::size_t total() const { return static_cast<std::size_t>(count) * bytes; }
};

struct PlannedFile {
  std::string name;
  std::uint64_t bytes = 0;
  bool exact = false;      // false: a few percent of a result, a few characters of a header may be off
  bool temporary = false;  // goes away when the job is complete; the most that it may be until then
};

// What a rank sends in one direction, to both sides together.
struct PlannedMessages {
  std::string occasion;  // "a sweep"
  int mu = 0;
  int count = 0;
  std::size_t bytes = 0;  // of one
};

// What a solver iterates: of mixed solvers, inside.
struct PlannedIteration {
  ModelOperator op;
  std::string method;  // as in [solver]
  int restart = 0;
};

class Plan {
 public:
  // The most that is held at once at one location.
  struct Peak {
    std::size_t bytes = 0;
    std::size_t buffer_bytes = 0;  // the most of items with `buffer`, maybe at another time
    std::string phase;
    std::vector<MemoryItem> items;
  };

  // Memory held until this goes.
  class [[nodiscard]] Held {
   public:
    Held() = default;
    Held(Held&& other) noexcept : plan_(std::exchange(other.plan_, nullptr)), item_(other.item_) {}
    Held& operator=(Held&& other) noexcept {
      std::swap(plan_, other.plan_);
      std::swap(item_, other.item_);
      return *this;
    }
    ~Held() {
      if (plan_) plan_->give_back(item_);
    }

   private:
    friend class Plan;
    Held(Plan* plan, std::list<MemoryItem>::iterator item) : plan_(plan), item_(item) {}
    Plan* plan_ = nullptr;
    std::list<MemoryItem>::iterator item_{};
  };

  // ranks_per_node: 0 for all.
  Plan(const JobFile& job, int ranks, Location location, int ranks_per_node = 0)
      : job_(job), ranks_(ranks), ranks_per_node_(ranks_per_node), location_(location) {}
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  // What a dry run of the job found.
  void take(const DryRun& run);

  const JobFile& job() const { return job_; }
  int ranks() const { return ranks_; }
  int ranks_per_node() const { return ranks_per_node_; }
  Location location() const { return location_; }

  // Splits the lattice and tries transports as start_job does, with the same errors. Before any memory.
  void split(const Extents& extents, int least_slices = usual_least_slices);
  // Instead, for jobs of many lattices: the one that is shown.
  void lies_on(GeometryPtr geometry) { geometry_ = std::move(geometry); }
  const GeometryPtr& geometry() const { return geometry_; }  // without halo
  // The transport of what follows, as in transport_names; else it is the job's.
  void moves_faces_by(std::string transport) { transport_ = std::move(transport); }
  const std::string& transport() const {
    return transport_.empty() ? job_.string("comms", "transport") : transport_;
  }

  // What follows is done in this phase; returns the one before.
  std::string phase(std::string name) { return std::exchange(phase_, std::move(name)); }
  Held hold(MemoryItem item);
  void pass(MemoryItem item) { const Held moment = hold(std::move(item)); }
  void keep(MemoryItem item) { keep(hold(std::move(item))); }  // to the end
  void keep(Held held) { kept_.push_back(std::move(held)); }
  // Whether this is the first time that it is asked for: for what a geometry makes once.
  bool first_time(const Geometry& geometry, const std::string& what) {
    return made_.emplace(&geometry, what).second;
  }
  void writes(PlannedFile file) { files_.push_back(std::move(file)); }
  void sends(PlannedMessages messages) { messages_.push_back(std::move(messages)); }
  void iterates(PlannedIteration iteration) { iteration_ = std::move(iteration); }
  // Where it would run, for predictions of time.
  void set_machine(MachineModel machine) { machine_ = std::move(machine); }
  void expects(Outlook outlook) { outlook_ = std::move(outlook); }
  void note(std::string text) { notes_.push_back(std::move(text)); }  // one sentence

  const Peak& peak(Location location) const { return peaks_[location == Location::device]; }
  const std::vector<PlannedFile>& files() const { return files_; }
  const std::vector<PlannedMessages>& messages() const { return messages_; }
  const std::optional<PlannedIteration>& iteration() const { return iteration_; }
  const std::optional<MachineModel>& machine() const { return machine_; }
  const Outlook& outlook() const { return outlook_; }
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  void give_back(std::list<MemoryItem>::iterator item);

  const JobFile& job_;
  int ranks_, ranks_per_node_;
  std::string transport_;
  Location location_;
  GeometryPtr geometry_;
  std::string phase_ = "starting";
  std::list<MemoryItem> items_, waiting_;  // waiting_: of ExportedMemory that nobody uses now
  std::vector<Held> kept_;                 // goes before them
  std::set<std::pair<const Geometry*, std::string>> made_;
  Peak peaks_[2];
  std::vector<PlannedFile> files_;
  std::vector<PlannedMessages> messages_;
  std::optional<PlannedIteration> iteration_;
  std::optional<MachineModel> machine_;
  Outlook outlook_;
  std::vector<std::string> notes_;
};

// One a job type, in plan_NAME.cpp. Serial.
void plan_iteration(
    Plan& plan);              // of propagators and solver studies: what is sent, and what a solver iterates
void plan_sweep(Plan& plan);  // of generate: what is sent
void plan_kernel_study(Plan& plan);
void plan_scaling(Plan& plan);

// Fills the plan by the planner of its job type (table in plan.cpp).
void make_plan(Plan& plan);

// For people, lines of at most 80 characters but for file names; and for programs.
std::string plan_text(const Plan& plan);
std::string plan_json(const Plan& plan);

}  // namespace plaq::jobs
