// Sizes of the files that jobs write.
#include <algorithm>

#include "io/bytes/file_seal.hpp"
#include "io/propagator/propagator_formats.hpp"
#include "jobs/common/version.hpp"
#include "jobs/plan/plan_parts.hpp"

namespace plaq::jobs {
namespace {

std::uint64_t volume_of(const Extents& extents) {
  std::uint64_t volume = 1;
  for (const int extent : extents) volume *= static_cast<std::uint64_t>(extent);
  return volume;
}

std::uint64_t bytes_of(const GaugeFileFrame& frame) { return frame.head.size() + frame.tail.size(); }

}  // namespace

std::uint64_t about_gauge_file_bytes(const GaugeWriteOptions& options, const Extents& extents) {
  constexpr double usual = 0.123456789012345;  // a number of that many digits
  const GaugeFormat& format = gauge_format(options.format);
  const LinkFormat links = links_to_write(options);
  return volume_of(extents) * static_cast<std::uint64_t>(links.site_bytes()) +
         bytes_of(format.frame({options.format, extents, links, usual, usual, options.metadata},
                               {format.checksum}));
}

std::uint64_t propagator_file_bytes(const PropagatorWriteOptions& options, const Extents& extents,
                                    PropagatorKind quarks) {
  const std::uint64_t numbers = propagator_bytes("a propagator", extents, quarks, options.precision);
  if (options.format == PropagatorFormat::scidac)
    return numbers + bytes_of(frame_scidac_propagator(
                         {extents, quarks, options.precision, options.metadata, options.phases},
                         {ChecksumKind::scidac}));
  // HDF5's own and the seal, and the heap with the texts of attributes, that of the job among them.
  constexpr std::uint64_t own = 2048 + edge_seal_bytes, heap = 4096, other_texts = 600;
  return numbers + own + std::max<std::uint64_t>(heap, other_texts + options.metadata.size());
}

PlannedFile planned_journal(const JobFile& job, const std::string& name, std::uint64_t records_bytes) {
  constexpr std::uint64_t head = 12, around_record = 24;
  const std::uint64_t own = head + around_record + std::string(version()).size() + job.physics_text().size();
  return {name, own + records_bytes, false, true};
}

std::uint64_t about_result_file_bytes(const JobFile& job) { return 8800 + job.physics_text().size(); }

std::uint64_t about_dataset_bytes(std::uint64_t characters) { return 400 + characters; }

}  // namespace plaq::jobs
