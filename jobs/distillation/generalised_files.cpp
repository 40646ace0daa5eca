#include "jobs/distillation/generalised_files.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/system/error.hpp"
#include "jobs/distillation/perambulator_keys.hpp"
#include "jobs/schema/common_keys.hpp"

namespace plaq::jobs {

std::string generalised_file(const Settings& job, const std::string& gauge_file, int source, int sink_time) {
  return distillation_file(job.get<PerambulatorKeys>().directory, gauge_file,
                           fmt::format("s{}.t{}", source, sink_time), "gperam.h5");
}

LineCurrents currents_of(const Settings& job, const Extents& extents) {
  const auto keys = job.get<CurrentKeys>();
  if (!keys.sink_times.empty() && keys.sink_times.back() >= extents[3])
    throw Error(ErrorKind::job_file,
                fmt::format("{}: [currents] sink_times: time slices from the source are 1 to {}, not {}",
                            job.origin(), extents[3] - 1, keys.sink_times.back()));
  return {keys.operators, job_momenta(job, "currents", keys.max_momentum_squared, extents)};
}

std::uint64_t bytes_of_generalised(const LineCurrents& currents, int sink_time, int modes) {
  return sizeof(std::complex<double>) * currents.size() * GeneralisedPerambulator::size(sink_time + 1, modes);
}

std::vector<ComplexDataset> datasets_of(GeneralisedPerambulators found, const LineCurrents& currents,
                                        const SourceAndSink& at) {
  std::vector<ComplexDataset> datasets;
  auto one = found.currents.begin();
  for (const std::string& word : currents.operators)
    for (const Momentum& n : currents.momenta) {
      const auto slices = static_cast<std::size_t>(one->slices), count = static_cast<std::size_t>(one->modes);
      Attributes attributes = described(
          {"t from the source", "current spin, left", "current spin, right", "sink spin", "source spin",
           "sink mode", "source mode", "real, imaginary"},
          "lattice units", "sum_x exp(-i p x) [v(sink)^dagger M^-1](x, t) D [M^-1 v(source)](x, t)");
      attributes.emplace_back("operator", word);
      attributes.emplace_back("momentum", std::vector<std::int64_t>(n.begin(), n.end()));
      attributes.emplace_back("momentum_units", std::string("2 pi / L of each direction: x, y, z"));
      attributes.emplace_back("source_time", static_cast<std::int64_t>(at.source));
      attributes.emplace_back("sink_time", static_cast<std::int64_t>(at.sink_time));
      datasets.push_back({fmt::format("/generalised_perambulator/{}/p_{}_{}_{}", word, n[0], n[1], n[2]),
                          {slices, 4, 4, 4, 4, count, count},
                          std::move(one->numbers),
                          std::move(attributes)});
      ++one;
    }
  return datasets;
}

}  // namespace plaq::jobs
