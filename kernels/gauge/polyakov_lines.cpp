#include "kernels/gauge/polyakov_lines.hpp"

#include <algorithm>

#include "core/field/layout.hpp"
#include "core/launch/dispatch.hpp"
#include "core/system/runs_dry.hpp"
#include "kernels/gauge/gauge_launch.hpp"
#include "kernels/gauge/time_lines.hpp"

namespace plaq {
namespace {

bool is_last(const ProcessGrid& grid) { return grid.position()[3] == grid.ranks()[3] - 1; }

// Multiplies along the lines from rank to rank. Returns the sums of traces of this rank's products, and keeps
// these in `after`, where they go on to the next rank; in the last one only with `keep`.
std::vector<ExactSum> multiply_lines(const ProcessGrid& grid, const Field& gauge, const Queue& queue,
                                     TimeLines& after, bool keep) {
  const bool first = grid.position()[3] == 0, last = is_last(grid);
  SumBuffer sums(gauge.location(), 2);
  sums.clear(queue, 2);
  TimeLines before(gauge);
  void* const none[2] = {nullptr, nullptr};
  void* const in[2] = {before.data(0), before.data(1)};
  void* const out[2] = {after.data(0), after.data(1)};
  if (!first) before.receive(grid, grid.neighbor(3, false));
  dispatch(gauge.location(), gauge.precision(), [&](auto kind) {
    using K = decltype(kind);
    launch_polyakov_lines<typename K::target, typename K::scalar>(gauge, first ? none : in,
                                                                  last && !keep ? none : out, queue, sums);
  });
  std::vector<ExactSum> local = sums.fetch(queue, 2);
  if (!last) after.send(grid, grid.neighbor(3, true));
  return local;
}

// This rank's box of space.
struct LineBox {
  Extents offset, local;
};

// Lines of a rank [z][y][x][row][column].
template <class T>
void read_lines(std::vector<std::complex<double>>& to, const TimeLines& lines, const Geometry& geometry,
                Location location) {
  const LatticeShape& shape = geometry.shape();
  const Layout layout(location, 18, shape.face_sites(3), sizeof(T));
  std::vector<T> copy(2 * layout.size());
  copy_bytes(copy.data(), Location::host, lines.data(0), location, copy.size() * sizeof(T));
  const Extents& local = geometry.local();
  const auto& halo = shape.halo;
  std::size_t at = 0;
  for (int z = 0; z < local[2]; ++z)
    for (int y = 0; y < local[1]; ++y)
      for (int x = 0; x < local[0]; ++x) {
        const Coordinates c{{x + halo[0], y + halo[1], z + halo[2], halo[3]}};
        const T* const parity = copy.data() + static_cast<std::size_t>(shape.parity(c)) * layout.size();
        for (int k = 0; k < 9; ++k)
          to[at++] = {parity[layout.offset(shape.face_index(3, c), 2 * k)],
                      parity[layout.offset(shape.face_index(3, c), 2 * k + 1)]};
      }
}

}  // namespace

std::complex<double> polyakov_loop(const ProcessGrid& grid, const Field& gauge, const Queue& queue) {
  TimeLines after(gauge);
  std::vector<ExactSum> local = multiply_lines(grid, gauge, queue, after, false);
  if (!is_last(grid)) std::fill(local.begin(), local.end(), ExactSum{});
  const auto sum = global_sums(grid, local);
  const auto& geometry = gauge.geometry();
  const std::int64_t volume_of_slice = geometry.global_volume() / geometry.global()[3];
  const double scale = 3 * static_cast<double>(volume_of_slice);
  return {sum[0] / scale, sum[1] / scale};
}

std::vector<std::complex<double>> gather_polyakov_lines(const ProcessGrid& grid, const Field& gauge,
                                                        const Queue& queue) {
  const Geometry& geometry = gauge.geometry();
  const Extents &local = geometry.local(), &global = geometry.global();
  std::vector<std::complex<double>> mine;
  TimeLines lines(gauge);
  multiply_lines(grid, gauge, queue, lines, true);
  if (is_last(grid)) mine.resize(9 * static_cast<std::size_t>(local[0]) * local[1] * local[2]);
  on_numbers([&] {
    if (mine.empty()) return;
    if (gauge.precision() == Precision::single_precision)
      read_lines<float>(mine, lines, geometry, gauge.location());
    else
      read_lines<double>(mine, lines, geometry, gauge.location());
  });
  const auto counts = grid.comm().all_gather(static_cast<int>(mine.size()));
  const auto boxes = grid.comm().all_gather(LineBox{geometry.offset(), local});
  const auto all = grid.comm().gather(std::span<const std::complex<double>>(mine), counts);
  if (grid.rank() != 0) return {};
  std::vector<std::complex<double>> found(9 * static_cast<std::size_t>(global[0]) * global[1] * global[2]);
  auto from = all.begin();
  for (std::size_t r = 0; r < boxes.size(); ++r) {
    if (counts[r] == 0) continue;
    const auto& [offset, box] = boxes[r];
    for (int z = 0; z < box[2]; ++z)
      for (int y = 0; y < box[1]; ++y, from += 9 * box[0]) {
        const std::size_t line =
            (static_cast<std::size_t>(z + offset[2]) * global[1] + y + offset[1]) * global[0] + offset[0];
        std::copy_n(from, 9 * box[0], found.begin() + static_cast<std::ptrdiff_t>(9 * line));
      }
  }
  return found;
}

}  // namespace plaq
