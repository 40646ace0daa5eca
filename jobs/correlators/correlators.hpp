// The correlators of a job, [correlators], from propagators to datasets:
//
//   /correlators/CHANNEL/p_X_Y_Z/SINK         [t][real, imaginary]  of one source
//   /correlators/BARYON_matrix/p_X_Y_Z/SINK   [t][sink spin][source spin][real, imaginary]
//
// X, Y, Z: the integers n of the momentum 2 pi n / L; SINK: "point" or "smeared". Where quarks have names, CHANNEL is
// NAME.Q1_Q2 with those that the channel has, and the attribute `quarks` lists them.
#pragma once

#include <array>
#include <complex>
#include <functional>
#include <string>
#include <vector>

#include "jobs/correlators/channels.hpp"
#include "jobs/results/results.hpp"
#include "jobs/run/job_context.hpp"
#include "kernels/quark/momentum.hpp"
#include "kernels/quark/momentum_projection.hpp"

namespace plaq::jobs {

// What is contracted.
struct CorrelatorPlan {
  std::vector<Channel> channels;
  std::vector<Momentum> momenta;
  bool spin_matrix = false;  // also of baryons
  int boundary = -1;         // of the quarks in time: its sign
};

// Quark and antiquark of a meson, or u, d and s of a baryon.
struct QuarkContent {
  std::vector<std::string> names;
  std::vector<const Field*> fields;  // propagators from one source
};

class CorrelatorSet {
 public:
  CorrelatorSet(const JobContext& context, CorrelatorPlan plan);

  // Collective. Contracts a propagator from source `position` and keeps what comes out, for this sink. Once
  // for each sink.
  void add(const std::string& sink, const Field& propagator, const Extents& position);
  // The same of quarks with names: of two all mesons, of three all baryons. Each correlator once: what differs in a quark
  // that a channel does not have is the same.
  void add(const std::string& sink, const QuarkContent& quarks, const Extents& position);
  // What was added since the last call, and forgets it. `summed`: over what, at the source.
  void move_to(Results& results, const std::string& summed);

 private:
  using Quarks = std::array<const Field*, 3>;  // of the formula; the last one again where there are fewer
  // [channel][momentum][t] of all channels that one contraction gives, of matrices [t][i][j] in one row.
  struct Contraction {
    std::vector<std::string> channels;
    std::vector<int> quarks;  // of all of them, Channel::quarks
    bool of_mesons = false;
    std::function<Correlators(const Quarks& quarks, const Extents& position)> apply;
  };
  struct Kept {
    const Channel* channel;
    std::vector<std::string> quarks;  // names, none where there is but one
    std::string sink;
    Momentum momentum;
    std::vector<std::complex<double>> values;  // t; [t][i][j]
  };

  std::vector<std::string> names_of_kind(ChannelKind kind) const;
  void add_mesons();
  void add_baryons();
  void add_baryons_of(const std::vector<int>& quarks, const std::vector<Channel>& asked);
  void add_staggered_mesons();
  void add_staggered_baryon();
  void contract(const Contraction& contraction, const std::string& sink, const Quarks& quarks,
                const std::vector<std::string>& names, const Extents& position);

  const JobContext& context_;
  CorrelatorPlan plan_;  // channels: in the order of the job; then matrices of spin
  std::vector<Contraction> contractions_;
  std::vector<Kept> kept_;
};

// A dataset as above; `is_matrix`: of a matrix of spins. C(t) counts from the source. `quarks`: names.
void add_correlator(Results& results, const Channel& channel, const Momentum& momentum,
                    const std::string& sink, const std::vector<std::complex<double>>& values,
                    const std::string& summed, bool is_matrix = false,
                    const std::vector<std::string>& quarks = {});

}  // namespace plaq::jobs
