#include "io/vectors/vector_file.hpp"

#include <fmt/format.h>
#include <span>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "io/bytes/record_file.hpp"
#include "io/vectors/vector_codec.hpp"

namespace plaq {
namespace {

RecordFormat records_of(const VectorShape& shape) {
  return {shape.site_bytes(), ByteOrder::big, ChecksumKind::scidac, SiteOrder{.one_parity = true}};
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

void VectorPlace::share(const ProcessGrid& grid) {
  std::uint64_t words[] = {offset, bytes, checksum.a, checksum.b};
  grid.comm().broadcast(std::span(words));
  offset = words[0];
  bytes = words[1];
  checksum = {ChecksumKind::scidac, static_cast<std::uint32_t>(words[2]),
              static_cast<std::uint32_t>(words[3])};
}

LinkChecksum write_vectors(const std::string& path, const ProcessGrid& grid, const Field& vectors,
                           const VectorKind& kind, const VectorShape& shape,
                           const std::function<GaugeFileFrame(const LinkChecksum&)>& frame,
                           const WrittenFileCheck& check) {
  OnHost host(vectors);
  host.fetch();
  VectorCodec codec(host.field(), shape.stored, std::string(kind.one));
  return write_records(
      path, grid, vectors.geometry(), records_of(shape),
      [&] {
        return std::make_unique<FramedFile>(path, bytes_of_vectors(path, shape), ChecksumKind::scidac, frame);
      },
      [&](std::int64_t first, std::int64_t rows, std::span<std::byte> bytes) {
        codec.encode(first, rows, bytes);
      },
      [&] { codec.check(grid, ErrorKind::output_file, "cannot write " + path); }, check);
}

void read_vectors(const std::string& path, const ProcessGrid& grid, Field& vectors, const VectorKind& kind,
                  const StoredVectors& stored) {
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorKind::input_file, fmt::format("{}: {}", path, what));
  };
  const VectorShape& shape = stored.shape;
  const Geometry& geometry = vectors.geometry();
  if (shape.extents != geometry.global())
    refuse(fmt::format("it holds {} on {}, expected some on {}", kind.called, to_string(shape.extents),
                       to_string(geometry.global())));
  if (shape.vectors != vectors.subfields())
    refuse(fmt::format("it holds {} {}, expected {}", shape.vectors, kind.called, vectors.subfields()));
  if (shape.reals() != vectors.reals_per_site())
    refuse(fmt::format("its {} have {} spins a site, expected {}", kind.called, shape.spins,
                       vectors.reals_per_site() / 6));
  OnHost host(vectors);
  if (vectors.holds(1)) host.fetch();
  VectorCodec codec(host.field(), shape.stored, std::string(kind.one));
  const LinkChecksum found =
      read_records(path, grid, geometry, stored.data_offset, records_of(shape),
                   [&](std::int64_t first, std::int64_t rows, std::span<std::byte> bytes) {
                     codec.decode(first, rows, bytes);
                   });
  if (runs_dry()) return;
  if (found != stored.checksum)
    refuse(fmt::format("the {} are damaged: expected checksum {}, found {}", kind.called,
                       stored.checksum.text(), found.text()));
  codec.check(grid, ErrorKind::input_file, path);
  host.deliver(vectors);
  vectors.touch();
}

}  // namespace plaq
