// Additive Schwarz: a smoother that sees zeros beyond the sites of its rank, so that it exchanges no halos
// (Babich, Clark, Joo, Shi, Brower, Gottlieb, arXiv:1109.2935). A block is the part of a rank, so
// that its bits depend on the process grid.
#pragma once

#include <memory>
#include <utility>

#include "comms/transport/transport.hpp"
#include "solvers/preconditioner.hpp"

namespace plaq {

class LocalSmoother final : public Smoother {
 public:
  // `smoother` is of an operator whose halos `transport` moves; null: they do not travel.
  LocalSmoother(std::unique_ptr<Smoother> smoother, std::shared_ptr<Transport> transport)
      : smoother_(std::move(smoother)), transport_(std::move(transport)) {}

  void smooth(Field& x, Field& r, const ActiveSet& which) override {
    const ClosedHalos closed(transport_);
    smoother_->smooth(x, r, which);
  }
  bool knows_residual() const override { return false; }

  const GeometryPtr& geometry() const override { return smoother_->geometry(); }
  FieldSpec spec(int batch) const override { return smoother_->spec(batch); }
  const Queue& queue() const override { return smoother_->queue(); }
  Work work(int batch) const override { return smoother_->work(batch); }
  int capturable(int batch) override {
    const ClosedHalos closed(transport_);
    return smoother_->capturable(batch);
  }

 private:
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override {
    const ClosedHalos closed(transport_);
    dagger ? smoother_->apply_dagger(out, in, active) : smoother_->apply(out, in, active);
  }

  std::unique_ptr<Smoother> smoother_;
  std::shared_ptr<Transport> transport_;
};

}  // namespace plaq
