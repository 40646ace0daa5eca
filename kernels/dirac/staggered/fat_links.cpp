#include "kernels/dirac/staggered/fat_links.hpp"

#include "core/launch/dispatch.hpp"
#include "kernels/dirac/staggered/staggered_launch.hpp"

namespace plaq {

FatLinks store_fat_links(const ProcessGrid& grid, const Field& fat, Precision precision,
                         const ColorRotation& rotation, const Queue& queue) {
  if (precision != Precision::half_precision)
    return {store_links_on_all(grid, fat, {precision, 18}, rotation, queue), 1};
  Field wide = store_links_on_all(grid, fat, {Precision::double_precision, 18}, rotation, queue);
  return dispatch(wide.location(), wide.precision(), [&](auto kind) -> FatLinks {
    using Target = typename decltype(kind)::target;
    const double largest = global_max(grid, launch_largest_component<Target>(wide, queue));
    if (largest != 0) launch_scale_links<Target>(wide, 1 / largest, queue);  // NaN stay, and are refused
    queue.synchronize();
    return {store_links_on_all(grid, wide, {precision, 18}, {}, queue), largest};
  });
}

}  // namespace plaq
