// Gauge-covariant Gaussian smearing of staggered quarks, by hops of two links, which keep x, y, z modulo 2 and so the tastes
// of a source or sink apart:
//   chi <- chi + (sigma^2 / (16 N)) Lap_2 chi,  N times,
//   (Lap_2 chi)(x) = sum_i [ W_i(x) chi(x+2i) + W_i(x-2i)^dagger chi(x-2i) - 2 chi(x) ],  W_i(x) = U_i(x) U_i(x+i),
// i = x, y, z, where hops over the edge of the lattice have the boundary sign of the quarks. The factor 4 beside that of Wilson quarks (kernels/quark/gaussian_smearing.hpp) is for the hops'
// length: for large N it tends to exp(sigma^2 Lap / 4) with lengths in lattice units, on unit links to exp(-r^2 / sigma^2)
// for a point, on the sites at even distances from it. So MILC has it (generic_ks/gauss_smear_ks_cpu.c: width, iters). No
// phases: eta_i(x) eta_i(x+i) = 1.
#pragma once

#include <map>

#include "comms/halo/extended_halo.hpp"
#include "kernels/quark/gaussian_smearing.hpp"

namespace plaq {

class StaggeredSmearing final : public QuarkSmearing {
 public:
  // `gauge`: the links U, smeared or not, without halo, any precision and location. The grid must outlive this object.
  // Throws Error(job_file) for impossible parameters. Collective.
  StaggeredSmearing(const ProcessGrid& grid, const Field& gauge, const GaussianSmearingParameters& parameters,
                    const Queue& queue, std::shared_ptr<Transport> transport);

  // In place, on a field of color vectors of both parities in double precision, of at most 8 subfields, at the queue's
  // location. Queued but for the copies between geometries, collective; the same bits on any process grid and in any batch.
  void apply(Field& chi) override;

 private:
  // What a number of subfields needs, on the extended geometry; made at its first use.
  struct Batch {
    std::unique_ptr<ExtendedHalo> halo;
    Field one, other;
  };
  Batch& batch(int subfields);

  const ProcessGrid* grid_;
  GaussianSmearingParameters parameters_;
  GeometryPtr plain_, extended_;
  Queue queue_;
  std::shared_ptr<Transport> transport_;
  Field two_links_;
  std::map<int, Batch> batches_;
};

}  // namespace plaq
