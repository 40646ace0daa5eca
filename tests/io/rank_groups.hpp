// Ranks of a test that stand for some of the 512 ranks of a job: for those that follow each other in the
// fastest direction of a file. They form a group (io/bytes/site_runs.hpp), which reads and writes its part of
// a file without any other rank, so that 512 ranks can be tried one group after the other.
#pragma once

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <bit>

#include "io/bytes/site_runs.hpp"
#include "io/gauge/link_checksum.hpp"
#include "tests/support/files.hpp"
#include "tests/support/world.hpp"

namespace plaq::test {

// Process grid of the job.
inline Extents ranks_of_job(const SiteOrder& order) {
  Extents ranks{};
  const int in_order[4] = {world_size(), 4, 16 / world_size(), 8};
  for (std::size_t i = 0; i < 4; ++i) ranks[static_cast<std::size_t>(order.directions[i])] = in_order[i];
  return ranks;
}

// Process grid of the ranks of this test.
inline Extents grid_of_group(const SiteOrder& order) {
  Extents ranks{1, 1, 1, 1};
  ranks[static_cast<std::size_t>(order.directions[0])] = world_size();
  return ranks;
}

// Geometry of this rank in the job, as a member of the group at `position`, which is 0 in the fastest
// direction.
inline GeometryPtr geometry_in_job(const Extents& global, const Extents& job, Extents position,
                                   const SiteOrder& order) {
  position[static_cast<std::size_t>(order.directions[0])] = world_rank();
  return Geometry::create({global, job, position, 0});
}

// Collective. Makes a file of so many bytes that takes no room; returns false where there is none.
inline bool make_sparse(const std::string& path, std::uint64_t bytes) {
  int made = 0;
  if (world_rank() == 0) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT, 0600);
    made = file >= 0 && ::ftruncate(file, static_cast<off_t>(bytes)) == 0 ? 1 : 0;
    if (file >= 0) ::close(file);
  }
  return Communicator(MPI_COMM_WORLD).broadcast(made) != 0;
}

inline std::uint32_t crc(std::span<const std::byte> bytes) {
  return static_cast<std::uint32_t>(::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

// The SciDAC checksum, record by record.
inline void add_to_scidac(LinkChecksum& sum, std::int64_t record, std::uint32_t crc_of_record) {
  sum.a ^= std::rotl(crc_of_record, static_cast<int>(record % 29));
  sum.b ^= std::rotl(crc_of_record, static_cast<int>(record % 31));
}
inline void combine(LinkChecksum& sum) {
  std::uint32_t both[2] = {sum.a, sum.b};
  Communicator(MPI_COMM_WORLD).exclusive_or(std::span(both));
  sum.a = both[0];
  sum.b = both[1];
}

}  // namespace plaq::test
