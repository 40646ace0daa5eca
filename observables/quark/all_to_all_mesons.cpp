#include "observables/quark/all_to_all_mesons.hpp"

#include <algorithm>

#include "core/launch/dispatch.hpp"
#include "core/system/dry_run.hpp"
#include "kernels/quark/spin_matrices.hpp"

namespace plaq {
namespace {

constexpr int columns_at_once = 12;  // whose densities are in memory together
constexpr int open_spins = 16;

using Numbers = std::vector<std::complex<double>>;

// Sums over space of products of all pairs of fields.
class Products {
 public:
  Products(const SharedLattice& lattice, const std::vector<Momentum>& momenta)
      : lattice_(lattice), project_(*lattice.grid, lattice.geometry, momenta, lattice.queue) {}

  // [matrix][momentum][t][i + count * j] of sum_x exp(-i p x) f_j^dagger Gamma f_i.
  std::vector<std::vector<std::vector<Numbers>>> operator()(int count,
                                                            const std::function<const Field&(int)>& f,
                                                            const std::vector<GammaMatrix>& matrices) const {
    const auto slices = static_cast<std::size_t>(lattice_.geometry->global()[3]);
    const auto pairs = static_cast<std::size_t>(count) * static_cast<std::size_t>(count);
    std::vector<std::vector<std::vector<Numbers>>> all(
        matrices.size(), std::vector(project_.momenta().size(), std::vector(slices, Numbers(pairs))));
    for (int first = 0; first < count; first += columns_at_once) {
      const int columns = std::min(columns_at_once, count - first);
      FieldSpec spec = f(first).spec();
      spec.subfields = columns;
      Field together(lattice_.geometry, spec);
      for (int i = 0; i < columns; ++i) copy_subfield(together, i, f(first + i), 0);
      Field density = project_.make_density(open_spins * columns);
      for (int j = 0; j < count; ++j) {
        const Field& left = f(j);
        dispatch(density.location(), Precision::double_precision, [&](auto kind) {
          launch_open_spins<typename decltype(kind)::target>({&left, &together, &density, 0}, lattice_.queue);
        });
        const Correlators open = project_(density, {0, 0, 0, 0});  // [16 column + 4 a + b][momentum][t]
        for (int i = 0; i < columns; ++i) {
          const Correlators matrix(open.begin() + open_spins * i, open.begin() + open_spins * (i + 1));
          const auto at = static_cast<std::size_t>(first + i + count * j);
          for (std::size_t k = 0; k < matrices.size(); ++k) {
            // f_j,a^* f_i,b is there as the element a, b, which a trace takes as b, a.
            const auto traces = trace_with(transposed(matrices[k]), matrix);
            for (std::size_t p = 0; p < traces.size(); ++p)
              for (std::size_t t = 0; t < slices; ++t) all[k][p][t][at] = traces[p][t];
          }
        }
      }
    }
    return all;
  }

 private:
  SharedLattice lattice_;
  MomentumProjection project_;
};

}  // namespace

Correlators all_to_all_mesons(const SharedLattice& lattice, const PropagatorFactors& factors,
                              const std::vector<MesonChannel>& channels,
                              const std::vector<Momentum>& momenta) {
  const MemoryName name("products of low modes");
  std::vector<GammaMatrix> at_sink, at_source;
  for (const MesonChannel& channel : channels)
    for (const GammaPair& pair : channel.pairs) {
      at_sink.push_back(gamma5() * pair.sink);
      at_source.push_back(adjoint(pair.source * gamma5()));  // of Q_ij^*
    }
  const Products products(lattice, momenta);
  const auto sinks = products(factors.count, factors.phi, at_sink),
             sources = products(factors.count, factors.chi, at_source);
  const auto slices = static_cast<std::size_t>(lattice.geometry->global()[3]);
  const auto sites = static_cast<double>(lattice.geometry->global_volume());
  Correlators all(channels.size(), std::vector(momenta.size(), Numbers(slices)));
  for (std::size_t c = 0, k = 0; c < channels.size(); ++c)
    for (const GammaPair& pair : channels[c].pairs) {
      for (std::size_t p = 0; p < momenta.size(); ++p)
        for (std::size_t t = 0; t < slices; ++t) {
          std::complex<double> sum = 0;
          for (std::size_t t0 = 0; t0 < slices; ++t0) {
            const Numbers &sink = sinks[k][p][(t0 + t) % slices], &source = sources[k][p][t0];
            for (std::size_t ij = 0; ij < sink.size(); ++ij) sum += sink[ij] * std::conj(source[ij]);
          }
          all[c][p][t] += pair.weight / sites * sum;
        }
      ++k;
    }
  return all;
}

}  // namespace plaq
