#include "io/gauge/lime_gauge.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/system/error.hpp"
#include "io/gauge/gauge_file_info.hpp"
#include "io/lime/lime_plaq_info.hpp"
#include "io/lime/lime_texts.hpp"
#include "io/lime/scidac_xml.hpp"

namespace plaq {
namespace {

class Inspector {
 public:
  explicit Inspector(const ByteSource& source) : source_(source), texts_(source) {
    info_.path = source.name();
    info_.file_bytes = source.size();
    info_.checksum_kind = ChecksumKind::scidac;
    info_.entries = texts_.entries();
  }

  GaugeFileInfo inspect() {
    find_data();
    read_shape();
    check_data_size();
    read_checksum();
    read_values();
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

  bool ildg() const { return info_.format == GaugeFileFormat::ildg; }

  // Contents that the first record names, for files that hold no gauge field.
  std::string contents() const {
    for (const auto& entry : texts_.entries()) {
      const auto& record = texts_.records()[static_cast<std::size_t>(entry.line) - 1];
      if (entry.key != lime_type::private_record) continue;
      return fmt::format("; {} says {}", record.place(),
                         parse_scidac_record(entry.value, texts_.place(record)).datatype);
    }
    return "";
  }

  void find_data() {
    const int ildg = texts_.count(lime_type::ildg_data), scidac = texts_.count(lime_type::scidac_data);
    if (texts_.count(lime_type::site_list) > 0)
      fail(*texts_.find(lime_type::site_list),
           "a part of a lattice in several files: expected a single file");
    if (ildg + scidac != 1)
      fail(fmt::format(
          "expected one record of links ({} or {}), found {} of the former and {} of the latter "
          "among {} records{}",
          lime_type::ildg_data, lime_type::scidac_data, ildg, scidac, texts_.records().size(), contents()));
    info_.format = ildg == 1 ? GaugeFileFormat::ildg : GaugeFileFormat::scidac;
    data_ = texts_.find(ildg == 1 ? lime_type::ildg_data : lime_type::scidac_data);
    info_.data_offset = data_->data_offset;
  }

  void read_format(const LimeRecord& format) {
    if (format.message != data_->message || format.number > data_->number)
      warn(fmt::format("{}: it should stand before the links in their message", format.place()));
    const IldgFormat found = parse_ildg_format(texts_.text(format), texts_.place(format));
    info_.extents = found.extents;
    info_.links.precision = found.precision;
  }

  void read_shape() {
    const LimeRecord* format = texts_.find(lime_type::ildg_format);
    const LimeRecord* file = texts_.find(lime_type::private_file);
    const LimeRecord* record = texts_.find(lime_type::private_record);
    const auto demand = [&](const LimeRecord* found, std::string_view type) {
      if (!found) fail(fmt::format("expected a record {} beside {}, found none", type, data_->place()));
    };
    if (ildg()) {
      if (record && !format) demand(file, lime_type::private_file);
      if (!format)
        warn(fmt::format("{} is absent: {}", lime_type::ildg_format,
                         file ? "lattice and precision are those of the other records"
                              : "the file does not say its lattice"));
      if (!texts_.find(lime_type::ildg_name))
        warn(fmt::format("{} is absent: the file does not say its logical name", lime_type::ildg_name));
      if (format) read_format(*format);
    } else {
      demand(file, lime_type::private_file);
      demand(record, lime_type::private_record);
      if (format)
        fail(*format, fmt::format("expected links in {}, found {}", lime_type::ildg_data, data_->place()));
    }
    if (file) {
      const Extents found = parse_scidac_file(texts_.text(*file), texts_.place(*file));
      if (format && found != info_.extents)
        fail(*file, fmt::format("a lattice of {}, but {} says {}", to_string(found), format->place(),
                                to_string(info_.extents)));
      info_.extents = found;
    }
    if (record) {
      const ScidacRecord found = parse_scidac_record(texts_.text(*record), texts_.place(*record));
      if (format && found.precision != info_.links.precision)
        fail(*record, fmt::format("{} precision, but {} says {}", name_of(found.precision), format->place(),
                                  name_of(info_.links.precision)));
      info_.links.precision = found.precision;
      check_type(*record, found);
    }
    if (file && !format && !record) find_precision();
  }

  // Finds the precision by the size of the links, if no record has it.
  void find_precision() {
    LinkFormat single = info_.links;
    single.precision = Precision::single_precision;
    if (data_->bytes == links_bytes(source_.name(), info_.extents, single)) info_.links = single;
  }

  void check_type(const LimeRecord& record, const ScidacRecord& type) {
    const std::string& name = type.datatype;
    const bool unnamed = name == "Lattice";  // QDP++: any field
    const bool of_quda = name.starts_with("QUDA_") && name.ends_with("_GaugeField");
    if (name.find("Propagator") != std::string::npos || name.find("Fermion") != std::string::npos ||
        name.ends_with(quda_spinors) ||
        (unnamed && type.data_count == 1 && type.type_size == 288 * bytes_of(info_.links.precision)))
      fail(record,
           fmt::format("it holds a propagator or quark field (data type {}): expected a gauge field", name));
    if (!unnamed && !of_quda && name.find("ColorMatrix") == std::string::npos)
      fail(record,
           fmt::format("it holds another field: expected a data type such as QDP_D3_ColorMatrix, found {}",
                       name));
    if (unnamed)
      warn(fmt::format("{}: the data type {} could be any: its size is that of links", record.place(), name));
    const bool single = info_.links.precision == Precision::single_precision;
    if (name.starts_with(single ? "QDP_D3_" : "QDP_F3_") || name.starts_with(single ? "QUDA_D" : "QUDA_F"))
      fail(record, fmt::format("data type {}, but precision {}", name, name_of(info_.links.precision)));
    // Old versions of QUDA say 9 colors and 1 spin of a matrix (lib/qio_field.cpp there).
    const bool old_quda = of_quda && type.colors == 9 && type.spins == 1;
    if (type.colors != 3 && !old_quda) fail(record, fmt::format("expected 3 colors, found {}", type.colors));
    if (type.site_bytes() != info_.links.site_bytes())
      fail(record,
           fmt::format("expected 4 objects of {} bytes a site, found {} of {}{}", info_.links.link_bytes(),
                       type.data_count, type.type_size,
                       type.site_bytes() == info_.links.link_bytes() ? ", a gauge transformation" : ""));
    if (type.data_count != 4)
      warn(fmt::format("{}: {} objects of {} bytes a site, which are taken as 4 links of {}", record.place(),
                       type.data_count, type.type_size, info_.links.link_bytes()));
  }

  void check_data_size() {
    if (!info_.says_extents()) {
      info_.data_bytes = data_->bytes;
      return;
    }
    const std::uint64_t bytes = links_bytes(source_.name(), info_.extents, info_.links);
    info_.data_bytes = bytes;
    if (data_->bytes == bytes) return;
    const bool less = data_->bytes < bytes;
    fail(*data_,
         fmt::format("expected {} bytes, links of {} in {} precision, found {}: {} bytes {}", bytes,
                     to_string(info_.extents), name_of(info_.links.precision), data_->bytes,
                     less ? bytes - data_->bytes : data_->bytes - bytes, less ? "missing" : "too many"));
  }

  void read_checksum() {
    const LimeRecord* record = texts_.find(lime_type::checksum);
    if (!record)
      return warn(fmt::format("{} is absent: damaged links may go unnoticed", lime_type::checksum));
    const ScidacSums sums = parse_scidac_checksum(texts_.text(*record), texts_.place(*record));
    info_.checksum = LinkChecksum{ChecksumKind::scidac, sums[0], sums[1]};
    if (record->message != data_->message)
      warn(fmt::format("{}: it should stand in the message of the links", record->place()));
  }

  // The number with the most digits counts, if records give several.
  void say(std::optional<double>& value, double& within, std::optional<double> found, double found_within,
           const LimeRecord& record, std::string_view key) {
    if (!found) return;
    if (value && std::abs(*found - *value) > (within + found_within))
      fail(record, fmt::format("{} = {:.12g}, but another record says {:.12g}", key, *found, *value));
    if (value && within <= found_within) return;
    value = found;
    within = found_within;
  }
  void say(std::optional<double>& value, double& within, const std::string& text, std::optional<double> found,
           const LimeRecord& record, std::string_view key) {
    if (!text.empty() && !found)
      warn(fmt::format("{}: <{}> is no average of Re tr / 3: it is not compared", record.place(), key));
    say(value, within, found, tolerance_of_digits(text), record, key);
  }

  void read_values() {
    const auto text_of = [&](const LimeRecord& record) -> std::string_view {
      for (const auto& entry : info_.entries)
        if (entry.line == record.number) return entry.value;
      return {};
    };
    if (const LimeRecord* record = texts_.find(lime_type::plaq_info)) {
      const LimePlaqInfo own = parse_plaq_info(texts_.text(*record), texts_.place(*record));
      say(info_.plaquette, info_.plaquette_within, own.plaquette, header_tolerance, *record, "plaquette");
      say(info_.link_trace, info_.link_trace_within, own.link_trace, header_tolerance, *record, "link_trace");
      if (const auto complaint = header_complaint(source_, *record, own, *data_)) warn(*complaint);
    }
    if (const LimeRecord* record = texts_.find(lime_type::user_record))
      if (const auto usqcd = parse_usqcd_info(text_of(*record))) {
        say(info_.plaquette, info_.plaquette_within, usqcd->plaquette, average_plaquette_of(usqcd->plaquette),
            *record, "plaq");
        say(info_.link_trace, info_.link_trace_within, usqcd->link_trace,
            average_link_trace_of(usqcd->link_trace), *record, "linktr");
      }
    for (const LimeRecord& record : texts_.records())
      if (record.type == lime_type::parameters)
        if (const auto found = plaquette_of_parameters(text_of(record)))
          say(info_.plaquette, info_.plaquette_within, found->value,
              tolerance_of_digits(text_of(record).substr(found->begin, found->size)), record, "plaquette");
  }

  const ByteSource& source_;
  LimeTexts texts_;
  GaugeFileInfo info_;
  const LimeRecord* data_ = nullptr;
};

}  // namespace

GaugeFileInfo inspect_lime_gauge(const ByteSource& source) { return Inspector(source).inspect(); }

std::optional<ParametersPlaquette> plaquette_of_parameters(std::string_view text) {
  constexpr std::string_view key = "plaquette";
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    const auto equals = line.find('=');
    if (equals != std::string_view::npos && trimmed_blank(line.substr(0, equals)) == key) {
      const std::string_view number = trimmed_blank(line.substr(equals + 1));
      const auto value = average_plaquette_of(number);
      if (!value) return std::nullopt;
      return ParametersPlaquette{static_cast<std::size_t>(number.data() - text.data()), number.size(),
                                 *value};
    }
    begin = end + 1;
  }
  return std::nullopt;
}

}  // namespace plaq
