// The correlators of a propagator job, [correlators], from propagators to datasets:
//
//   /correlators/CHANNEL/p_X_Y_Z/SINK         [t][real, imaginary]  of one source
//   /correlators/BARYON_matrix/p_X_Y_Z/SINK   [t][sink spin][source spin][real, imaginary]
//
// X, Y, Z: the integers n of the momentum 2 pi n / L; SINK: "point" or "smeared".
#pragma once

#include <complex>
#include <functional>

#include "jobs/propagator/channels.hpp"
#include "jobs/propagator/quark_source.hpp"
#include "jobs/results/results.hpp"
#include "jobs/run/job_context.hpp"
#include "kernels/quark/momentum.hpp"

namespace plaq::jobs {

class CorrelatorSet {
 public:
  explicit CorrelatorSet(const JobContext& context);

  // Collective. Contracts a propagator from source `position` and keeps what comes out, for this sink. Once
  // for each sink.
  void add(const std::string& sink, const Field& propagator, const Extents& position);
  // What was added since the last call, and forgets it.
  void move_to(Results& results, const QuarkSources& sources);

 private:
  // [channel][momentum][t] of all channels that one contraction gives, of matrices [t][i][j] in one row.
  struct Contraction {
    std::vector<std::string> channels;
    std::function<Correlators(const Field& propagator, const Extents& position)> apply;
  };
  struct Kept {
    const Channel* channel;
    std::string sink;
    Momentum momentum;
    std::vector<std::complex<double>> values;  // t; [t][i][j]
  };

  void add_baryons();

  const JobContext& context_;
  std::vector<Channel> channels_;  // in the order of the job; then matrices of spin
  std::vector<Momentum> momenta_;
  std::vector<Contraction> contractions_;
  std::vector<Kept> kept_;
};

// A dataset as above; `is_matrix`: of a matrix of spins. C(t) counts from the source.
void add_correlator(Results& results, const Channel& channel, const Momentum& momentum,
                    const std::string& sink, const std::vector<std::complex<double>>& values,
                    const QuarkSources& sources, bool is_matrix = false);

}  // namespace plaq::jobs
