#include "comms/placement/gpu_assignment.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>

#include "core/system/error.hpp"

namespace plaq {
namespace {

// What a change of the assignment costs: first the ranks that a GPU has already, then the given costs.
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

}  // namespace plaq
