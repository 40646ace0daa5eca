#include "jobs/distillation/distillation_file.hpp"

#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <utility>

#include "comms/communicator/collective.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "core/system/machine.hpp"
#include "jobs/dirac/multigrid_memory.hpp"

namespace plaq::jobs {
namespace {

// Copies that rank 0 has at once: the numbers, the HDF5 file in memory, and its image.
constexpr std::uint64_t copies = 3;

std::vector<double> reals_of(const std::vector<std::complex<double>>& numbers) {
  std::vector<double> reals(2 * numbers.size());
  std::memcpy(reals.data(), numbers.data(), reals.size() * sizeof(double));
  return reals;
}

std::uint64_t bytes_of_numbers(const ComplexDataset& dataset) {
  std::uint64_t bytes = sizeof(std::complex<double>);
  for (const std::size_t extent : dataset.extents) bytes *= extent;
  return bytes;
}

}  // namespace

std::string distillation_file(const std::string& directory, const std::string& gauge_file,
                              const std::string& middle, const std::string& ending) {
  const std::string field = std::filesystem::path(gauge_file).filename().string();
  return (std::filesystem::path(directory) / fmt::format("{}.{}.{}", field, middle, ending)).string();
}

void expect_room_for_file(const JobContext& context, std::uint64_t bytes, const std::string& what) {
  if (DryRun* dry = DryRun::current()) {
    dry->note(fmt::format("Rank 0 takes {:.3g} GB of host memory for {}, a file of {:.3g} GB.",
                          1e-9 * static_cast<double>(copies * bytes), what,
                          1e-9 * static_cast<double>(bytes)));
    return;
  }
  const std::uint64_t there = free_for_each_rank(context).host;
  if (copies * bytes > there)
    throw Error(
        ErrorKind::internal,
        fmt::format("{} take {:.3g} GB of host memory on rank 0, of which {:.3g} GB are free: take fewer "
                    "modes or momenta, or a node with fewer ranks or more memory",
                    what, 1e-9 * static_cast<double>(copies * bytes), 1e-9 * static_cast<double>(there)));
}

void write_distillation_file(const JobContext& context, const std::string& path, const LoadedGauge& gauge,
                             const StoredModes& modes, std::vector<ComplexDataset> datasets) {
  const Phase phase("writing a file of distillation");
  if (DryRun* dry = DryRun::current()) {
    std::uint64_t bytes = 0;
    for (const ComplexDataset& one : datasets) bytes += bytes_of_numbers(one);
    dry->add_file({path, bytes});
    return;
  }
  on_first_rank([&] {
    OutputFile out(path, true);
    const Extents& extents = context.extents;
    out.attribute("/", "plaq_version", std::string(version()));
    out.attribute("/", "job_type", context.job.type());
    out.attribute("/", "job", context.job.physics_text_without("output"));
    out.attribute("/", "extents", std::vector<std::int64_t>(extents.begin(), extents.end()));
    Attributes of_gauge = attributes_of(gauge);
    for (auto& [name, value] : of_gauge)
      if (name == "file") value = std::filesystem::path(std::get<std::string>(value)).filename().string();
    of_gauge.emplace_back("modes_checksum", modes.checksum);
    out.group("/gauge/000000", of_gauge);
    for (ComplexDataset& one : datasets) {
      std::vector<std::size_t> extents_of = one.extents;
      extents_of.push_back(2);
      std::vector<double> reals = reals_of(one.numbers);
      one.numbers = {};
      out.dataset(one.path, std::move(reals), std::move(extents_of), one.attributes);
    }
    out.commit();
  });
  log::info(fmt::format("wrote {}", path));
}

}  // namespace plaq::jobs
