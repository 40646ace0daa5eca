#include "kernels/gauge/momenta.hpp"

#include <cmath>
#include <string_view>

#include "core/launch/dispatch.hpp"
#include "core/operator/kernel_work.hpp"
#include "core/system/error.hpp"
#include "kernels/gauge/momenta_launch.hpp"

namespace plaq {
namespace {

// Calls launch(MomentaLaunch<...>).
template <class Launch>
auto launched(const Field& algebra, const Launch& launch) {
  return dispatch(algebra.location(), Precision::double_precision,
                  [&](auto kind) { return launch(MomentaLaunch<typename decltype(kind)::target>{}); });
}

// Reads and writes so many reals a link.
void record_steps(const Field& field, std::string_view name, int reals, const Queue& queue) {
  const double bytes = static_cast<double>(field.geometry().local_volume()) * 4 * reals * sizeof(double);
  record(queue, {name, "vector_update", Precision::double_precision, 0, 1, false, {0, bytes}});
}

// The exact sum over all ranks that add(kernels, sums) queues.
template <class Add>
double sum_over_links(const ProcessGrid& grid, const Field& algebra, const Queue& queue, const Add& add) {
  SumBuffer sums(algebra.location(), 1);
  sums.clear(queue, 1);
  launched(algebra, [&](auto kernels) { add(kernels, sums); });
  auto local = sums.fetch(queue, 1);
  return global_sums(grid, local)[0];
}

// The sum of -tr X^2.
double sum_of_squares(const ProcessGrid& grid, const Field& algebra, const Queue& queue) {
  record_steps(algebra, "algebra_norm", 8, queue);
  return sum_over_links(grid, algebra, queue,
                        [&](auto kernels, SumBuffer& sums) { kernels.squares(algebra, queue, sums); });
}

}  // namespace

void draw_momenta(Field& momenta, std::uint64_t seed, std::uint32_t trajectory, const Queue& queue) {
  record_steps(momenta, "draw_momenta", 8, queue);
  launched(momenta, [&](auto kernels) { kernels.draw(momenta, seed, trajectory, queue); });
}

double kinetic_energy(const ProcessGrid& grid, const Field& momenta, const Queue& queue) {
  return sum_of_squares(grid, momenta, queue);
}

// X^a Y^a = -2 tr X Y
double algebra_product(const ProcessGrid& grid, const Field& x, const Field& y, const Queue& queue) {
  require(x.geometry_ptr() == y.geometry_ptr(), "two fields of the Lie algebra live on different lattices");
  record_steps(x, "algebra_product", 16, queue);
  return 2 * sum_over_links(grid, x, queue,
                            [&](auto kernels, SumBuffer& sums) { kernels.products(x, y, queue, sums); });
}

// F^a F^a = -2 tr F^2
ForceSize force_size(const ProcessGrid& grid, const Field& force, const Queue& queue) {
  const double links = 4 * static_cast<double>(force.geometry().global_volume());
  const double mean = 2 * sum_of_squares(grid, force, queue) / links;
  const double largest = launched(force, [&](auto kernels) { return kernels.largest_square(force, queue); });
  return {std::sqrt(mean), std::sqrt(2 * global_max(grid, largest))};
}

double largest_link_distance(const ProcessGrid& grid, const Field& links, const Field& others,
                             const Queue& queue) {
  require(links.geometry_ptr() == others.geometry_ptr(), "two fields of links live on different lattices");
  const double largest =
      launched(links, [&](auto kernels) { return kernels.largest_distance(links, others, queue); });
  return std::sqrt(global_max(grid, largest));
}

void kick(Field& momenta, const Field& force, double step, const Queue& queue) {
  require(momenta.geometry_ptr() == force.geometry_ptr(), "momenta and force live on different lattices");
  record_steps(momenta, "kick", 24, queue);
  launched(momenta, [&](auto kernels) { kernels.add(momenta, force, -step, queue); });
}

void project_to_algebra(Field& algebra, const Field& matrices, const Queue& queue) {
  require(algebra.geometry_ptr() == matrices.geometry_ptr(),
          "elements and matrices live on different lattices");
  record_steps(algebra, "project_to_algebra", 26, queue);
  launched(algebra, [&](auto kernels) { kernels.project(algebra, matrices, queue); });
}

void matrices_of_algebra(Field& matrices, const Field& algebra, const Queue& queue) {
  require(algebra.geometry_ptr() == matrices.geometry_ptr(),
          "elements and matrices live on different lattices");
  record_steps(algebra, "matrices_of_algebra", 26, queue);
  launched(algebra, [&](auto kernels) { kernels.expand(matrices, algebra, queue); });
  matrices.touch();
}

void drift(Field& links, const Field& momenta, double step, const Queue& queue) {
  require(links.geometry_ptr() == momenta.geometry_ptr(), "momenta and links live on different lattices");
  record_steps(links, "drift", 44, queue);
  launched(momenta, [&](auto kernels) { kernels.drift(links, momenta, step, queue); });
  links.touch();
}

}  // namespace plaq
