// A term of the user as a monomial.
#pragma once

#include <optional>

#include "comms/start/shared_lattice.hpp"
#include "dynamics/monomial/monomial.hpp"
#include "plaq/action_term.hpp"

namespace plaq {

/// Hands links without a halo to the term, and projects its force.
class OwnMonomial final : public Monomial {
 public:
  OwnMonomial(const Lattice& lattice, ActionTermPtr term)
      : lattice_(lattice), term_(std::move(term)), name_(term_->name()) {}

  std::string name() const override { return name_; }
  void draw(const Field& links, std::uint64_t seed, std::uint32_t trajectory) override;
  double value(const Field& links) override;
  void force(Field& force, const Field& links) override;

 private:
  const GaugeField& plain(const Field& links);

  Lattice lattice_;
  ActionTermPtr term_;
  std::string name_;
  std::optional<GaugeField> links_, matrices_;
  Field extended_matrices_;  // on the geometry of the links of the chain
};

}  // namespace plaq
