#include "jobs/dirac/dirac_action.hpp"

#include "core/system/error.hpp"
#include "jobs/dirac/domain_wall_action.hpp"
#include "jobs/dirac/staggered_action.hpp"
#include "jobs/dirac/wilson_action.hpp"

namespace plaq::jobs {

std::unique_ptr<DiracAction> make_action(const DiracMatrix& matrix, const Field& gauge,
                                         std::shared_ptr<CloverField> clover) {
  require(clover == nullptr || std::holds_alternative<WilsonParameters>(matrix.parameters),
          "a clover field for quarks that have no clover term");
  struct Maker {
    const DiracMatrix& matrix;
    const Field& gauge;
    std::shared_ptr<CloverField>& clover;
    std::unique_ptr<DiracAction> operator()(const WilsonParameters&) const {
      return std::make_unique<WilsonAction>(matrix, gauge, std::move(clover));
    }
    std::unique_ptr<DiracAction> operator()(const StaggeredParameters& p) const {
      return std::make_unique<StaggeredAction>(matrix, p, gauge);
    }
    std::unique_ptr<DiracAction> operator()(const AsqtadParameters& p) const {
      return std::make_unique<StaggeredAction>(matrix, p, gauge);
    }
    std::unique_ptr<DiracAction> operator()(const DomainWallChoice& p) const {
      return std::make_unique<DomainWallAction>(matrix, p, gauge);
    }
  };
  return std::visit(Maker{matrix, gauge, clover}, matrix.parameters);
}

}  // namespace plaq::jobs
