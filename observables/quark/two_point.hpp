// Two-point functions of channels that have names, of mesons and baryons.
#pragma once

#include <array>
#include <complex>
#include <functional>
#include <string>
#include <vector>

#include "comms/start/shared_lattice.hpp"
#include "kernels/quark/momentum.hpp"
#include "kernels/quark/momentum_projection.hpp"
#include "observables/quark/channels.hpp"

namespace plaq {

/// The channels and momenta that are contracted.
struct CorrelatorPlan {
  std::vector<Channel> channels;
  std::vector<Momentum> momenta;
  bool spin_matrix = false;  // also the matrix of spins of each baryon
  int boundary = -1;         // sign of the quarks around the lattice in time; 0: Dirichlet
};

/// Quark and antiquark of a meson, or u, d and s of a baryon.
struct QuarkContent {
  std::vector<std::string> names;
  std::vector<const Field*> fields;  // propagators from one source
};

/// C(t) of a channel at a momentum; t counts from the source.
struct TwoPointFunction {
  Channel channel;
  std::vector<std::string>
      quarks;        // names of those that the channel has; none if all are one quark without a name
  std::string sink;  // as the caller of add() names it
  Momentum momentum{};
  bool is_matrix = false;                    // of spins
  std::vector<std::complex<double>> values;  // [t], or [t][spin of the sink][spin of the source]
};

class CorrelatorSet {
 public:
  CorrelatorSet(const SharedLattice& lattice, CorrelatorPlan plan);

  /// Contracts a propagator from a source at `position`, once for each sink. Collective.
  void add(const std::string& sink, const Field& propagator, const Extents& position);
  /// Contracts quarks with names: of two all mesons, of three all baryons. Each correlator is made once: what
  /// differs in a quark that a channel does not have is the same. Collective.
  void add(const std::string& sink, const QuarkContent& quarks, const Extents& position);
  /// Hands out the functions that add() made since the last call.
  std::vector<TwoPointFunction> take();

 private:
  using Quarks = std::array<const Field*, 3>;  // of the formula; the last one again where there are fewer
  // [channel][momentum][t] of all channels that one contraction gives, of matrices [t][i][j] in one row.
  struct Contraction {
    std::vector<std::string> channels;
    std::vector<int> quarks;  // of all of them, Channel::quarks
    bool of_mesons = false;
    std::function<Correlators(const Quarks& quarks, const Extents& position)> apply;
  };

  std::vector<std::string> names_of_kind(ChannelKind kind) const;
  void add_mesons();
  void add_baryons();
  void add_baryons_of(const std::vector<int>& quarks, const std::vector<Channel>& asked);
  void add_staggered_mesons();
  void add_staggered_baryons();
  void contract(const Contraction& contraction, const std::string& sink, const Quarks& quarks,
                const std::vector<std::string>& names, const Extents& position);

  SharedLattice lattice_;
  CorrelatorPlan plan_;  // channels: as given; then matrices of spin
  std::vector<Contraction> contractions_;
  std::vector<TwoPointFunction> kept_;
};

}  // namespace plaq
