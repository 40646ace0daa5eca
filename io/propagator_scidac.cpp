#include <fmt/format.h>

#include <limits>

#include "core/error.hpp"
#include "io/lime_plaq_info.hpp"
#include "io/lime_texts.hpp"
#include "io/propagator_formats.hpp"
#include "io/scidac_xml.hpp"

namespace plaq {
namespace {

constexpr std::string_view data_type = "Lattice";  // QDP++ names no other for a LatticePropagator
constexpr std::string_view user_file = R"(<?xml version="1.0" encoding="UTF-8"?><title>propagator</title>)";
constexpr std::string_view spin_basis = "DeGrand-Rossi";

class Inspector {
 public:
  explicit Inspector(const ByteSource& source) : source_(source), texts_(source) {
    info_.path = source.name();
    info_.format = PropagatorFormat::scidac;
    info_.order = ByteOrder::big;
  }

  PropagatorFileInfo inspect() {
    const int fields = texts_.count(lime_type::scidac_data), links = texts_.count(lime_type::ildg_data);
    if (fields != 1 || links != 0)
      fail(fmt::format(
          "expected one record {}, the 12 columns of a propagator together, found {}, and {} of {}",
          lime_type::scidac_data, fields, links, lime_type::ildg_data));
    const LimeRecord& data = demand(lime_type::scidac_data);
    read_shape();
    info_.data_offset = data.data_offset;
    info_.data_bytes = propagator_bytes(source_.name(), info_.extents, info_.precision);
    if (data.bytes != info_.data_bytes)
      fail(data,
           fmt::format("expected {} bytes, a propagator of {} in {} precision, found {}", info_.data_bytes,
                       to_string(info_.extents), name_of(info_.precision), data.bytes));
    read_checksum();
    read_metadata();
    if (const LimeRecord* record = texts_.find(lime_type::plaq_info)) {
      const auto own = parse_plaq_info(texts_.text(*record), texts_.place(*record));
      if (const auto complaint = header_complaint(source_, *record, own, data)) warn(*complaint);
    }
    for (const auto& warning : texts_.warnings()) warn(warning);
    return std::move(info_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::input_file, fmt::format("{}: {}", source_.name(), what));
  }
  [[noreturn]] void fail(const LimeRecord& record, const std::string& what) const {
    throw Error(ErrorKind::input_file, fmt::format("{}: {}", texts_.place(record), what));
  }
  void warn(const std::string& what) {
    info_.warnings.push_back(fmt::format("{}: {}", source_.name(), what));
  }
  const LimeRecord& demand(std::string_view type) const {
    const LimeRecord* record = texts_.find(type);
    if (!record) fail(fmt::format("expected a record {}, found none", type));
    return *record;
  }

  void read_shape() {
    const LimeRecord& file = demand(lime_type::private_file);
    info_.extents = parse_scidac_file(texts_.text(file), texts_.place(file));
    const LimeRecord& record = demand(lime_type::private_record);
    const ScidacRecord found = parse_scidac_record(texts_.text(record), texts_.place(record));
    info_.precision = found.precision;
    if (found.datatype != data_type)
      fail(record, fmt::format("expected a propagator of QDP++ (data type {}), found data type {}", data_type,
                               found.datatype));
    const int size = record_bytes(found.precision);
    if (found.type_size != size || found.data_count != 1)
      fail(record, fmt::format("expected one object of {} bytes a site, a propagator, found {} of {}", size,
                               found.data_count, found.type_size));
    if (found.colors != 3 || (found.spins != 0 && found.spins != 4))
      fail(record, fmt::format("expected 3 colors and 4 spins, found {} and {}", found.colors, found.spins));
  }

  void read_checksum() {
    const LimeRecord* record = texts_.find(lime_type::checksum);
    if (!record) return warn(fmt::format("{} is absent: damage may go unnoticed", lime_type::checksum));
    const ScidacSums sums = parse_scidac_checksum(texts_.text(*record), texts_.place(*record));
    info_.checksum = LinkChecksum{ChecksumKind::scidac, sums[0], sums[1]};
  }

  void read_metadata() {
    const LimeRecord* record = texts_.find(lime_type::user_record);
    std::string text;
    for (const auto& entry : texts_.entries())
      if (record && entry.line == record->number) text = entry.value;
    const auto own = parse_propagator_info(text);
    info_.metadata = own ? own->metadata : text;
    if (own && own->spin_basis != spin_basis)
      fail(*record,
           fmt::format("expected the spin basis {}, found '{}'", spin_basis, own->spin_basis.substr(0, 40)));
    if (!own) warn(fmt::format("it does not say its spin basis: it is taken as {}", spin_basis));
  }

  const ByteSource& source_;
  LimeTexts texts_;
  PropagatorFileInfo info_;
};

}  // namespace

std::uint64_t propagator_bytes(const std::string& name, const Extents& extents, Precision precision) {
  auto bytes = static_cast<std::uint64_t>(record_bytes(precision));
  for (const int extent : extents) {
    const auto factor = static_cast<std::uint64_t>(extent);
    if (bytes > std::numeric_limits<std::int64_t>::max() / factor)
      throw Error(ErrorKind::input_file,
                  fmt::format("{}: a lattice of {} is larger than any file", name, to_string(extents)));
    bytes *= factor;
  }
  return bytes;
}

bool is_scidac_propagator(const ByteSource& source) {
  try {
    const LimeTexts texts(source);
    const LimeRecord* record = texts.find(lime_type::private_record);
    if (!record || texts.count(lime_type::scidac_data) == 0) return false;
    const ScidacRecord found = parse_scidac_record(texts.text(*record), texts.place(*record));
    return found.type_size == record_bytes(found.precision) ||
           found.datatype.find("Propagator") != std::string::npos;
  } catch (const Error&) {
    return false;
  }
}

PropagatorFileInfo inspect_scidac_propagator(const ByteSource& source) { return Inspector(source).inspect(); }

GaugeFileFrame frame_scidac_propagator(const Extents& extents, Precision precision,
                                       const std::string& metadata, const LinkChecksum& checksum) {
  if (!is_plain_utf8(metadata) || metadata.size() > most_parsed_xml / 8)
    throw Error(ErrorKind::output_file,
                fmt::format("the text of a propagator: expected at most {} bytes in UTF-8 without control "
                            "characters, found {} bytes",
                            most_parsed_xml / 8, metadata.size()));
  ScidacRecord record;
  record.date = "Thu Jan  1 00:00:00 1970 UTC";  // equal contents are equal bytes
  record.datatype = data_type;
  record.precision = precision;
  record.spins = 4;
  record.type_size = record_bytes(precision);
  record.data_count = 1;
  GaugeFileFrame frame;
  frame.head += lime_text_record(lime_type::private_file, format_scidac_file(extents), true, false);
  frame.head += lime_text_record(lime_type::user_file, std::string(user_file), false, true);
  frame.head += lime_text_record(lime_type::private_record, format_scidac_record(record), true, false);
  frame.head += lime_text_record(lime_type::user_record, format_propagator_info(metadata), false, false);
  frame.head += lime_header(lime_type::scidac_data, propagator_bytes("the propagator", extents, precision),
                            false, false);
  frame.tail +=
      lime_text_record(lime_type::checksum, format_scidac_checksum({checksum.a, checksum.b}), false, true);
  append_plaq_info(frame.head, frame.tail, {});
  return frame;
}

}  // namespace plaq
