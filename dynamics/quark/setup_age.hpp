// Age of a multigrid setup whose links have moved on: what solves take longer than with a new one.
#pragma once

#include <cstdint>
#include <map>

#include "io/state/state_archive.hpp"

namespace plaq {

/// Counts the iterations of solves that a new setup would have saved. A renewal pays when they take as long
/// as it does: whatever comes later, setups and what their age costs then take at most twice as long as with
/// the best times for renewals.
class SetupAge {
 public:
  /// @param renewal  iterations of a solve that take as long as a renewal
  explicit SetupAge(double renewal) : renewal_(renewal) {}
  /// There is a new setup.
  void begin() { *this = SetupAge(renewal_); }
  /// Solves have other links than those before.
  void move() { ++moves_; }
  /// A solve from a guess of 0 with the twist mu. It would have taken as many iterations for each factor e as
  /// the best solve with this twist.
  /// @param tolerance  what is left of the residual
  void add(double mu, std::int64_t iterations, double tolerance);
  /// True if a renewal is due. Dry runs assume one after some moves.
  bool renewal_pays() const;
  void visit(StateArchive& archive);

 private:
  double renewal_;
  std::map<double, double> best_;  // iterations for a factor e, by twist
  double excess_ = 0;              // iterations beyond the best
  std::int64_t moves_ = 0;
};

}  // namespace plaq
