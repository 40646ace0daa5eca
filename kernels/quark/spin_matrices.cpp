#include "kernels/quark/spin_matrices.hpp"

#include "core/algebra/complex.hpp"
#include "core/launch/dispatch.hpp"

namespace plaq {

SpinMatrices::SpinMatrices(const GeometryPtr& geometry, int spins, const Queue& queue)
    : spins_(spins),
      queue_(queue),
      density_(geometry, MomentumProjection::density_spec(densities(spins), queue.location())) {
  require(spins == 4 || spins == 1, "matrices of spins are of spinors or of color vectors");
}

void SpinMatrices::add(const Field& phi, const Field& eta, int begin, int end) {
  for (const Field* field : {&phi, &eta})
    require(field->spec().spins == spins_ && field->precision() == Precision::double_precision &&
                field->location() == queue_.location() && 0 <= begin && end <= field->subfields(),
            "matrices of spins are made of fields in double precision, where they are");
  dispatch(density_.location(), Precision::double_precision, [&](auto kind) {
    launch_add_spin_matrix<typename decltype(kind)::target>({&phi, &eta, &density_, begin, end, is_zero_},
                                                            queue_);
  });
  is_zero_ = false;
}

void SpinMatrices::set_trace(const Field& propagator) {
  require(spins_ == 4, "the trace over colors is of a propagator of spinors");
  const Field wide = as_double_propagator(propagator, density_.geometry(), queue_.location());
  dispatch(density_.location(), Precision::double_precision,
           [&](auto kind) { launch_color_trace<typename decltype(kind)::target>(wide, density_, queue_); });
  queue_.synchronize();  // `wide` may be a copy
  is_zero_ = false;
}

const Field& SpinMatrices::density() const {
  require(!is_zero_, "there are no matrices of spins");
  return density_;
}

std::vector<std::vector<std::complex<double>>> trace_with(const GammaMatrix& gamma,
                                                          const Correlators& matrix) {
  require(matrix.size() == 16, "a trace with a gamma matrix is of spinors");
  std::vector<std::vector<std::complex<double>>> trace(matrix[0].size());
  for (std::size_t p = 0; p < trace.size(); ++p)
    for (std::size_t t = 0; t < matrix[0][p].size(); ++t) {
      std::complex<double> sum = 0;
      for (std::size_t row = 0; row < 4; ++row) {
        const Complex<double> phase = power_of_i(gamma.phase[row]);
        const std::size_t column = row ^ static_cast<std::size_t>(gamma.flip);
        sum += std::complex<double>(phase.re, phase.im) * matrix[4 * column + row][p][t];
      }
      trace[p].push_back(sum);
    }
  return trace;
}

}  // namespace plaq
