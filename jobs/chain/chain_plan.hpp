// Plan of a Markov chain: its actions after each step, and the names of its files.
#pragma once

#include <cstdint>
#include <string>

#include "io/gauge/gauge_file.hpp"
#include "jobs/chain/chain_update.hpp"
#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {

inline constexpr const char* seed_key = "PLAQ_SEED";    // of the header of every file: the job's seed
inline constexpr const char* sweep_key = "PLAQ_SWEEP";  // of a checkpoint: steps done
inline constexpr const char* chain_key = "PLAQ_CHAIN";  // of a checkpoint: ChainPlan::chain

// Tables of the job file; how fields are saved is GaugeWriteOptions.
struct GaugeStartKeys {
  ChainStart start = ChainStart::hot;
  std::string file;
};

struct ChainKeys {
  std::int64_t seed = 0, thermalization = 500, separation = 50, configurations = 1;
};

struct ChainOutputKeys {
  std::string prefix;
  std::int64_t measure_every = 10;
  double checkpoint_minutes = 10;
};

// ChainPlan::chain of a job by its JobFile::physics_text().
std::string chain_of_job(const std::string& physics_text);

// Name of a saved field: PREFIX.NNNNNN.FORMAT, `sweep` counting steps.
std::string configuration_name(const std::string& prefix, std::int64_t sweep, const std::string& format);

struct ChainPlan {
  /// Throws Error(job_file) when the random numbers of so many sweeps could not be told apart.
  /// @param origin number of the field that the chain starts from; fields are numbered on from there
  ChainPlan(const JobFile& job, const ChainKind& kind, std::int64_t origin = 0);

  bool saves(std::int64_t sweep) const {
    return sweep >= first && sweep <= last && (sweep - first) % update.separation == 0;
  }
  bool measures(std::int64_t sweep) const {
    return output.measure_every > 0 && sweep % output.measure_every == 0;
  }
  // Trajectory number, as in the name and the header, of the field after
  // `sweep` steps of this chain.
  std::int64_t number_of(std::int64_t sweep) const { return origin + sweep; }
  std::string configuration_name(std::int64_t sweep) const;
  std::string history_name() const { return output.prefix + ".history.h5"; }
  std::string journal_name() const { return output.prefix + ".journal"; }
  std::string checkpoint_name() const { return output.prefix + ".checkpoint"; }
  std::string seconds_name() const { return output.prefix + ".seconds"; }
  std::string step_checkpoint_name() const { return output.prefix + "." + kind.counter; }
  // Options to save the field of a sweep, and the checkpoint at one, with the entries of their headers.
  GaugeWriteOptions saved_at(const JobFile& job, const Extents& extents, std::int64_t sweep) const;
  GaugeWriteOptions checkpoint_at(const JobFile& job, const Extents& extents, std::int64_t sweep) const;
  // True if saved fields have all bits of the chain's.
  bool saves_exactly() const { return saved.rows == 3 && saved.precision == Precision::double_precision; }

  ChainKind kind;
  ChainKeys update;
  ChainOutputKeys output;
  std::int64_t origin;
  std::int64_t first, last;  // sweeps after which the first and the last field are saved
  GaugeWriteOptions saved;   // how fields are saved: without metadata
  // A hash of all keys that the chain's links follow from: a checkpoint is of use to such chains only.
  std::string chain;
};

}  // namespace plaq::jobs
