#include "jobs/chain/chain_plan.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <limits>

#include "core/system/error.hpp"
#include "core/system/machine.hpp"
#include "settings/gauge/gauge_action_table.hpp"

namespace plaq::jobs {
namespace {

GaugeFileMetadata metadata_of(const JobFile& job, const std::string& ensemble, const Extents& extents,
                              std::int64_t number) {
  GaugeFileMetadata metadata;
  const auto gauge = job.get<GaugeActionKeys>();
  metadata.ensemble_id = fmt::format("{}_{}_b{}_{}", ensemble, gauge.action, gauge.beta, to_string(extents));
  metadata.sequence_number = number;
  metadata.entries = {{"CREATOR", fmt::format("plaq {}", version())},
                      {"BETA", fmt::format("{}", gauge.beta)},
                      {seed_key, std::to_string(job.get<ChainKeys>().seed)}};
  return metadata;
}

}  // namespace

// Without [output], and without the number of configurations.
std::string chain_of_job(const std::string& physics_text) {
  std::string text = physics_text;
  text.resize(std::min(text.size(), text.find("\n[output]")));
  if (const auto at = text.find("\nconfigurations = "); at != std::string::npos)
    text.erase(at, text.find('\n', at + 1) - at);
  return fmt::format("{:08x}", ::crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size()));
}

ChainPlan::ChainPlan(const JobFile& job, const ChainKind& kind, std::int64_t origin)
    : kind(kind),
      update(job.get<ChainKeys>()),
      output(job.get<ChainOutputKeys>()),
      origin(origin),
      first(update.thermalization),
      last(first + update.separation * (update.configurations - 1)),
      saved(job.get<GaugeWriteOptions>()),
      chain(chain_of_job(job.physics_text())) {
  // Random numbers are counted by 32 bits a sweep.
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  if (last * kind.random_sweeps > most)
    throw Error(
        ErrorKind::job_file,
        fmt::format("{}: [update] asks for {} {} with {} sweeps of random numbers each: a run can have {} "
                    "of these; lower thermalization, separation or configurations",
                    job.file(), last, kind.steps, kind.random_sweeps, most));
}

GaugeWriteOptions ChainPlan::saved_at(const JobFile& job, const Extents& extents, std::int64_t sweep) const {
  GaugeWriteOptions options = saved;
  options.metadata = metadata_of(job, kind.ensemble, extents, number_of(sweep));
  return options;
}

GaugeWriteOptions ChainPlan::checkpoint_at(const JobFile& job, const Extents& extents,
                                           std::int64_t sweep) const {
  GaugeWriteOptions options{GaugeFileFormat::nersc, Precision::double_precision, 3, native_order,
                            metadata_of(job, kind.ensemble, extents, number_of(sweep))};
  options.metadata.entries.push_back({sweep_key, std::to_string(sweep)});
  options.metadata.entries.push_back({chain_key, chain});
  return options;
}

std::string configuration_name(const std::string& prefix, std::int64_t sweep, const std::string& format) {
  return fmt::format("{}.{:06}.{}", prefix, sweep, format);
}

std::string ChainPlan::configuration_name(std::int64_t sweep) const {
  return jobs::configuration_name(output.prefix, number_of(sweep), std::string(short_name(saved.format)));
}

}  // namespace plaq::jobs
