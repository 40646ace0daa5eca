#include "comms/process_grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "comms/mpi_check.hpp"
#include "core/error.hpp"
#include "core/waiting.hpp"

namespace plaq {
namespace {

Extents position_of(int rank, const Extents& ranks) {
  Extents p;
  for (std::size_t mu = 0; mu < 4; ++mu) {
    p[mu] = rank % ranks[mu];
    rank /= ranks[mu];
  }
  return p;
}

int rank_of(const Extents& p, const Extents& ranks) {
  return p[0] + ranks[0] * (p[1] + ranks[1] * (p[2] + ranks[2] * p[3]));
}

}  // namespace

void check_grid(const Extents& ranks, int size) {
  const std::int64_t product = std::int64_t{1} * ranks[0] * ranks[1] * ranks[2] * ranks[3];
  if (*std::min_element(ranks.begin(), ranks.end()) < 1 || product != size)
    throw Error(ErrorKind::job_file, "process grid " + to_string(ranks) + " needs " +
                                         std::to_string(product) + " ranks, but there are " +
                                         std::to_string(size));
}

ProcessGrid::ProcessGrid(MPI_Comm parent, const Extents& ranks) : ranks_(ranks) {
  int parent_size = 0;
  check_mpi(MPI_Comm_size(parent, &parent_size), "MPI_Comm_size");
  check_grid(ranks, parent_size);
  check_mpi(MPI_Comm_dup(parent, &comm_), "MPI_Comm_dup");
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size_);
  position_ = position_of(rank_, ranks_);
}

ProcessGrid::~ProcessGrid() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (!finalized && comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
}

int ProcessGrid::neighbor(int mu, bool forward) const {
  const auto m = static_cast<std::size_t>(mu);
  Extents p = position_;
  p[m] = (p[m] + (forward ? 1 : ranks_[m] - 1)) % ranks_[m];
  return rank_of(p, ranks_);
}

GeometryPtr ProcessGrid::geometry(const Extents& global, std::uint32_t forced) const {
  return Geometry::create({global, ranks_, position_, forced});
}

std::vector<Extents> allowed_grids(int size, const Extents& global) {
  std::vector<Extents> grids;
  auto splits = [&](int ranks, std::size_t mu) {
    return global[mu] % ranks == 0 && (global[mu] / ranks) % 2 == 0;
  };
  for (int t = 1; t <= size; ++t) {
    if (size % t != 0 || !splits(t, 3)) continue;
    for (int z = 1; z <= size / t; ++z) {
      if ((size / t) % z != 0 || !splits(z, 2)) continue;
      for (int y = 1; y <= size / t / z; ++y) {
        if ((size / t / z) % y != 0 || !splits(y, 1)) continue;
        const int x = size / t / z / y;
        if (splits(x, 0)) grids.push_back({x, y, z, t});
      }
    }
  }
  return grids;
}

Extents choose_grid(int size, const Extents& global) {
  const auto grids = allowed_grids(size, global);
  if (grids.empty()) {
    std::string hint;
    for (int distance = 1; distance < size && hint.empty(); ++distance) {
      if (!allowed_grids(size - distance, global).empty()) hint = std::to_string(size - distance);
    }
    const auto ranks = [](const std::string& n) { return n + (n == "1" ? " rank" : " ranks"); };
    throw Error(ErrorKind::job_file, "lattice " + to_string(global) + " does not split over " +
                                         ranks(std::to_string(size)) + " into even local extents" +
                                         (hint.empty() ? std::string() : "; " + ranks(hint) + " would work"));
  }
  auto cost = [&](const Extents& ranks) {
    std::int64_t volume = 1, surface = 0;
    for (std::size_t mu = 0; mu < 4; ++mu) volume *= global[mu] / ranks[mu];
    for (std::size_t mu = 0; mu < 4; ++mu)
      if (ranks[mu] > 1) surface += volume / (global[mu] / ranks[mu]);
    return surface;
  };
  return *std::min_element(grids.begin(), grids.end(), [&](const Extents& a, const Extents& b) {
    const auto ca = cost(a), cb = cost(b);
    if (ca != cb) return ca < cb;
    return std::lexicographical_compare(b.rbegin(), b.rend(), a.rbegin(),
                                        a.rend());  // more ranks in t, then z, y
  });
}

std::vector<double> global_sums(const ProcessGrid& grid, std::vector<ExactSum>& sums) {
  for (auto& s : sums) s.normalize();
  const Waiting wait([] { return std::string("a sum over all ranks"); });
  if (grid.size() > 1 && !sums.empty())
    wait_mpi("MPI_Allreduce", [&] {
      return MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(sums.size()) * ExactSum::size,
                           MPI_INT64_T, MPI_SUM, grid.comm());
    });
  std::vector<double> result;
  result.reserve(sums.size());
  for (const auto& s : sums) result.push_back(s.round());
  return result;
}

double global_max(const ProcessGrid& grid, double value) {
  const double lowest = -std::numeric_limits<double>::infinity();  // MPI_MAX says nothing of NaN
  double largest[2] = {std::isnan(value) ? lowest : value, std::isnan(value) ? 1.0 : 0.0};
  const Waiting wait([] { return std::string("a largest value over all ranks"); });
  wait_mpi("MPI_Allreduce",
           [&] { return MPI_Allreduce(MPI_IN_PLACE, largest, 2, MPI_DOUBLE, MPI_MAX, grid.comm()); });
  return largest[1] != 0 ? std::numeric_limits<double>::quiet_NaN() : largest[0];
}

}  // namespace plaq
