// The correlators of a propagator job, [correlators], from propagators to datasets:
//
//   /correlators/CHANNEL/p_X_Y_Z/SINK   [t][real, imaginary]  of one source
//
// X, Y, Z: the integers n of the momentum 2 pi n / L; SINK: "point" or "smeared".
#pragma once

#include "jobs/dirac/action_keys.hpp"
#include "jobs/propagator/quark_source.hpp"
#include "jobs/results/results.hpp"
#include "jobs/run/job_context.hpp"
#include "kernels/quark/baryons.hpp"
#include "kernels/quark/mesons.hpp"
#include "kernels/quark/staggered_mesons.hpp"

namespace plaq::jobs {

// Names that the key `channels` may have: of spinors and of staggered quarks.
std::vector<std::string> correlator_channels();
bool is_baryon(const std::string& channel);
bool is_staggered(const std::string& channel);
// What the job says, or the pion of its quarks.
std::vector<std::string> channels_of(const CorrelatorKeys& keys, ActionType type);

// What a job contracts, [correlators].
struct CorrelatorPlan {
  explicit CorrelatorPlan(const JobFile& job);
  std::vector<std::string> channels;        // in the order of the job
  std::vector<MesonChannel> mesons;         // those of them that are mesons of spinors
  bool baryons = false;                     // whether there are baryons
  std::vector<StaggeredChannel> staggered;  // mesons of staggered quarks
  std::vector<Momentum> momenta;
};

class CorrelatorSet {
 public:
  explicit CorrelatorSet(const JobContext& context);

  // Collective. Contracts a propagator from source `position` and keeps what comes out, for this sink. Once
  // for each sink.
  void add(const std::string& sink, const Field& propagator, const Extents& position);
  // What was added since the last call, and forgets it.
  void move_to(Results& results, const QuarkSources& sources);

 private:
  struct Kept {
    std::string channel, sink;
    Momentum momentum;
    std::vector<double> values;  // t, (real, imaginary)
  };
  void keep(const std::string& channel, const std::string& sink,
            const std::vector<std::vector<std::complex<double>>>& by_momentum);

  const JobContext& context_;
  CorrelatorPlan plan_;
  std::optional<MesonContraction> mesons_;
  std::optional<ProtonContraction> proton_;
  std::optional<StaggeredMesonContraction> staggered_;
  std::vector<Kept> kept_;
};

}  // namespace plaq::jobs
