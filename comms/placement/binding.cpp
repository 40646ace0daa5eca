#include "comms/placement/binding.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>

#include "core/system/error.hpp"

namespace plaq {
namespace {

// Price of a change of the assignment: first the ranks that a GPU has already, then the given costs.
struct Price {
  std::int64_t load = 0, cost = 0;
  auto operator<=>(const Price&) const = default;
};

// One rank after the other, each by the cheapest chain of moves: the new rank takes the place of one that
// moves on, and so forth, until one goes to a GPU and nobody leaves it. (Successive shortest paths: the
// assignment is of least cost after each rank, since the price of a place grows with the load of its GPU.)
class Assignment {
 public:
  explicit Assignment(const std::vector<std::vector<std::int64_t>>& cost)
      : cost_(cost), gpus_(cost.front().size()), gpu_(cost.size(), -1), load_(gpus_, 0) {}

  void add(std::size_t rank) {
    constexpr std::size_t none = static_cast<std::size_t>(-1);
    std::vector<std::int64_t> price(gpus_, no_gpu);  // of a chain that ends at this GPU
    std::vector<std::size_t> mover(gpus_, none);     // its last rank
    for (std::size_t g = 0; g < gpus_; ++g)
      if (cost_[rank][g] != no_gpu) price[g] = cost_[rank][g], mover[g] = rank;
    for (bool better = true; better;) {  // no chain gets cheaper by going in circles
      better = false;
      for (std::size_t r = 0; r < rank; ++r) {
        const auto from = static_cast<std::size_t>(gpu_[r]);
        if (price[from] == no_gpu) continue;
        for (std::size_t g = 0; g < gpus_; ++g) {
          if (cost_[r][g] == no_gpu) continue;
          const std::int64_t all = price[from] - cost_[r][from] + cost_[r][g];
          if (all < price[g]) price[g] = all, mover[g] = r, better = true;
        }
      }
    }
    std::size_t end = none;
    for (std::size_t g = 0; g < gpus_; ++g)
      if (price[g] != no_gpu && (end == none || Price{load_[g], price[g]} < Price{load_[end], price[end]}))
        end = g;
    require(end != none, "a rank that sees no GPU");
    ++load_[end];
    for (std::size_t g = end, r = mover[end];; r = mover[g]) {
      const int before = gpu_[r];
      gpu_[r] = static_cast<int>(g);
      if (r == rank) return;
      g = static_cast<std::size_t>(before);
    }
  }

  std::vector<int> take() { return std::move(gpu_); }

 private:
  const std::vector<std::vector<std::int64_t>>& cost_;
  std::size_t gpus_;
  std::vector<int> gpu_;
  std::vector<std::int64_t> load_;
};

}  // namespace

std::vector<int> assign_gpus(const std::vector<std::vector<std::int64_t>>& cost) {
  if (cost.empty()) return {};
  Assignment assignment(cost);
  for (std::size_t rank = 0; rank < cost.size(); ++rank) assignment.add(rank);
  return assignment.take();
}

namespace {

std::vector<std::string> gpus_of_node(const std::vector<RankPlace>& ranks) {
  std::vector<std::string> all;
  for (const RankPlace& rank : ranks)
    for (const std::string& id : rank.gpus)
      if (std::find(all.begin(), all.end(), id) == all.end()) all.push_back(id);
  return all;
}

CoreSet near_gpu(const NodeTopology& node, const std::string& bus_id) {
  const BusDevice* gpu = node.gpu(bus_id);
  return gpu ? gpu->near : CoreSet();
}

// Mean distance of the cores in thousandths of a step.
std::int64_t distance(const NodeTopology& node, const CoreSet& cores, const CoreSet& near) {
  std::int64_t sum = 0;
  for (const int core : cores.cores()) sum += node.distance(core, near);
  return cores.empty() ? 0 : 1000 * sum / cores.count();
}

void choose_gpus(const NodeTopology& node, const std::vector<RankPlace>& ranks,
                 std::vector<Binding>& bindings) {
  const std::vector<std::string> gpus = gpus_of_node(ranks);
  if (gpus.empty()) return;
  const auto count = static_cast<std::int64_t>(ranks.size()), places = static_cast<std::int64_t>(gpus.size());
  const std::int64_t most = std::max(count, places), step = count * most * most + 1;  // distance before order
  std::vector<std::vector<std::int64_t>> cost(ranks.size(), std::vector<std::int64_t>(gpus.size(), no_gpu));
  for (std::int64_t r = 0; r < count; ++r) {
    const RankPlace& rank = ranks[static_cast<std::size_t>(r)];
    const std::int64_t usual = count <= places ? r : r * places / count;
    for (std::int64_t g = 0; g < places; ++g) {
      const std::string& id = gpus[static_cast<std::size_t>(g)];
      if (std::find(rank.gpus.begin(), rank.gpus.end(), id) == rank.gpus.end()) continue;
      // The square: of ranks that are alike, none overtakes another.
      cost[static_cast<std::size_t>(r)][static_cast<std::size_t>(g)] =
          step * distance(node, rank.cores, near_gpu(node, id)) + (g - usual) * (g - usual);
    }
  }
  const std::vector<int> chosen = assign_gpus(cost);
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const std::string& id = gpus[static_cast<std::size_t>(chosen[r])];
    bindings[r].gpu =
        static_cast<int>(std::find(ranks[r].gpus.begin(), ranks[r].gpus.end(), id) - ranks[r].gpus.begin());
  }
}

const std::string& id_of(const RankPlace& rank, const Binding& binding) {
  return rank.gpus[static_cast<std::size_t>(binding.gpu)];
}

// Number of ranks that run on these cores, all of them.
int sharers(const std::vector<Binding>& bindings, const CoreSet& cores) {
  return static_cast<int>(
      std::count_if(bindings.begin(), bindings.end(), [&](const Binding& b) { return b.cores == cores; }));
}

// More threads than cores, of the ranks that have no others.
bool crowded(const std::vector<Binding>& bindings, const CoreSet& cores) {
  if (cores.empty()) return false;  // unknown
  int threads = 0;
  for (const Binding& b : bindings)
    if (cores.includes(b.cores)) threads += b.threads;
  return threads > cores.count();
}

int share(const std::vector<Binding>& bindings, const CoreSet& cores) {
  return std::max(1, cores.count() / std::max(1, sharers(bindings, cores)));
}

void choose_threads(const std::vector<RankPlace>& ranks, std::vector<Binding>& bindings) {
  for (std::size_t r = 0; r < ranks.size(); ++r)
    bindings[r].threads = ranks[r].threads > 0 ? ranks[r].threads : share(bindings, bindings[r].cores);
}

// The bindings with each rank on the cores near its GPU; those given where that is not to be done.
std::vector<Binding> near_their_gpus(const NodeTopology& node, const std::vector<RankPlace>& ranks,
                                     const std::vector<Binding>& given) {
  const CoreSet& all = ranks.front().cores;
  std::vector<Binding> bindings = given;
  bool fewer = false;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    if (ranks.size() == 1 || !ranks[r].may_bind || ranks[r].cores != all || given[r].gpu < 0) return given;
    bindings[r].cores = all & near_gpu(node, id_of(ranks[r], given[r]));
    if (bindings[r].cores.empty()) return given;
    bindings[r].bound = bindings[r].cores != all;
    fewer = fewer || bindings[r].bound;
  }
  choose_threads(ranks, bindings);
  for (const Binding& b : bindings)
    if (crowded(bindings, b.cores)) return given;
  return fewer ? bindings : given;
}

void find_faults(const NodeTopology& node, const std::vector<RankPlace>& ranks,
                 std::vector<Binding>& bindings) {
  std::map<std::string, int> users;
  CoreSet all;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    if (bindings[r].gpu >= 0) ++users[id_of(ranks[r], bindings[r])];
    all = all | bindings[r].cores;
  }
  const bool full = crowded(bindings, all);
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    Binding& b = bindings[r];
    if (b.gpu >= 0) {
      const CoreSet near = near_gpu(node, id_of(ranks[r], b));
      if (users[id_of(ranks[r], b)] > 1) b.faults.push_back(BindingFault::shared_gpu);
      if (!near.empty() && !b.cores.empty() && !near.meets(b.cores))
        b.faults.push_back(BindingFault::far_gpu);
    }
    if (full || crowded(bindings, b.cores)) b.faults.push_back(BindingFault::crowded);
  }
}

// GPUs to which several cards are equally near take them in turn.
void choose_cards(const NodeTopology& node, const std::vector<RankPlace>& ranks,
                  std::vector<Binding>& bindings) {
  std::map<const BusDevice*, std::vector<const BusDevice*>>
      takers;  // of each card that is the first of its like
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const BusDevice* gpu = bindings[r].gpu >= 0 ? node.gpu(id_of(ranks[r], bindings[r])) : nullptr;
    BusDevice here;
    here.near = bindings[r].cores;
    const BusDevice* first = nearest_card(node, gpu ? *gpu : here, 0);
    if (!first) continue;
    bindings[r].card = first->name;
    if (!gpu) continue;
    auto& queue = takers[first];
    const auto place = std::find(queue.begin(), queue.end(), gpu);
    bindings[r].card = nearest_card(node, *gpu, static_cast<int>(place - queue.begin()))->name;
    if (place == queue.end()) queue.push_back(gpu);
  }
}

}  // namespace

std::vector<Binding> bind_ranks(const NodeTopology& node, const std::vector<RankPlace>& ranks) {
  std::vector<Binding> bindings(ranks.size());
  if (ranks.empty()) return bindings;
  for (std::size_t r = 0; r < ranks.size(); ++r) bindings[r].cores = ranks[r].cores;
  choose_gpus(node, ranks, bindings);
  choose_threads(ranks, bindings);
  bindings = near_their_gpus(node, ranks, bindings);
  find_faults(node, ranks, bindings);
  choose_cards(node, ranks, bindings);
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    bindings[r].numa = node.numa_text(bindings[r].cores);
    if (bindings[r].gpu >= 0)
      bindings[r].gpu_numa = node.numa_text(near_gpu(node, id_of(ranks[r], bindings[r])));
  }
  return bindings;
}

}  // namespace plaq
