// The general domain-wall operator, Chiu et al. 2010, eqs. (2.1), (2.5), on the hopping term of the Wilson
// operator, which takes the slices of a 5D field as a batch.
//
// A 5D field has Ls subfields a right-hand side (five_dimensional_spec): subfield = right-hand
// side * Ls + s, s = 0..Ls-1.
#pragma once

#include "kernels/dirac/domain_wall/domain_wall_parameters.hpp"
#include "kernels/dirac/domain_wall/fifth_dimension.hpp"
#include "kernels/dirac/wilson/wilson.hpp"

namespace plaq {

// A hopping term for the parameters; throws Error(job_file) where they are wrong.
WilsonHoppingPtr make_domain_wall_hopping(const ProcessGrid& grid, const Field& gauge,
                                          const DomainWallParameters& parameters, const LinkStorage& storage,
                                          const Queue& queue, std::shared_ptr<Transport> transport,
                                          int rotated_parity = 1);
// Throws an internal error unless the hopping term is the parameters'.
void expect_hopping(const WilsonHopping& hopping, const DomainWallParameters& parameters);

// D(m) = D_w (omega + sigma L) + 1 - L on the full lattice.
class DomainWallOperator final : public LinearOperator {
 public:
  // Throws Error(job_file) where the parameters are wrong. `batch`: right-hand sides of every application.
  DomainWallOperator(WilsonHoppingPtr hopping, const DomainWallParameters& parameters, int batch);

  const DomainWallParameters& parameters() const { return parameters_; }
  const GeometryPtr& geometry() const override { return hopping_->geometry(); }
  FieldSpec spec(int batch) const override;
  const Queue& queue() const override { return hopping_->queue(); }
  Work work(int batch) const override;
  int capturable(int batch) override { return hopping_->halo(batch * Ls()).capturable(); }

 private:
  int Ls() const { return parameters_.Ls(); }
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override;

  WilsonHoppingPtr hopping_;
  DomainWallParameters parameters_;
  FifthTable x_[2], y_[2];  // X, Y and their adjoints: D = X - hop Y / 2
  Field between_;
};

}  // namespace plaq
