// Which momenta a gluon job has, in the order of its datasets, and which of them survive the cuts.
#pragma once

#include <cstdint>
#include <vector>

#include "jobs/gluon/gluon_keys.hpp"
#include "jobs/results/results.hpp"
#include "kernels/gluon/lattice_momenta.hpp"

namespace plaq::jobs {

// Of four-momenta (Landau gauge), or of those in space (Coulomb gauge, n_t = 0). One row a class of momenta
// that are averaged, by orbit in space and then by n_t.
class MomentumTable {
 public:
  struct Row {
    Momentum4 n{};
    std::size_t orbit = 0;
    double squared = 0;  // phat^2
    std::int64_t count = 0;
    bool in_cylinder = false, in_cone = false;
    bool is_zero() const { return n == Momentum4{}; }
  };

  MomentumTable(const GluonKeys& keys, const Extents& extents);

  bool is_landau() const { return directions_ == 4; }
  int time_momenta() const { return time_momenta_; }
  const std::vector<MomentumOrbit>& orbits() const { return orbits_; }
  const std::vector<Row>& rows() const { return rows_; }

  // Numbers of the rows at which there is a ghost propagator, by rising phat^2.
  std::vector<std::size_t> of_ghosts(const GhostKeys& keys) const;

  // /momenta/n, p_squared, count, in_cylinder, in_cone [momentum]; with ghosts /ghost/momentum
  // [ghost_momentum].
  Results describe(const std::vector<std::size_t>& ghosts) const;

 private:
  int directions_, time_momenta_ = 1;
  std::vector<MomentumOrbit> orbits_;
  std::vector<Row> rows_;
};

}  // namespace plaq::jobs
