// The gauge action as a term of the Hamiltonian.
#pragma once

#include "comms/start/shared_lattice.hpp"
#include "dynamics/monomial/monomial.hpp"
#include "kernels/gauge/gauge_action.hpp"

namespace plaq {

class GaugeMonomial final : public Monomial {
 public:
  GaugeMonomial(const SharedLattice& lattice, const LoopWeights& weights)
      : lattice_(lattice), weights_(weights) {}

  std::string name() const override { return "gauge"; }
  int halo_depth() const override { return plaq::halo_depth(weights_); }
  double value(const Field& links) override {
    return gauge_action(*lattice_.grid, links, weights_, lattice_.queue);
  }
  void force(Field& force, const Field& links) override {
    gauge_force(force, links, weights_, lattice_.queue);
  }

 private:
  SharedLattice lattice_;
  LoopWeights weights_;
};

}  // namespace plaq
