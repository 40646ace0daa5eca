#include "io/multigrid/multigrid_file.hpp"

#include <fmt/format.h>

#include "comms/grid/collective.hpp"
#include "comms/grid/mpi_check.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "io/bytes/record_file.hpp"
#include "io/lime/lime.hpp"
#include "io/multigrid/multigrid_scidac.hpp"
#include "io/multigrid/multigrid_text.hpp"
#include "io/multigrid/near_null_codec.hpp"

namespace plaq {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
  throw Error(ErrorKind::input_file, fmt::format("{}: {}", path, what));
}

RecordFormat records_of(const MultigridFileInfo& info) {
  return {info.vectors * near_null_bytes(info.precision), ByteOrder::big, ChecksumKind::scidac,
          SiteOrder{.one_parity = true}};
}

// The field itself where the codec takes it, or a copy.
class OnHost {
 public:
  explicit OnHost(const Field& vectors) : vectors_(vectors) {
    FieldSpec spec = vectors.spec();
    spec.location = Location::host;
    spec.order = Order::sites_fastest;
    if (spec.precision == Precision::half_precision) spec.precision = Precision::single_precision;
    if (spec != vectors.spec()) copy_ = Field(vectors.geometry_ptr(), spec);
  }
  void fetch() {
    if (copy_) copy(copy_, vectors_);
  }
  void deliver(Field& to) const {
    if (copy_) copy(to, copy_);
  }
  const Field& field() const { return copy_ ? copy_ : vectors_; }

 private:
  const Field& vectors_;
  Field copy_;
};

}  // namespace

bool is_multigrid_file(const std::string& path) {
  const ByteSource source = ByteSource::file(path);
  return is_lime(source) && is_scidac_multigrid(source);
}

MultigridFileInfo inspect_multigrid_file(const std::string& path) {
  return inspect_scidac_multigrid(ByteSource::file(path));
}

// One rank looks at headers; then all have what it found.
MultigridFileInfo read_multigrid_info(const std::string& path, const ProcessGrid& grid) {
  MultigridFileInfo info;
  all_or_none(grid.comm(), [&] {
    if (grid.rank() == 0) info = inspect_multigrid_file(path);
  });
  std::uint64_t words[] = {info.data_offset, info.data_bytes, info.checksum.a, info.checksum.b};
  wait_mpi("MPI_Bcast", [&] { return MPI_Bcast(words, 4, MPI_UINT64_T, 0, grid.comm()); });
  info = multigrid_info_from_text(broadcast(grid.comm(), to_text(info)), path);
  info.path = path;
  info.data_offset = words[0];
  info.data_bytes = words[1];
  info.checksum = {ChecksumKind::scidac, static_cast<std::uint32_t>(words[2]),
                   static_cast<std::uint32_t>(words[3])};
  return info;
}

FieldSpec near_null_vectors_spec(int vectors, Precision precision) {
  return spinor_spec(Subset::even, vectors, precision, Location::host);
}

LinkChecksum write_near_null_vectors(const std::string& path, const ProcessGrid& grid, const Field& vectors,
                                     const MultigridSetupInfo& setup, Precision stored,
                                     const WrittenFileCheck& check) {
  const Geometry& geometry = vectors.geometry();
  MultigridFileInfo info;
  info.path = path;
  info.extents = geometry.global();
  info.vectors = vectors.subfields();
  info.precision = stored;
  info.setup = setup;
  OnHost host(vectors);
  host.fetch();
  NearNullCodec codec(host.field(), stored);
  return write_records(
      path, grid, geometry, records_of(info),
      [&] {
        return std::make_unique<FramedFile>(
            path, near_null_vectors_bytes(info), ChecksumKind::scidac,
            [&](const LinkChecksum& checksum) { return frame_scidac_multigrid(info, checksum); });
      },
      [&](std::int64_t first, std::int64_t rows, std::span<std::byte> bytes) {
        codec.encode(first, rows, bytes);
      },
      [&] { codec.check(grid, ErrorKind::output_file, "cannot write " + path); }, check);
}

MultigridFileInfo read_near_null_vectors(const std::string& path, const ProcessGrid& grid, Field& vectors) {
  const MultigridFileInfo info = read_multigrid_info(path, grid);
  const Geometry& geometry = vectors.geometry();
  if (info.extents != geometry.global())
    refuse(path, fmt::format("it holds near-null vectors on {}, expected some on {}", to_string(info.extents),
                             to_string(geometry.global())));
  if (info.vectors != vectors.subfields())
    refuse(path,
           fmt::format("it holds {} near-null vectors, expected {}", info.vectors, vectors.subfields()));
  OnHost host(vectors);
  if (vectors.holds(1)) host.fetch();
  NearNullCodec codec(host.field(), info.precision);
  const LinkChecksum found =
      read_records(path, grid, geometry, info.data_offset, records_of(info),
                   [&](std::int64_t first, std::int64_t rows, std::span<std::byte> bytes) {
                     codec.decode(first, rows, bytes);
                   });
  if (runs_dry()) return info;
  if (found != info.checksum)
    refuse(path, fmt::format("the near-null vectors are damaged: expected checksum {}, found {}",
                             info.checksum.text(), found.text()));
  codec.check(grid, ErrorKind::input_file, path);
  host.deliver(vectors);
  vectors.touch();
  return info;
}

}  // namespace plaq
