#include "kernels/quark/slice_products.hpp"

#include <algorithm>
#include <limits>

#include "comms/sums/sum_exchange.hpp"
#include "core/launch/dispatch.hpp"
#include "core/system/error.hpp"
#include "kernels/quark/slice_products_launch.hpp"

namespace plaq {
namespace {

void expect_vectors(const ColorVectors& x, const ColorVectors& y, const Queue& queue) {
  for (const ColorVectors* vectors : {&x, &y}) {
    const Field& field = *vectors->field;
    const FieldSpec& spec = field.spec();
    require(spec.subset == Subset::full && spec.spins == 4 && spec.colors == 3 && spec.Ls == 1 &&
                field.geometry().halo_depth() == 0 && spec.location == queue.location(),
            "products of color vectors take spinors on both parities, without halo, where the queue is");
    require(vectors->first >= 0 && vectors->count > 0 && vectors->first + vectors->count <= field.subfields(),
            "color vectors beyond those of a field");
  }
  require(x.field->precision() == y.field->precision() && x.field->geometry_ptr() == y.field->geometry_ptr(),
          "products of color vectors of two precisions or geometries");
}

// Sums of all slices that are in memory and in one message: 560 bytes each.
constexpr int most_sums = 1 << 15;

}  // namespace

SliceMatrices slice_dots(const ProcessGrid& grid, const ColorVectors& x, const ColorVectors& y,
                         const Queue& queue) {
  expect_vectors(x, y, queue);
  const Geometry& geometry = y.field->geometry();
  const int slices = geometry.global()[3];
  const int of_subfield = 2 * slices * 4 * y.size();
  const int at_once = std::clamp(most_sums / of_subfield, 1, x.count);
  require(4 * at_once * y.count < 65536 &&
              at_once <= std::numeric_limits<int>::max() / (ExactSum::size * of_subfield),
          "products of too many color vectors at once");
  const auto columns = static_cast<std::size_t>(y.size()), rows = static_cast<std::size_t>(x.size());
  SliceMatrices result(static_cast<std::size_t>(slices) * rows * columns);
  SumBuffer buffer(queue.location(), at_once * of_subfield);
  buffer.clear(queue, buffer.capacity());
  for (int done = 0; done < x.count; done += at_once) {
    const ColorVectors part{x.field, x.first + done, std::min(at_once, x.count - done)};
    const int count = part.count * of_subfield;
    dispatch(x.field->location(), x.field->precision(), [&](auto kind) {
      using K = decltype(kind);
      launch_slice_dots<typename K::target, typename K::scalar>(part, y, geometry.offset()[3], buffer, queue);
    });
    const std::vector<double> values = grid.sums().take(buffer, count, queue);
    const std::size_t of_slice = static_cast<std::size_t>(part.size()) * columns;
    for (std::size_t t = 0; t < static_cast<std::size_t>(slices); ++t)
      for (std::size_t i = 0; i < of_slice; ++i) {
        const std::size_t at = 2 * (t * of_slice + i);
        result[(t * rows + static_cast<std::size_t>(4 * done)) * columns + i] = {values[at], values[at + 1]};
      }
  }
  return result;
}

void slice_axpys(const ColorVectors& x, const SliceMatrices& c, double keep, const ColorVectors& y,
                 const std::vector<char>& wanted, const Queue& queue) {
  expect_vectors(x, y, queue);
  const auto times = static_cast<std::size_t>(y.field->geometry().local()[3]);
  require(c.size() == times * static_cast<std::size_t>(x.size()) * static_cast<std::size_t>(y.size()) &&
              (wanted.empty() || wanted.size() == times),
          "coefficients of other slices or color vectors than those of the fields");
  require(x.field != y.field || x.first + x.count <= y.first || y.first + y.count <= x.first,
          "color vectors that are added to themselves");
  static_assert(sizeof(Complex<double>) == sizeof(std::complex<double>));
  const std::size_t bytes = c.size() * sizeof(Complex<double>);
  const Buffer table(queue.location(), bytes);
  copy_bytes(table.data(), table.location(), c.data(), Location::host, bytes);
  dispatch(y.field->location(), y.field->precision(), [&](auto kind) {
    using K = decltype(kind);
    launch_slice_axpys<typename K::target, typename K::scalar>(x, table.as<Complex<double>>(), keep, y,
                                                               wanted, queue);
  });
  queue.synchronize();  // before the table goes
}

}  // namespace plaq
