#include <fmt/format.h>

#include <optional>

#include "comms/collective.hpp"
#include "core/error.hpp"
#include "io/gauge_file.hpp"
#include "io/link_codec.hpp"
#include "io/link_sum.hpp"
#include "io/site_file.hpp"
#include "io/temporary_file.hpp"

namespace plaq {
namespace {

// On rank 0: the file under its temporary name, with the bytes around the links.
class FramedFile {
 public:
  FramedFile(const std::string& path, const GaugeFormat& format, const GaugeWriteRequest& request)
      : path_(path), format_(format), request_(request) {
    const GaugeFileFrame sizes = frame({format.checksum});
    head_bytes_ = sizes.head.size();
    data_bytes_ = static_cast<std::uint64_t>(request.links.site_bytes());
    for (const int extent : request.extents) data_bytes_ *= static_cast<std::uint64_t>(extent);
    temporary_.emplace(path, head_bytes_ + data_bytes_ + sizes.tail.size());
  }

  const std::string& name() const { return temporary_->name(); }
  std::uint64_t head_bytes() const { return head_bytes_; }

  void complete(const LinkChecksum& checksum) {
    const GaugeFileFrame parts = frame(checksum);
    require(parts.head.size() == head_bytes_, "the size of a file's header depends on its checksum");
    temporary_->write(0, std::as_bytes(std::span(parts.head)));
    temporary_->write(head_bytes_ + data_bytes_, std::as_bytes(std::span(parts.tail)));
  }
  void publish() { temporary_->publish(); }

 private:
  GaugeFileFrame frame(const LinkChecksum& checksum) const {
    try {
      return format_.frame(request_, checksum);
    } catch (const Error& error) {
      throw Error(error.kind(), fmt::format("cannot write {}: {}", path_, error.what()));
    }
  }

  std::string path_;
  const GaugeFormat& format_;
  const GaugeWriteRequest& request_;
  std::uint64_t head_bytes_ = 0, data_bytes_ = 0;
  std::optional<TemporaryFile> temporary_;
};

}  // namespace

LinkChecksum write_gauge_file(const std::string& path, const ProcessGrid& grid, const Field& gauge,
                              const GaugeWriteOptions& options, double plaquette, double link_trace,
                              const WrittenFileCheck& check) {
  const Geometry& geometry = gauge.geometry();
  const GaugeFormat& format = gauge_format(options.format);
  const GaugeWriteRequest request{options.format, geometry.global(), links_to_write(options),
                                  plaquette,      link_trace,        options.metadata};
  std::optional<FramedFile> framed;  // on rank 0
  all_or_none(grid.comm(), [&] {
    if (grid.rank() == 0) framed.emplace(path, format, request);
  });
  const std::string name = broadcast(grid.comm(), framed ? framed->name() : "");
  const std::string head = broadcast(grid.comm(), framed ? std::to_string(framed->head_bytes()) : "");

  LinkEncoder encoder(grid, gauge, request.links);
  LinkSum sum(format.checksum, request.links.order, record_bytes(request.links));
  {
    SiteFile file(grid, geometry, name, SiteFile::Mode::write,
                  {std::stoull(head), record_bytes(request.links), site_order(request.links.sequence)}, path);
    for (int p = 0; p < file.pieces(); ++p) {
      const auto rows = file.to_fill(p);
      encoder.encode(rows.first, rows.count, rows.bytes);
      file.write(p);
      sum.add(file.slab().first_record, file.slab().bytes);
    }
    LinkSurvey survey = encoder.survey();
    survey.combine(grid);
    survey.check(ErrorKind::output_file, "cannot write " + path, geometry.global());
    file.finish();
  }
  const LinkChecksum checksum = sum.combine(grid);
  all_or_none(grid.comm(), [&] {
    if (framed) framed->complete(checksum);
  });
  if (check) check(name, checksum);
  all_or_none(grid.comm(), [&] {
    if (framed) framed->publish();
  });
  return checksum;
}

}  // namespace plaq
