#include "multigrid/bottom/dense_inverse.hpp"

#include <cmath>
#include <utility>

#include "core/algebra/random.hpp"
#include "core/field/fixed16.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/runs_dry.hpp"
#include "kernels/blas/blas.hpp"
#include "kernels/blas/operations.hpp"

namespace plaq {

DenseInverse::DenseInverse(std::unique_ptr<SchurOperator> reduced,
                           std::shared_ptr<const OperatorInverse> inverse, int batch)
    : reduced_(std::move(reduced)),
      inverse_(std::move(inverse)),
      source_(reduced_->geometry(), reduced_->spec(batch)),
      solution_(reduced_->geometry(), reduced_->spec(batch)) {
  const int rows = inverse_->matrix.rows();
  require(rows == dense_rows(*reduced_->geometry(), source_.reals_per_site() / 2),
          "the dense inverse of another operator");
  const MemoryName name("dense inverse");
  packed_ = Buffer(source_.location(), DenseMatrix::packed_bytes(rows, batch, source_.precision()));
}

void DenseInverse::multiply(Field& out, const Field& in, const ActiveSet& active) {
  inverse_->matrix.multiply(out, in, reduced_->parity(), active, packed_, reduced_->queue());
}

void DenseInverse::solve(Field& e, const Field& b, const ActiveSet& active) {
  reduced_->reduce_source(source_, b);
  multiply(solution_, source_, active);
  reduced_->reconstruct(e, solution_, b);
}

Work DenseInverse::work(int batch) const {
  // Once to reduce and to reconstruct.
  return reduced_->work(batch) + inverse_->matrix.work(batch, source_.precision());
}

// Normal numbers, but 0 in components that are not there.
void DenseInverse::make_noise() {
  FieldSpec on_host = source_.spec();
  on_host.location = Location::host;
  Field noise(source_.geometry_ptr(), on_host);
  const int components = noise.reals_per_site() / 2;
  std::vector<char> there(static_cast<std::size_t>(inverse_->matrix.rows()), 1);
  for (const int row : inverse_->absent) there[static_cast<std::size_t>(row)] = 0;
  for (int row = 0; row < inverse_->matrix.rows(); ++row)
    for (int rhs = 0; rhs < noise.batch() && there[static_cast<std::size_t>(row)]; ++rhs) {
      const RandomStream stream{1, static_cast<std::uint64_t>(row), static_cast<std::uint32_t>(rhs),
                                Purpose::noise_source};
      const GaussianPair z = stream.draw(0).gaussian();
      for (const int i : {0, 1})
        set_real(noise, rhs, reduced_->parity(), row / components, 2 * (row % components) + i,
                 i == 0 ? z.first : z.second);
    }
  copy(source_, noise);
}

double DenseInverse::error() {
  Field r(source_.geometry_ptr(), source_.spec());
  make_noise();
  multiply(solution_, source_, ActiveSet(source_.batch()));
  reduced_->apply(r, solution_);
  blas::Workspace workspace(reduced_->queue(), source_.batch());
  const std::vector<blas::Coefficients> minus(static_cast<std::size_t>(source_.batch()), {1, {-1, 0, 1, 0}});
  blas::update<blas::Axpby>(workspace, minus, {&source_, &r});
  const auto error = blas::update_and_sum<blas::Norm>(workspace, minus, {&r}),
             norm = blas::update_and_sum<blas::Norm>(workspace, minus, {&source_});
  double most = 0;
  for (std::size_t i = 0; i < norm.size(); ++i)
    most = larger_magnitude(std::sqrt(error[i].round() / norm[i].round()), most);
  return by_data(most, 0.0);
}

}  // namespace plaq
