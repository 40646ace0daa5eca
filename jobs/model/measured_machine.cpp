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
#include "core/system/error.hpp"
#include "io/bytes/byte_source.hpp"

namespace plaq::jobs {
namespace {

using Json = nlohmann::json;

// A row of results (jobs/rates/row.hpp).
struct MeasuredRow {
  std::string target, transport, where;
  std::optional<Precision> precision;
  int reconstruction = 0, right_hand_sides = 1, ranks = 1, nodes = 1;
  double seconds = 0, bytes = 0, share = 0, memory_limit = 0;
  std::map<std::string, double> numbers;
  double number(const std::string& key) const {
    const auto found = numbers.find(key);
    return found == numbers.end() ? 0 : found->second;
  }
};

MeasuredRow row_of(const Json& j) {
  MeasuredRow row;
  row.target = j.at("target").get<std::string>();
  row.transport = j.value("transport", "");
  row.where = j.value("where", "");
  const std::string storage = j.value("storage", "");  // "half 12", "half"
  const auto space = storage.find(' ');
  row.precision = precision_named(storage.substr(0, space));
  if (space != std::string::npos) row.reconstruction = std::atoi(storage.c_str() + space);
  row.right_hand_sides = j.value("right_hand_sides", 1);
  row.ranks = j.value("ranks", 1);
  row.nodes = j.value("nodes", 1);
  row.seconds = j.value("seconds", 0.0);
  row.bytes = j.value("bytes", 0.0);
  row.share = j.value("share", 0.0);
  row.memory_limit = j.value("memory_limit", 0.0);
  if (const auto numbers = j.find("numbers"); numbers != j.end())
    for (const auto& [key, value] : numbers->items()) row.numbers[key] = value.get<double>();
  return row;
}

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
      const LinkModel found{row->number("latency_seconds"), row->number("message_seconds"),
                            row->number("bytes_per_second")};
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
  // over all ranks are those between nodes.
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
      machine_.near_sum_step = std::max(0.0, by_ranks[near].seconds - base) / std::log2(near);
      said_.emplace_back("sums within a node");
    }
    if (far > 1) {
      const auto [seconds, nodes] = by_ranks[far];
      const double inside = std::log2(far / nodes) * machine_.near_sum_step;
      machine_.far_sum_step = std::max(0.0, seconds - base - inside) / std::log2(nodes);
      said_.emplace_back("sums between nodes");
    }
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
            {n.kernel, *r.precision, r.reconstruction, r.right_hand_sides, n.temporal, r.share});
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
            {KernelKind::vector_update, p, 0, rhs, false, bytes / seconds / machine_.memory_bandwidth});
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
    for (const Json& row : all.at("rows")) rows.push_back(row_of(row));
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
  changed.memory_bandwidth = bandwidth;
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
