// A coarse operator with 33 matrices a site. It has no even-odd form, since it connects sites of one parity,
// no twist, and is made again for another mass.
#pragma once

#include "multigrid/coarse/wide_operator.hpp"
#include "multigrid/hierarchy/coarse_level.hpp"

namespace plaq {

class WideLevel final : public CoarseLevel {
 public:
  // Arguments are those of make_coarse_level(). Cycles have their links in half precision at least: the
  // smallest eigenvalues are two or three orders below the largest.
  WideLevel(const ProcessGrid& grid, CoarseLinks links, Precision storage, const Queue& queue,
            std::shared_ptr<Transport> transport);

  const ProcessGrid& grid() const override { return grid_; }
  const std::shared_ptr<Transport>& transport() const override { return transport_; }
  WideOperator& full() override { return *m_; }
  std::unique_ptr<SchurOperator> reduced(int batch) override;
  bool shifts_with_mass() const override { return false; }

  void release_setup_data() override { m_ = stored_; }
  void apply(Field& out, const Field& in) override { stored_->apply(out, in); }
  void set_twist(const Twist& twist) override;
  void shift_mass(double change, const Twist& twist) override;
  void set_even_share(Field share) override;
  CoarseOperator& even_share() override;

 private:
  const ProcessGrid& grid_;
  std::shared_ptr<Transport> transport_;
  std::shared_ptr<WideOperator> m_, stored_;  // as it was made, and of cycles
};

}  // namespace plaq
