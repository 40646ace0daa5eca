// Vectors on the even sites between fields of any kind and the records of a file. Collective; Errors are the
// same on every rank.
#pragma once

#include <functional>
#include <string>

#include "comms/communicator/collective.hpp"
#include "comms/grid/process_grid.hpp"
#include "core/field/field.hpp"
#include "io/bytes/temporary_file.hpp"
#include "io/vectors/vector_scidac.hpp"

namespace plaq {

// Writes the even sites of all subfields. `frame`: the bytes around them. The file appears under its name
// when it is complete and on disk. Returns the checksum of the numbers. Throws Error(output_file), also for
// numbers that are not finite as they are stored, and what `check` throws.
LinkChecksum write_vectors(const std::string& path, const ProcessGrid& grid, const Field& vectors,
                           const VectorKind& kind, const VectorShape& shape,
                           const std::function<GaugeFileFrame(const LinkChecksum&)>& frame,
                           const WrittenFileCheck& check);

// Place of the numbers of a file, as rank 0 has found it.
struct VectorPlace {
  std::uint64_t offset = 0, bytes = 0;
  LinkChecksum checksum;
  void share(const ProcessGrid& grid);  // collective: all ranks have that of rank 0
};

// Returns the result of inspect(path) on all ranks, though one alone reads the file. Info has a path, the
// place of the numbers and what its text says: from_text(to_text(info), path). Collective.
template <class Info, class FromText>
Info read_vector_info(const std::string& path, const ProcessGrid& grid, Info (*inspect)(const std::string&),
                      const FromText& from_text) {
  Info info;
  all_or_none(grid.comm(), [&] {
    if (grid.rank() == 0) info = inspect(path);
  });
  VectorPlace place{info.data_offset, info.data_bytes, info.checksum};
  place.share(grid);
  info = from_text(broadcast(grid.comm(), to_text(info)), path);
  info.path = path;
  info.data_offset = place.offset;
  info.data_bytes = place.bytes;
  info.checksum = place.checksum;
  return info;
}

struct StoredVectors {
  VectorShape shape;
  std::uint64_t data_offset = 0;
  LinkChecksum checksum;
};
// Reads the even sites of all subfields; odd ones stay as they are. The even ones are undefined after an
// error. Throws Error(input_file) for another lattice or number of vectors than those of the field, damage,
// numbers that are not finite. A dry run reads nothing.
void read_vectors(const std::string& path, const ProcessGrid& grid, Field& vectors, const VectorKind& kind,
                  const StoredVectors& stored);

}  // namespace plaq
