#include <fmt/format.h>

#include "io/links_size.hpp"
#include "io/propagator_formats.hpp"
#include "io/scidac_field.hpp"

namespace plaq {
namespace {

constexpr std::string_view data_type = "Lattice";  // QDP++ names no other for a LatticePropagator
constexpr std::string_view spin_basis = "DeGrand-Rossi";

void check_record(const ScidacField& field) {
  const ScidacRecord& found = field.record();
  const auto refuse = [&](const std::string& what) { field.refuse(lime_type::private_record, what); };
  if (found.datatype != data_type)
    refuse(fmt::format("expected a propagator of QDP++ (data type {}), found data type {}", data_type,
                       found.datatype));
  const int size = record_bytes(found.precision);
  if (found.type_size != size || found.data_count != 1)
    refuse(fmt::format("expected one object of {} bytes a site, a propagator, found {} of {}", size,
                       found.data_count, found.type_size));
  if (found.colors != 3 || (found.spins != 0 && found.spins != 4))
    refuse(fmt::format("expected 3 colors and 4 spins, found {} and {}", found.colors, found.spins));
}

std::string read_metadata(ScidacField& field) {
  std::string text = field.user_record();
  auto own = parse_propagator_info(text);
  if (!own) {
    field.warn(fmt::format("it does not say its spin basis: it is taken as {}", spin_basis));
    return text;
  }
  if (own->spin_basis != spin_basis)
    field.refuse(lime_type::user_record, fmt::format("expected the spin basis {}, found '{}'", spin_basis,
                                                     own->spin_basis.substr(0, 40)));
  return std::move(own->metadata);
}

}  // namespace

std::uint64_t propagator_bytes(const std::string& name, const Extents& extents, Precision precision) {
  return lattice_bytes(name, extents, record_bytes(precision));
}

bool is_scidac_propagator(const ByteSource& source) {
  const auto found = find_scidac_record(source);
  return found && (found->type_size == record_bytes(found->precision) ||
                   found->datatype.find("Propagator") != std::string::npos);
}

PropagatorFileInfo inspect_scidac_propagator(const ByteSource& source) {
  ScidacField field(source, "the 12 columns of a propagator together");
  check_record(field);
  PropagatorFileInfo info;
  info.path = source.name();
  info.format = PropagatorFormat::scidac;
  info.order = ByteOrder::big;
  info.extents = field.extents();
  info.precision = field.record().precision;
  info.data_offset = field.data_offset();
  info.data_bytes = field.expect_records(record_bytes(info.precision), "a propagator");
  info.checksum = field.checksum();
  info.metadata = read_metadata(field);
  field.check_header_crc();
  info.warnings = field.warnings();
  return info;
}

GaugeFileFrame frame_scidac_propagator(const Extents& extents, Precision precision,
                                       const std::string& metadata, const LinkChecksum& checksum) {
  check_user_text("the text of a propagator", metadata);
  ScidacRecord record;
  record.datatype = data_type;
  record.precision = precision;
  record.spins = 4;
  record.type_size = record_bytes(precision);
  record.data_count = 1;
  return frame_scidac_field(extents, record, "propagator", format_propagator_info(metadata), checksum);
}

}  // namespace plaq
