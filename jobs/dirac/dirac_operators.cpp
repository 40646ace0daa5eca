#include "jobs/dirac/dirac_operators.hpp"

#include "kernels/gauge/temporal_gauge.hpp"

namespace plaq::jobs {

WilsonHoppingPtr make_hopping(const DiracMatrix& m, const Field& gauge, const LinkStorage& storage) {
  auto hopping = std::make_shared<WilsonHopping>(*m.grid, gauge, m.parameters, storage, m.queue, m.transport,
                                                 1 - schur_parity);
  hopping->set_short_faces(m.short_faces);
  return hopping;
}

CloverNeed clover_need(Preconditioning preconditioning) {
  switch (preconditioning) {
    case Preconditioning::even_odd:
      return CloverNeed::schur_symmetric;
    case Preconditioning::even_odd_asymmetric:
      return CloverNeed::schur_asymmetric;
    case Preconditioning::none:
      break;
  }
  return CloverNeed::operator_full;
}

DiracOperator::DiracOperator(const DiracMatrix& m, const Field& gauge, const LinkStorage& storage,
                             CloverField* clover)
    : DiracOperator(m, gauge, make_hopping(m, gauge, storage), clover) {}

DiracOperator::DiracOperator(const DiracMatrix& m, const Field& gauge, WilsonHoppingPtr hopping,
                             CloverField* clover)
    : hopping_(std::move(hopping)) {
  auto blocks =
      make_clover_blocks(*m.grid, gauge, *hopping_, clover_need(m.preconditioning), schur_parity, clover);
  if (m.preconditioning == Preconditioning::none) {
    full_ = std::make_unique<WilsonOperator>(hopping_, std::move(blocks));
  } else {
    const auto form = m.preconditioning == Preconditioning::even_odd ? WilsonSchur::Form::symmetric
                                                                     : WilsonSchur::Form::asymmetric;
    schur_ = std::make_unique<WilsonSchur>(hopping_, schur_parity, form, m.batch, std::move(blocks));
  }
}

std::shared_ptr<CloverField> make_clover_field(const ProcessGrid& grid, const Field& gauge,
                                               const WilsonParameters& parameters, const Queue& queue,
                                               std::shared_ptr<Transport> transport) {
  if (!parameters.has_clover()) return nullptr;
  return std::make_shared<CloverField>(grid, gauge, parameters.diagonal(), parameters.clover, queue,
                                       std::move(transport));
}

std::shared_ptr<DiracOperator> make_in_temporal_gauge(const DiracMatrix& m, const Field& links,
                                                      const LinkStorage& storage) {
  TemporalGauge fixed = make_temporal_gauge(*m.grid, links, m.queue, m.transport);
  auto hopping = make_hopping(m, fixed.links, storage);
  hopping->set_gauge_frame(std::make_shared<const Field>(std::move(fixed.g)));
  const auto clover = make_clover_field(*m.grid, fixed.links, m.parameters, m.queue, m.transport);
  return std::make_shared<DiracOperator>(m, fixed.links, std::move(hopping), clover.get());
}

LinearOperator& DiracOperator::iterated() {
  if (schur_) return *schur_;
  return *full_;
}

}  // namespace plaq::jobs
