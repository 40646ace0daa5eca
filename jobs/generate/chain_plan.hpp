// What a generate job does after which compound sweep, and the names of its files.
#pragma once

#include <cstdint>
#include <string>

#include "io/gauge/gauge_file.hpp"
#include "jobs/run/saved_fields.hpp"

namespace plaq::jobs {

inline constexpr const char* seed_key = "PLAQ_SEED";    // of the header of every file: the job's seed
inline constexpr const char* sweep_key = "PLAQ_SWEEP";  // of a checkpoint: compound sweeps done
inline constexpr const char* chain_key = "PLAQ_CHAIN";  // of a checkpoint: ChainPlan::chain

struct ChainPlan {
  // Throws Error(job_file) when the random numbers of so many sweeps could not be told apart.
  explicit ChainPlan(const JobFile& job);

  bool saves(std::int64_t sweep) const {
    return sweep >= first && sweep <= last && (sweep - first) % separation == 0;
  }
  bool measures(std::int64_t sweep) const { return measure_every > 0 && sweep % measure_every == 0; }
  std::string configuration_name(std::int64_t sweep) const;
  std::string history_name() const { return prefix + ".history.h5"; }
  std::string journal_name() const { return prefix + ".journal"; }
  std::string checkpoint_name() const { return prefix + ".checkpoint"; }
  // How the field of a sweep is saved, and the checkpoint at one: with what its header says.
  GaugeWriteOptions saved_at(const JobFile& job, const Extents& extents, std::int64_t sweep) const;
  GaugeWriteOptions checkpoint_at(const JobFile& job, const Extents& extents, std::int64_t sweep) const;
  // Whether saved fields have all bits of the chain's.
  bool saves_exactly() const { return saved.rows == 3 && saved.precision == Precision::double_precision; }

  std::int64_t heatbath, overrelaxation, first, separation, last, configurations, reunitarize_every,
      measure_every;
  double checkpoint_seconds;
  std::string prefix;
  GaugeWriteOptions saved;  // how fields are saved: without metadata
  // A hash of all keys that the chain's links follow from: a checkpoint is of use to such chains only.
  std::string chain;
};

}  // namespace plaq::jobs
