#include "kernels/quark/residual_mass.hpp"

#include "core/system/error.hpp"
#include "kernels/blas/blas.hpp"
#include "kernels/blas/operations.hpp"

namespace plaq {

double summed_residual_mass(const ProcessGrid& grid, const Field& source, const Field& quark, double mass,
                            const Queue& queue) {
  require(source.spec() == quark.spec() && quark.spec().subset == Subset::full,
          "a residual mass of a source and a quark field of different shape");
  const int columns = quark.subfields();
  blas::Workspace work(queue, columns);
  // For the pair (q, b): (q, b), |q|^2.
  const auto found = blas::update_and_sum<blas::DotNorm>(
      work, std::vector<blas::Coefficients>(static_cast<std::size_t>(columns)), {&quark, &source});
  std::vector<ExactSum> sums(2);
  for (std::size_t k = 0; k < static_cast<std::size_t>(columns); ++k) {
    sums[0].merge(found[3 * k]);
    sums[1].merge(found[3 * k + 2]);
  }
  const auto total = global_sums(grid, sums);
  return total[0] / total[1] - mass;
}

std::vector<double> residual_mass(const CorrelatorInTime& midpoint, const CorrelatorInTime& pion) {
  require(midpoint.size() == pion.size(), "correlators of different length");
  std::vector<double> ratio;
  for (std::size_t t = 0; t < pion.size(); ++t) ratio.push_back(midpoint[t].real() / pion[t].real());
  return ratio;
}

Plateau Plateau::middle(int slices) {
  const int first = (slices + 3) / 4;
  return {first, slices - first};
}

double Plateau::average(const std::vector<double>& of_t) const {
  require(0 <= first && first <= last && last < static_cast<int>(of_t.size()),
          "a plateau outside of its correlator");
  double sum = 0;
  for (int t = first; t <= last; ++t) sum += of_t[static_cast<std::size_t>(t)];
  return sum / (last - first + 1);
}

std::vector<double> pcac_mass(const CorrelatorInTime& axial, const CorrelatorInTime& pion) {
  require(axial.size() == pion.size(), "correlators of different length");
  const std::size_t slices = pion.size();
  std::vector<double> mass;
  for (std::size_t t = 0; t < slices; ++t)
    mass.push_back((axial[(t + 1) % slices].real() - axial[(t + slices - 1) % slices].real()) /
                   (4 * pion[t].real()));
  return mass;
}

}  // namespace plaq
