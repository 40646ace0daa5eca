#include "jobs/model/measured_machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/field/storages.hpp"
#include "core/sums/exact_sum.hpp"
#include "core/system/error.hpp"
#include "io/bytes/byte_source.hpp"
#include "jobs/model/measured_row.hpp"

namespace plaq::jobs {
namespace {

using Json = nlohmann::json;

class Measurements {
 public:
  Measurements(MachineModel& machine, const std::vector<MeasuredRow>& rows, const std::string& file)
      : machine_(machine), rows_(rows), file_(file) {}

  std::vector<std::string> take(const std::string& transport) {
    const std::string near =
        take_link("within a node", transport, {"peer", "nccl", "device_mpi", "host"}, machine_.near);
    if (!near.empty()) machine_.fused = near == "peer";
    take_link("between nodes", transport, {"nccl", "device_mpi", "host"}, machine_.far);
    // Empty kernels follow one another as fast as the host launches them. Kernels that work hide that time.
    if (machine_.launch == 0) take_seconds("launch", machine_.launch);
    take_seconds("sum_wait", machine_.sum_wait);
    take_sum_steps();
    take_face_costs();
    if (const MeasuredRow* crowd = find("crowding", [](const MeasuredRow&) { return true; })) {
      machine_.crowding = std::max(1.0, crowd->number("factor"));
      said_.emplace_back("ranks that share a processor");
    }
    take_shares();
    take_updates();
    return said_;
  }

 private:
  const MeasuredRow* find(const std::string& name,
                          const std::function<bool(const MeasuredRow&)>& fits) const {
    const auto row = std::find_if(rows_.begin(), rows_.end(),
                                  [&](const MeasuredRow& r) { return r.target == name && fits(r); });
    return row == rows_.end() ? nullptr : &*row;
  }

  // Returns the transport, if there is one.
  std::string take_link(const std::string& where, const std::string& wanted,
                        const std::vector<std::string>& order, LinkModel& link) {
    for (const std::string& transport :
         wanted == "auto" || wanted == "self" ? order : std::vector<std::string>{wanted}) {
      const MeasuredRow* row = find("link", [&](const MeasuredRow& r) {
        return r.transport == transport && r.where == where && r.number("faces") == 0;
      });
      if (row == nullptr) continue;
      LinkModel found{row->number("latency_seconds"), row->number("message_seconds"),
                      row->number("bytes_per_second")};
      if (const MeasuredRow* both = find(
              "overlap", [&](const MeasuredRow& r) { return r.transport == transport && r.where == where; }))
        found.hidden = std::clamp(both->number("hidden"), 0.0, 1.0);
      if (!(found.latency >= 0 && found.message >= 0 && found.bandwidth > 0))
        throw Error(
            ErrorKind::input_file,
            fmt::format("{}: the link through {} {} has a latency of {} s, {} s for each further face "
                        "and {} bytes/s; they must be 0 or more, the last one above 0",
                        file_, transport, where, found.latency, found.message, found.bandwidth));
      link = found;
      said_.push_back(fmt::format("exchanges {} through {}", where, transport));
      return transport;
    }
    return {};
  }
  void take_seconds(const std::string& name, double& seconds) {
    if (const MeasuredRow* row = find(name, [](const MeasuredRow&) { return true; })) {
      seconds = row->seconds;
      said_.push_back(name);
    }
  }

  // A sum of one number over n ranks of one node, less that of one rank, takes log2(n) steps; the rest of one
  // over all ranks are those between nodes. Its bytes are counted by their own.
  void take_sum_steps() {
    struct Sum {
      double seconds, nodes;
    };
    std::map<double, Sum> by_ranks;
    for (const MeasuredRow& r : rows_)
      if (r.target == "global_sum" && r.number("sums") == 1 && r.number("nodes") >= 1)
        by_ranks[r.number("ranks")] = {r.seconds, r.number("nodes")};
    const auto alone = by_ranks.find(1);
    const double base = alone != by_ranks.end() ? alone->second.seconds : 0;
    double near = 1, far = 1;  // the most ranks of one node, of several
    for (const auto& [ranks, sum] : by_ranks) (sum.nodes == 1 ? near : far) = ranks;
    if (near > 1) {
      machine_.near_sum_step = step_of(by_ranks[near].seconds - base, near, machine_.near);
      said_.emplace_back("sums within a node");
    }
    if (far > 1) {
      const auto [seconds, nodes] = by_ranks[far];
      const double inside = std::log2(far / nodes) * (machine_.near_sum_step + bytes_of_a_sum(machine_.near));
      if (inside < seconds - base) {
        machine_.far_sum_step = step_of(seconds - base - inside, nodes, machine_.far);
      } else {  // MPI, which takes ranks of several nodes, is faster than the memory that those of one share
        machine_.near_sum_step = step_of(seconds - base, far, machine_.near);
        machine_.far_sum_step = step_of(seconds - base, far, machine_.far);
      }
      said_.emplace_back("sums between nodes");
    }
  }

  static double bytes_of_a_sum(const LinkModel& link) {
    return link.bandwidth > 0 ? sizeof(ExactSum) / link.bandwidth : 0;
  }
  static double step_of(double seconds, double ranks, const LinkModel& link) {
    return std::max(0.0, seconds / std::log2(ranks) - bytes_of_a_sum(link));
  }

  // Takes the costs of faces from a hopping term with faces that cost nothing to exchange, on two lattices: a
  // time, and one for each site with a neighbour's. Costs that are known of a machine stay: they are of more
  // than one operator.
  void take_face_costs() {
    FaceCosts& costs = machine_.in_launches;
    if (costs.start > 0 || costs.end > 0) return;
    double starts = 0;
    int found = 0;
    for (const auto& [precision, site] : {std::pair{Precision::double_precision, &costs.double_site},
                                          std::pair{Precision::single_precision, &costs.single_site},
                                          std::pair{Precision::half_precision, &costs.half_site}}) {
      std::map<double, const MeasuredRow*> by_sites;
      for (const MeasuredRow& r : rows_)
        if (r.target == "faces" && r.precision == precision) by_sites[r.number("sites")] = &r;
      if (by_sites.size() < 2) continue;
      const auto& [few, first] = *by_sites.begin();
      const auto& [many, last] = *by_sites.rbegin();
      const double slope = std::max(0.0, (last->seconds - first->seconds) / (many - few));
      *site = std::max(0.0, slope - last->bytes / many / machine_.memory_bandwidth);
      starts += std::max(0.0, first->seconds - slope * few);
      ++found;
    }
    if (found == 0) return;
    costs.start = starts / found;
    said_.emplace_back("costs of faces");
  }

  void take_shares() {
    struct Named {
      const char* row;
      KernelKind kernel;
      bool temporal;
    };
    constexpr Named named[] = {{"wilson_hop", KernelKind::wilson_hop, false},
                               {"wilson_hop_tg", KernelKind::wilson_hop, true},
                               {"wilson_schur", KernelKind::wilson_operator, false},
                               {"clover_schur", KernelKind::clover_operator, false},
                               {"coarse_schur N 24", KernelKind::coarse_hop, false},
                               {"restriction N 24", KernelKind::transfer, false},
                               {"dense_product 6144", KernelKind::dense_product, false}};
    for (const Named& n : named) {
      int taken = 0;
      for (const MeasuredRow& r : rows_) {
        if (r.target != n.row || r.ranks > 1 || !r.precision || !(r.share > 0)) continue;
        machine_.set_share(
            {n.kernel, *r.precision, r.reconstruction, r.right_hand_sides, n.temporal, r.share, true});
        ++taken;
      }
      if (taken > 0) said_.push_back(fmt::format("{} rates of {}", taken, n.row));
    }
  }

  // Takes the four updates of a BiCGstab iteration together.
  void take_updates() {
    int taken = 0;
    for (auto precision = std::rbegin(all_precisions); precision != std::rend(all_precisions); ++precision)
      for (const int rhs : {1, 12}) {
        const Precision p = *precision;
        double seconds = 0, bytes = 0;
        int found = 0;
        for (const char* name : {"dot", "axpy_norm", "bicgstab_dots", "bicgstab_update"}) {
          const MeasuredRow* r = find(name, [&](const MeasuredRow& row) {
            return row.precision == p && row.right_hand_sides == rhs && row.ranks == 1;
          });
          if (r == nullptr) continue;
          seconds += r->seconds, bytes += r->bytes;
          ++found;
        }
        if (found < 4) continue;
        machine_.set_share(
            {KernelKind::vector_update, p, 0, rhs, false, bytes / seconds / machine_.memory_bandwidth, true});
        ++taken;
      }
    if (taken > 0) said_.push_back(fmt::format("{} rates of vector updates", taken));
  }

  MachineModel& machine_;
  const std::vector<MeasuredRow>& rows_;
  const std::string& file_;
  std::vector<std::string> said_;
};

}  // namespace

std::vector<std::string> take_measurements_text(MachineModel& machine, const std::string& text,
                                                const std::string& file, const std::string& transport) {
  std::vector<MeasuredRow> rows;
  double bandwidth = 0;
  int ranks_per_node = 0;
  try {
    const Json all = Json::parse(text);
    for (const Json& row : all.at("rows")) rows.push_back(measured_row(row));
    for (const MeasuredRow& row : rows) {
      bandwidth = std::max(bandwidth, row.memory_limit / row.ranks);
      if (row.nodes > 1) ranks_per_node = row.ranks / row.nodes;
    }
  } catch (const Json::exception& e) {
    throw Error(ErrorKind::input_file,
                fmt::format("{} is no result of plaq bench --json: {}", file, e.what()));
  }
  if (!(bandwidth > 0))
    throw Error(ErrorKind::input_file, fmt::format("{}: no row has a memory_limit above 0", file));
  MachineModel changed = machine;
  changed.set_memory_bandwidth(bandwidth);
  auto taken = Measurements(changed, rows, file).take(transport);
  if (taken.empty())
    throw Error(ErrorKind::input_file,
                fmt::format("{} holds nothing that the model uses: expected results of plaq bench network, "
                            "wilson_hop, wilson_operator, multigrid or krylov (the last four of one rank)",
                            file));
  if (ranks_per_node > 0) changed.ranks_per_node = ranks_per_node;
  taken.insert(taken.begin(), "memory bandwidth");
  std::string sentence = fmt::format("{}: ", file);
  for (std::size_t i = 0; i < taken.size(); ++i) sentence += (i > 0 ? ", " : "") + taken[i];
  changed.origin.push_back(sentence + '.');
  machine = std::move(changed);
  return taken;
}

std::vector<std::string> take_measurements(MachineModel& machine, const std::string& file,
                                           const std::string& transport) {
  constexpr std::uint64_t most_bytes = 1 << 26;
  return take_measurements_text(machine, text_of_file(file, most_bytes), file, transport);
}

MachineModel unknown_machine() {
  MachineModel m;
  m.name = "measured";
  m.ranks_per_node = std::numeric_limits<int>::max();
  return m;
}

}  // namespace plaq::jobs
