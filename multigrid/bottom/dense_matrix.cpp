#include "multigrid/bottom/dense_matrix.hpp"

#include <algorithm>
#include <vector>

#include "core/launch/dispatch.hpp"
#include "core/operator/kernel_work.hpp"
#include "core/system/runs_dry.hpp"
#include "multigrid/bottom/dense_launch.hpp"
#include "multigrid/bottom/dense_product.hpp"

namespace plaq {
namespace {

std::size_t number_bytes(int rows, Precision storage) {
  return 2 * static_cast<std::size_t>(bytes_of(storage)) * DenseTiles{rows}.size();
}
std::size_t scale_bytes(int rows, Precision storage) {
  return storage == Precision::half_precision ? static_cast<std::size_t>(rows) * sizeof(float) : 0;
}

// Largest magnitude of a component in each row.
std::vector<double> largest(int rows, const std::complex<double>* columns) {
  std::vector<double> most(static_cast<std::size_t>(rows), 0);
  for (int column = 0; column < rows; ++column)
    for (double& m : most) {
      m = larger_magnitude(columns->real(), larger_magnitude(columns->imag(), m));
      ++columns;
    }
  return most;
}

}  // namespace

std::size_t DenseMatrix::bytes(int rows, Precision storage) {
  return number_bytes(rows, storage) + scale_bytes(rows, storage);
}
std::size_t DenseMatrix::packed_bytes(int rows, int batch, Precision vectors) {
  return 2 * static_cast<std::size_t>(rows) * static_cast<std::size_t>(dense_padded(batch)) *
         static_cast<std::size_t>(bytes_of(vectors));
}

DenseMatrix::DenseMatrix(int rows, const std::complex<double>* columns, Precision storage, Location location)
    : rows_(rows), storage_(storage) {
  const bool staged = location == Location::device, with_scale = storage == Precision::half_precision;
  numbers_ = Buffer(location, number_bytes(rows, storage));
  if (with_scale) scales_ = Buffer(location, scale_bytes(rows, storage));
  Buffer numbers = numbers_, scales = scales_;  // on the host
  if (staged) numbers = Buffer(Location::host, numbers_.bytes());
  if (staged && with_scale) scales = Buffer(Location::host, scales_.bytes());
  on_numbers([&] { store(columns, numbers, scales); });
  if (!staged) return;
  copy_bytes(numbers_.data(), location, numbers.data(), Location::host, numbers_.bytes());
  if (with_scale) copy_bytes(scales_.data(), location, scales.data(), Location::host, scales_.bytes());
}

// Tiles of numbers, and the scale of each row, on the host.
void DenseMatrix::store(const std::complex<double>* columns, Buffer& numbers, Buffer& scales) const {
  numbers.fill_zero();
  std::vector<double> steps(static_cast<std::size_t>(rows_), 1);
  if (scales.bytes() > 0) {
    const std::vector<double> most = largest(rows_, columns);
    for (std::size_t row = 0; row < most.size(); ++row) {
      steps[row] = steps_for(most[row]);
      scales.as<float>()[row] = static_cast<float>(most[row] / static_cast<double>(fixed16_steps));
    }
  }
  with_storage(storage_, [&]<class D>(Storage<D>) {
    auto* to = numbers.as<DenseNumber<D>>();
    for (int column = 0; column < rows_; ++column)
      for (int row = 0; row < rows_; ++row, ++columns) {
        const double s = steps[static_cast<std::size_t>(row)];
        to[DenseTiles{rows_}.place(row, column)] = {to_storage<D>(columns->real(), s),
                                                    to_storage<D>(columns->imag(), s)};
      }
  });
}

Work DenseMatrix::work(int batch, Precision vectors) const {
  const double n = rows_;
  return {8 * n * n * batch, 2 * n * n * bytes_of(storage_) + 4 * n * batch * bytes_of(vectors)};
}

void DenseMatrix::multiply(Field& out, const Field& in, int parity, const ActiveSet& active,
                           const Buffer& packed, const Queue& queue) const {
  if (active.count() == 0) return;
  require(out.spec() == in.spec() && packed.bytes() >= packed_bytes(rows_, active.count(), in.precision()),
          "a product of a dense matrix with vectors of other shapes");
  record(queue, {"dense_product", "dense_product", storage_, 0, active.count(), false,
                 work(active.count(), in.precision())});
  const DenseProductCall call{&numbers_, &scales_, &packed, &in, &out, active, parity, rows_};
  dispatch(in.location(), in.precision(), [&]<class Kind>(Kind) {
    with_storage(storage_, [&]<class D>(Storage<D>) {
      DenseLaunch<typename Kind::target, D, typename Kind::scalar>::multiply(call, queue);
    });
  });
}

}  // namespace plaq
