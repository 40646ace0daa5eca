#include "kernels/quark/color_cross.hpp"

#include "core/launch/dispatch.hpp"
#include "core/system/error.hpp"

namespace plaq {

void color_cross(const Field& x, int j, int first_x, Field& y, const Queue& queue) {
  FieldSpec like = x.spec();
  like.subfields = y.subfields();
  require(like.subset == Subset::full && like.spins == 4 && like.colors == 3 && like.Ls == 1 &&
              y.spec() == like && x.geometry_ptr() == y.geometry_ptr() && x.geometry().halo_depth() == 0 &&
              like.location == queue.location() && x.data(0, 0) != y.data(0, 0),
          "products of color vectors take spinors on both parities, without halo, where the queue is");
  require(j >= 0 && j < 4 * x.subfields() && first_x >= 0 && first_x + y.subfields() <= x.subfields(),
          "color vectors beyond those of a field");
  dispatch(x.location(), x.precision(), [&](auto kind) {
    using K = decltype(kind);
    launch_color_cross<typename K::target, typename K::scalar>(x, j, first_x, y, queue);
  });
  queue.synchronize();
  y.touch();
}

}  // namespace plaq
