// The Wilson operator, Clark et al. 2010, eq. (1), with anisotropy:
//   M = m + 1 + 3 nu/xi - (1/2) [hop_t + (nu/xi) hop_s],   m = 1/(2 kappa) - 4,
// and its even-odd Schur complements, eq. (2). Spinors in the DeGrand-Rossi basis.
#pragma once

#include <array>
#include <map>
#include <memory>

#include "comms/schedule.hpp"
#include "comms/transport.hpp"
#include "core/linear_operator.hpp"
#include "kernels/dirac/wilson_launch.hpp"

namespace plaq {

struct WilsonParameters {
  double mass = 0;                           // bare, in lattice units
  double xi = 1, nu = 1;                     // bare anisotropy and its fermion correction
  std::array<int, 4> boundary{1, 1, 1, -1};  // sign of each direction's boundary condition

  double diagonal() const { return mass + 1 + 3 * nu / xi; }
  static double mass_of_kappa(double kappa) { return 1 / (2 * kappa) - 4; }
};

// The hopping term D with links of its own, in the precision and at the location of its spinors.
class WilsonHopping {
 public:
  // `gauge` may have any precision and location; it is copied and converted. The grid must outlive this
  // object.
  WilsonHopping(const ProcessGrid& grid, const Field& gauge, const WilsonParameters& parameters,
                Precision precision, const Queue& queue, std::shared_ptr<Transport> transport);

  const GeometryPtr& geometry() const { return links_.geometry_ptr(); }
  const Queue& queue() const { return schedule_.queue(); }
  Location location() const { return links_.location(); }
  Precision precision() const { return links_.precision(); }
  const WilsonParameters& parameters() const { return parameters_; }

  // out = a * add + b * D in on the sites of `parity`; D in alone when add is null. `in` holds the other
  // parity, `out` and `add` hold `parity`; `out` may be `add`, not `in`.
  void apply(Field& out, const Field& in, int parity, bool dagger, double a = 0, const Field* add = nullptr,
             double b = 1);

  // On one parity; 1320 flops a site.
  Work work(int batch, bool with_add) const;

  Halo& halo(int batch);
  Schedule& schedule() { return schedule_; }

 private:
  const ProcessGrid* grid_;
  WilsonParameters parameters_;
  Field links_;
  std::shared_ptr<Transport> transport_;
  HopWeights<double> weights_;
  Schedule schedule_;
  std::map<int, std::unique_ptr<Halo>> halos_;  // by batch
};

using WilsonHoppingPtr = std::shared_ptr<WilsonHopping>;

// M on the full lattice.
class WilsonOperator final : public LinearOperator {
 public:
  explicit WilsonOperator(WilsonHoppingPtr hopping) : hopping_(std::move(hopping)) {}

  const GeometryPtr& geometry() const override { return hopping_->geometry(); }
  FieldSpec spec(int batch) const override;
  const Queue& queue() const override { return hopping_->queue(); }
  Work work(int batch) const override;
  void apply(Field& out, const Field& in) override { apply(out, in, false); }
  void apply_dagger(Field& out, const Field& in) override { apply(out, in, true); }

 private:
  void apply(Field& out, const Field& in, bool dagger);
  WilsonHoppingPtr hopping_;
};

// S on one parity, d being the diagonal of M:
//   symmetric  S = 1 - D_pq D_qp / (4 d^2)   (eq. (2) where xi = nu = 1)
//   asymmetric S = d - D_pq D_qp / (4 d)
class WilsonSchur final : public SchurOperator {
 public:
  enum class Form { symmetric, asymmetric };
  WilsonSchur(WilsonHoppingPtr hopping, int parity, Form form, int batch);

  const GeometryPtr& geometry() const override { return hopping_->geometry(); }
  FieldSpec spec(int batch) const override;
  const Queue& queue() const override { return hopping_->queue(); }
  Work work(int batch) const override;
  void apply(Field& out, const Field& in) override { apply(out, in, false); }
  void apply_dagger(Field& out, const Field& in) override { apply(out, in, true); }

  int parity() const override { return parity_; }
  double residual_scale() const override;
  void reduce_source(Field& reduced, const Field& full) override;
  void reconstruct(Field& full, const Field& solution, const Field& full_source) override;

 private:
  void apply(Field& out, const Field& in, bool dagger);
  WilsonHoppingPtr hopping_;
  int parity_;
  Form form_;
  Field other_;  // workspace on the other parity
};

}  // namespace plaq
