#include "multigrid/bottom/operator_inverse.hpp"

#include <fmt/format.h>
#include <Eigen/LU>

#include <algorithm>
#include <limits>

#include "core/field/field_views.hpp"
#include "core/launch/dispatch.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/runs_dry.hpp"

namespace plaq {
namespace {

// `inverse` = matrix^-1, n x n, columns after columns, by LU with partial pivoting; `matrix` is used up.
// The inverse of a singular matrix is large or not finite. The same bits for any number of threads.
void invert_dense(std::complex<double>* inverse, std::complex<double>* matrix, int n) {
  using Matrix = Eigen::MatrixXcd;
  constexpr int columns = 64;
  Eigen::setNbThreads(1);  // it would cut products, and round them, by their number
  Eigen::Map<Matrix> in(matrix, n, n), out(inverse, n, n);
  const Eigen::PartialPivLU<Eigen::Ref<Matrix>> lu(in);
#pragma omp parallel for schedule(dynamic)
  for (int first = 0; first < n; first += columns) {
    const int count = std::min(columns, n - first);
    out.middleCols(first, count) = lu.solve(Matrix::Identity(n, n).middleCols(first, count));
  }
}

using Complex64 = std::complex<double>;

std::size_t square_bytes(int rows) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(rows) * sizeof(Complex64);
}

// Below, the inverse would be off by a tenth and more.
double least_condition(Precision vectors) {
  return 10 * (vectors == Precision::single_precision
                   ? static_cast<double>(std::numeric_limits<float>::epsilon())
                   : std::numeric_limits<double>::epsilon());
}

// Column after column: what the operator makes of unit vectors, a batch of them at a time. Fields with
// right-hand sides fastest are alike on a device and on the host.
void fill(Complex64* matrix, int rows, SchurOperator& s, int batch) {
  const int parity = s.parity();
  Field in(s.geometry(), s.spec(batch)), out(s.geometry(), s.spec(batch));
  FieldSpec plain = in.spec();
  plain.order = Order::right_hand_sides_fastest;
  Field there(s.geometry(), plain);
  plain.location = Location::host;
  Field units(s.geometry(), plain), images(s.geometry(), plain);
  const int components = in.reals_per_site() / 2;
  for (int first = 0; first < rows; first += batch) {
    const int count = std::min(batch, rows - first);
    const auto set_units = [&](double one) {
      for (int k = 0; k < count; ++k)
        set_real(units, k, parity, (first + k) / components, 2 * ((first + k) % components), one);
    };
    on_numbers([&] { set_units(1); });
    copy(there, units);
    copy(in, there);
    s.apply(out, in);
    copy(there, out);
    copy(images, there);
    on_numbers([&] {
      set_units(0);
      dispatch(Location::host, images.precision(), [&]<class Kind>(Kind) {
        const auto image = scalar_components<Host, typename Kind::scalar>(images, parity);
#pragma omp parallel for
        for (int k = 0; k < count; ++k) {
          Complex64* column = matrix + (std::int64_t{first} + k) * rows;
          for (int row = 0; row < rows; ++row) {
            const auto z = image.load(k, row / components, row % components);
            column[row] = {static_cast<double>(z.re), static_cast<double>(z.im)};
          }
        }
      });
    });
  }
}

// The largest sum of magnitudes in a column; not a number where one of them is none.
double norm_of_columns(const Complex64* matrix, int rows) {
  std::vector<double> sums(static_cast<std::size_t>(rows), 0);
#pragma omp parallel for
  for (int column = 0; column < rows; ++column) {
    const Complex64* numbers = matrix + std::int64_t{column} * rows;
    double sum = 0;
    for (int row = 0; row < rows; ++row) sum += std::abs(numbers[row]);
    sums[static_cast<std::size_t>(column)] = sum;
  }
  double most = 0;
  for (const double sum : sums) most = larger_magnitude(sum, most);
  return most;
}

std::vector<int> absent_rows(const Complex64* matrix, int rows) {
  std::vector<char> there(static_cast<std::size_t>(rows), 0);
  for (std::size_t column = 0; column < there.size(); ++column)
    for (std::size_t row = 0; row < there.size(); ++row)
      if (*matrix++ != 0.0) there[row] = there[column] = 1;
  std::vector<int> absent;
  for (int row = 0; row < rows; ++row)
    if (!there[static_cast<std::size_t>(row)]) absent.push_back(row);
  return absent;
}

}  // namespace

std::int64_t dense_rows(const Geometry& coarse, int components) {
  return std::int64_t{coarse.general_shape().parity_sites(0)} * components;
}
std::size_t inversion_bytes(int rows, Precision storage, Location location) {
  const std::size_t staged = location == Location::device ? DenseMatrix::bytes(rows, storage) : 0;
  return square_bytes(rows) + std::max(square_bytes(rows), staged);
}
bool fits_dense_inverse(const Geometry& coarse, int components, int most_rows) {
  return coarse.local() == coarse.global() && dense_rows(coarse, components) <= most_rows;
}

std::shared_ptr<const OperatorInverse> invert_operator(SchurOperator& s, int batch, Precision storage) {
  const Geometry& geometry = *s.geometry();
  const FieldSpec spec = s.spec(1);
  require(geometry.local() == geometry.global(), "a dense inverse of a lattice on several ranks");
  require(spec.subset != Subset::full || geometry.parities() == 1,
          "a dense inverse of an operator on both parities");
  const MemoryName name("dense inverse");
  auto made = std::make_shared<OperatorInverse>();
  const int rows = static_cast<int>(dense_rows(geometry, spec.reals() / 2));
  const Buffer inverse(Location::host, square_bytes(rows));
  auto* of_inverse = inverse.as<Complex64>();
  {
    const Buffer memory(Location::host, square_bytes(rows));
    auto* matrix = memory.as<Complex64>();
    fill(matrix, rows, s, batch);
    const auto diagonal = [&](Complex64* m, int row) -> Complex64& {
      return m[row * (std::int64_t{rows} + 1)];
    };
    double norm = 0;
    on_numbers([&] {
      made->absent = absent_rows(matrix, rows);
      for (const int row : made->absent) diagonal(matrix, row) = 1;
      norm = norm_of_columns(matrix, rows);
    });
    const bool by_library =
        spec.location == Location::device && invert_by_cusolver(of_inverse, matrix, rows, s.queue());
    on_numbers([&] {
      if (!by_library) invert_dense(of_inverse, matrix, rows);
      made->reciprocal_condition = 1 / (norm * norm_of_columns(of_inverse, rows));
      if (!(made->reciprocal_condition > least_condition(spec.precision)))
        throw Error(
            ErrorKind::not_converged,
            fmt::format(
                "the coarsest operator, on {} with {} rows, is singular in {} precision: its reciprocal "
                "condition number is {:.1e}",
                to_string(geometry.global()), rows, name_of(spec.precision), made->reciprocal_condition));
      for (const int row : made->absent) diagonal(of_inverse, row) = 0;
    });
  }
  made->matrix = DenseMatrix(rows, of_inverse, storage, spec.location);
  return made;
}

}  // namespace plaq
