#include <fmt/format.h>

#include "io/gauge/gauge_file_info.hpp"
#include "io/lime/scidac_field.hpp"
#include "io/propagator/propagator_formats.hpp"

namespace plaq {
namespace {

constexpr std::string_view propagator_data_type = "Lattice";  // QDP++ names no other for a LatticePropagator
constexpr std::string_view vector_type = "ColorVector", spinor_type = "DiracFermion";

bool is_of_quda(const ScidacRecord& record) { return record.datatype.ends_with(quda_spinors); }

std::string usqcd_type(Precision precision, std::string_view of) {
  return fmt::format("USQCD_{}3_{}", precision == Precision::single_precision ? 'F' : 'D', of);
}

// Quark fields of QUDA, one after the other at each site, [field][spin][color]: a propagator where they are
// as many as it has columns. Types: QUDA_DNs4Nc3_ColorSpinorField (lib/qio_field.cpp there).
PropagatorKind check_quda(const ScidacField& field) {
  const ScidacRecord& found = field.record();
  const auto refuse = [&](const std::string& what) { field.refuse(lime_type::private_record, what); };
  const PropagatorKind quarks = found.spins == 1 ? PropagatorKind::staggered : PropagatorKind::spinors;
  const int spins = quarks == PropagatorKind::staggered ? 1 : 4, size = column_bytes(quarks, found.precision);
  const std::string expected = fmt::format(
      "QUDA_{}Ns{}Nc3{}", found.precision == Precision::single_precision ? 'F' : 'D', spins, quda_spinors);
  if (found.datatype != expected || found.colors != 3 || found.spins != spins || found.type_size != size)
    refuse(fmt::format(
        "expected quark fields of {} spin{}, 3 colors and {} bytes a site (data type {}), found {} "
        "and {} of {} bytes ({})",
        spins, spins == 1 ? "" : "s", size, expected, found.spins, found.colors, found.type_size,
        found.datatype));
  if (found.data_count != columns_of(quarks))
    refuse(fmt::format("expected the {} columns of a propagator, found {} quark field{}", columns_of(quarks),
                       found.data_count, found.data_count == 1 ? "" : "s"));
  const std::string text = field.user_record();
  for (const char* part : {"<subset>parity<", "<parity>even<", "<parity>odd<"})
    if (text.find(part) != std::string::npos)
      field.refuse(lime_type::user_record, fmt::format("expected quark fields on all sites, found {}", part));
  return quarks;
}

// One quark field: a color vector a site, or a spinor, which QDP++ calls "Lattice" as all else.
bool is_single(const ScidacRecord& record) {
  if (record.data_count != 1) return false;
  return record.datatype.ends_with(vector_type) || record.datatype.ends_with(spinor_type) ||
         (record.datatype == propagator_data_type && record.spins == 4 &&
          record.type_size == column_bytes(PropagatorKind::spinors, record.precision));
}

PropagatorKind check_single(const ScidacField& field) {
  const ScidacRecord& found = field.record();
  const PropagatorKind quarks =
      found.datatype.ends_with(vector_type) ? PropagatorKind::staggered : PropagatorKind::spinors;
  const bool spinor = quarks == PropagatorKind::spinors;
  const int size = column_bytes(quarks, found.precision);
  const bool spins = spinor ? found.spins == 4 : found.spins <= 1;
  if (found.type_size != size || found.colors != 3 || !spins)
    field.refuse(lime_type::private_record,
                 fmt::format("expected a {} of {} bytes a site, 3 colors and {}, found {} bytes, {} and {}",
                             spinor ? "spinor" : "color vector", size, spinor ? "4 spins" : "no spin",
                             found.type_size, found.colors, found.spins));
  return quarks;
}

PropagatorKind check_propagator_record(const ScidacField& field) {
  const ScidacRecord& found = field.record();
  if (is_of_quda(found)) return check_quda(field);
  if (is_single(found)) return check_single(field);
  const auto refuse = [&](const std::string& what) { field.refuse(lime_type::private_record, what); };
  const PropagatorKind quarks =
      found.datatype.ends_with(vector_type) ? PropagatorKind::staggered : PropagatorKind::spinors;
  const int objects = quarks == PropagatorKind::spinors ? 1 : 3,
            size = record_bytes(quarks, found.precision) / objects;
  if (quarks == PropagatorKind::spinors && found.datatype != propagator_data_type)
    refuse(fmt::format("expected a propagator of QDP++ (data type {}) or color vectors, found data type {}",
                       propagator_data_type, found.datatype));
  if (found.type_size != size || found.data_count != objects)
    refuse(fmt::format("expected {} of {} bytes a site, a propagator, found {} of {}",
                       objects == 1 ? "one object" : "three color vectors", size, found.data_count,
                       found.type_size));
  const bool spins =
      quarks == PropagatorKind::spinors ? found.spins == 0 || found.spins == 4 : found.spins <= 1;
  if (found.colors != 3 || !spins)
    refuse(fmt::format("expected 3 colors and {}, found {} and {}",
                       quarks == PropagatorKind::spinors ? "4 spins" : "no spin", found.colors, found.spins));
  return quarks;
}

std::string read_metadata(ScidacField& field) {
  std::string text = field.user_record();
  auto own = parse_propagator_info(text);
  if (is_of_quda(field.record())) {
    field.warn(
        fmt::format("quark fields of QUDA: they are taken as columns 3 * spin + color of the source, in "
                    "the spin basis {}, which the file does not say",
                    spin_basis_of_files));
    return text;
  }
  if (!own) {
    field.warn(fmt::format("it does not say its spin basis: it is taken as {}", spin_basis_of_files));
    return text;
  }
  if (own->spin_basis != spin_basis_of_files)
    field.refuse(lime_type::user_record, fmt::format("expected the spin basis {}, found '{}'",
                                                     spin_basis_of_files, own->spin_basis.substr(0, 40)));
  return std::move(own->metadata);
}

std::string read_staggered(ScidacField& field, StaggeredPhases& phases) {
  std::string text = field.user_record();
  auto own = parse_staggered_info(text);
  phases = StaggeredPhases::txyz;
  if (!own || own->phase_order.empty())
    field.warn("it does not say the order of its staggered phases: it is taken as txyz, which is MILC's");
  else if (own->phase_order == name_of(StaggeredPhases::xyzt))
    phases = StaggeredPhases::xyzt;
  else if (own->phase_order != name_of(phases))
    field.refuse(lime_type::user_record, fmt::format("expected staggered phases xyzt or txyz, found '{}'",
                                                     own->phase_order.substr(0, 40)));
  return own ? std::move(own->metadata) : text;
}

}  // namespace

std::uint64_t propagator_bytes(const std::string& name, const Extents& extents, PropagatorKind quarks,
                               Precision precision, int columns) {
  return lattice_bytes(name, extents, record_bytes(quarks, precision, columns));
}

bool is_scidac_propagator(const ByteSource& source) {
  const auto found = find_scidac_record(source);
  return found && (found->type_size == record_bytes(PropagatorKind::spinors, found->precision) ||
                   found->datatype.find("Propagator") != std::string::npos ||
                   found->datatype.ends_with(vector_type) || is_single(*found) || is_of_quda(*found));
}

PropagatorFileInfo inspect_scidac_propagator(const ByteSource& source) {
  ScidacField field(source, "the columns of a propagator together");
  PropagatorFileInfo info;
  info.quarks = check_propagator_record(field);
  info.path = source.name();
  info.format = PropagatorFormat::scidac;
  info.order = ByteOrder::big;
  info.count = is_single(field.record()) ? 1 : columns_of(info.quarks);
  if (!is_of_quda(field.record()) && info.count > 1) info.numbers = site_numbers(info.format, info.quarks);
  info.extents = field.extents();
  info.precision = field.record().precision;
  info.data_offset = field.data_offset();
  info.data_bytes = field.expect_records(record_bytes(info.quarks, info.precision, info.count),
                                         info.count == 1 ? "a quark field" : "a propagator");
  info.checksum = field.checksum();
  info.metadata =
      info.quarks == PropagatorKind::spinors ? read_metadata(field) : read_staggered(field, info.phases);
  field.check_header_crc();
  info.warnings = field.warnings();
  return info;
}

GaugeFileFrame frame_scidac_propagator(const PropagatorFrame& frame, const LinkChecksum& checksum) {
  check_user_text("the text of a propagator", frame.metadata);
  const bool spinors = frame.quarks == PropagatorKind::spinors, single = frame.count() == 1;
  ScidacRecord record;
  if (single && spinors)
    record.datatype = usqcd_type(frame.precision, spinor_type);
  else
    record.datatype = spinors ? std::string(propagator_data_type) : usqcd_type(frame.precision, vector_type);
  record.precision = frame.precision;
  record.spins = spinors ? 4 : 0;
  record.data_count = spinors ? 1 : frame.count();
  record.type_size = record_bytes(frame.quarks, frame.precision, frame.count()) / record.data_count;
  return frame_scidac_field(
      frame.extents, record,
      single ? (spinors ? "spinor field" : "color vector field")
             : (spinors ? "propagator" : "staggered propagator"),
      spinors ? format_propagator_info(frame.metadata)
              : format_staggered_info(frame.metadata, name_of(frame.phases), staggered_normalization),
      checksum);
}

}  // namespace plaq
