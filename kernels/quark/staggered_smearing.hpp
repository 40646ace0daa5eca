// Gauge-covariant Gaussian smearing of staggered quarks, by hops of two links, which keep x, y, z modulo 2
// and so the tastes of a source or sink apart:
//   chi <- chi + (sigma^2 / (16 N)) Lap_2 chi,  N times,
//   (Lap_2 chi)(x) = sum_i [ W_i(x) chi(x+2i) + W_i(x-2i)^dagger chi(x-2i) - 2
//     chi(x) ],  W_i(x) = U_i(x) U_i(x+i),
// i = x, y, z. Hops over the edge of the lattice have the boundary sign of the quarks. The factor is a
// quarter of that of Wilson quarks (kernels/quark/gaussian_smearing.hpp), because a hop is twice as long. For
// large N the smearing tends to exp(sigma^2 Lap / 4) with lengths in lattice units. On unit links a point
// becomes exp(-r^2 / sigma^2), on the sites at even distances from it. MILC has this form
// (generic_ks/gauss_smear_ks_cpu.c: width, iters). There are no phases:
// eta_i(x) eta_i(x+i) = 1.
#pragma once

#include <map>

#include "comms/halo/extended_halo.hpp"
#include "core/field/field.hpp"
#include "core/launch/queue.hpp"
#include "kernels/quark/gaussian_smearing.hpp"

namespace plaq {

class StaggeredSmearing final : public QuarkSmearing {
 public:
  // `gauge`: the links U, smeared or not, without halo, any precision and location. The grid must outlive
  // this object. Throws Error(job_file) for impossible parameters. Collective.
  StaggeredSmearing(const ProcessGrid& grid, const Field& gauge, const GaussianSmearingParameters& parameters,
                    const Queue& queue, std::shared_ptr<Transport> transport);

  // In place, on a field of color vectors of both parities in double precision, of at most 8 subfields, at
  // the queue's location. Queued but for the copies between geometries, collective; the same bits on
  // any process grid and in any batch.
  void apply(Field& chi) override;

 private:
  // Memory for a number of subfields, on the extended geometry; made at its first use.
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

// The launches behind smearing of staggered quarks for one machine, in double precision. All fields live on
// one extended geometry; of what is read the halo of depth 2 is filled, of what is written the owned sites
// are.
//
// W_i(x) = U_i(x) U_i(x+i), i = x, y, z; that of t is left alone.
template <class Target>
void launch_two_links(const Field& gauge, Field& product, const Queue& queue);
// out = a in + b sum_i [ W_i(x) in(x+2i) + W_i(x-2i)^dagger in(x-2i) ], of all subfields.
template <class Target>
void launch_two_link_step(const Field& two_links, const Field& in, Field& out, double a, double b,
                          const Queue& queue);

}  // namespace plaq
