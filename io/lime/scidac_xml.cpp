#include "io/lime/scidac_xml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <pugixml.hpp>

#include "core/system/error.hpp"
#include "io/gauge/gauge_file_info.hpp"

namespace plaq {
namespace {

constexpr std::string_view declaration = R"(<?xml version="1.0" encoding="UTF-8"?>)";

// For messages: short, and nothing in it that could upset a terminal.
std::string shown_value(std::string_view text) {
  std::string result;
  for (const char c : text.substr(0, 60)) result += (c >= ' ' && c <= '~') ? c : '?';
  return "'" + result + (text.size() > 60 ? "...'" : "'");
}

bool parsable_size(std::string_view xml) {
  return xml.size() <= most_parsed_xml &&
         std::count(xml.begin(), xml.end(), '<') <= static_cast<std::ptrdiff_t>(most_parsed_elements) &&
         std::count(xml.begin(), xml.end(), '=') <= static_cast<std::ptrdiff_t>(most_parsed_elements);
}

std::string_view local_name(const char* name) {
  const std::string_view whole(name);
  return whole.substr(whole.rfind(':') + 1);
}

template <class T>
std::optional<T> number(std::string_view text, int base = 10) {
  T value{};
  std::from_chars_result result{};
  const char* end = text.data() + text.size();
  if constexpr (std::is_floating_point_v<T>) {
    if (text.starts_with('+')) text.remove_prefix(1);
    result = std::from_chars(text.data(), end, value);
  } else {
    result = std::from_chars(text.data(), end, value, base);
  }
  if (text.empty() || result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return value;
}

// A document with one level of elements that hold text.
class Document {
 public:
  Document(std::string_view xml, std::string place, std::string_view root) : place_(std::move(place)) {
    if (!parsable_size(xml))
      fail(fmt::format("expected XML of at most {} bytes and {} elements, found {} bytes", most_parsed_xml,
                       most_parsed_elements, xml.size()));
    const auto result =
        document_.load_buffer(xml.data(), xml.size(), pugi::parse_default, pugi::encoding_utf8);
    if (!result)
      fail(fmt::format("expected XML, found at its byte {}: {}", result.offset, result.description()));
    root_ = document_.document_element();
    if (local_name(root_.name()) != root)
      fail(fmt::format("expected <{}>, found <{}>", root, shown_value(root_.name())));
    if (root_.next_sibling()) fail(fmt::format("more than one element beside <{}>", root));
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::input_file, fmt::format("{}: {}", place_, what));
  }
  [[noreturn]] void fail(std::string_view name, std::string_view expected, std::string_view found) const {
    fail(fmt::format("<{}>: expected {}, found {}", name, expected, shown_value(found)));
  }

  std::optional<std::string> find(std::string_view name) const {
    std::optional<std::string> found;
    for (const auto& child : root_.children()) {
      if (local_name(child.name()) != name) continue;
      if (found) fail(fmt::format("<{}> is there twice", name));
      found = trimmed_blank(child.child_value());
    }
    return found;
  }
  std::string text(std::string_view name) const {
    auto found = find(name);
    if (!found) fail(fmt::format("expected <{}>, found none", name));
    return *found;
  }
  std::string one_of(std::string_view name, std::initializer_list<std::string_view> values) const {
    std::string found = text(name);
    if (std::find(values.begin(), values.end(), found) == values.end())
      fail(name, fmt::format("{}", fmt::join(values, " or ")), found);
    return found;
  }
  int integer(std::string_view name, int least, int most) const {
    return integer(name, text(name), least, most);
  }
  int integer(std::string_view name, std::string_view value, int least, int most) const {
    const auto found = number<int>(value);
    if (!found || *found < least || *found > most)
      fail(name, fmt::format("a whole number from {} to {}", least, most), value);
    return *found;
  }

 private:
  std::string place_;
  pugi::xml_document document_;
  pugi::xml_node root_;
};

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '\r')
      result += "&#13;";
    else
      result += c;
  }
  return result;
}

std::optional<double> trace_average(std::string_view text, double least) {
  constexpr double rounding = 1e-5;
  const auto value = number<double>(trimmed_blank(text));
  if (!value || !std::isfinite(*value) || *value == 0) return std::nullopt;
  if (*value < least - rounding || *value > 1 + rounding) return std::nullopt;
  return value;
}

// The only element of this name in usqcdInfo; none when there are several.
pugi::xml_node only_child(const pugi::xml_node& root, const char* name) {
  const pugi::xml_node child = root.child(name);
  return child.next_sibling(name) ? pugi::xml_node() : child;
}

std::string format_own(std::string_view name, std::string_view version, std::string_view text) {
  return fmt::format("{0}<{1}><version>{2}</version><info>{3}</info></{1}>", declaration, name, version,
                     escaped(text));
}

// The root of a document of plaq's own, all blanks kept; none for any other.
pugi::xml_node load_own(pugi::xml_document& document, std::string_view xml, std::string_view name) {
  if (!parsable_size(xml)) return {};
  if (!document.load_buffer(xml.data(), xml.size(), pugi::parse_default | pugi::parse_ws_pcdata,
                            pugi::encoding_utf8))
    return {};
  const pugi::xml_node root = document.document_element();
  return std::string_view(root.name()) == name ? root : pugi::xml_node();
}

}  // namespace

std::size_t escaped_size(std::string_view text) { return escaped(text).size(); }

Extents parse_scidac_file(std::string_view xml, const std::string& place) {
  const Document document(xml, place, "scidacFile");
  document.one_of("version", {"1.0", "1.1"});
  document.integer("spacetime", 4, 4);
  if (const auto format = document.find("volfmt"); format && *format != "0")
    document.fail("volfmt", "0, a single file (1 is a file for each rank, 2 one for each part)", *format);
  if (const auto files = document.find("multifile"); files && *files != "0" && *files != "1")
    document.fail("multifile", "1, a single file", *files);

  Extents extents{};
  const std::string dims = document.text("dims");
  std::string_view left = trimmed_blank(dims);
  for (int& extent : extents) {
    const auto end = std::min(left.find_first_of(" \t\r\n"), left.size());
    const auto found = number<int>(left.substr(0, end));
    if (!found || *found < 1 || *found > largest_extent)
      document.fail("dims", fmt::format("four whole numbers from 1 to {}", largest_extent), dims);
    extent = *found;
    left = trimmed_blank(left.substr(end));
  }
  if (!left.empty()) document.fail("dims", "four numbers", dims);
  return extents;
}

std::string format_scidac_file(const Extents& extents) {
  return fmt::format(
      "{}<scidacFile><version>1.1</version><spacetime>4</spacetime><dims>{} </dims><volfmt>0</volfmt>"
      "</scidacFile>",
      declaration, fmt::join(extents, " "));
}

ScidacRecord parse_scidac_record(std::string_view xml, const std::string& place) {
  const Document document(xml, place, "scidacRecord");
  document.one_of("version", {"1.0", "1.1"});
  for (const char* name : {"recordtype", "globaldata"})  // the latter in version 1.0
    if (const auto kind = document.find(name); kind && *kind != "0")
      document.fail(name, "0, a field over the whole lattice", *kind);
  ScidacRecord record;
  record.date = document.find("date").value_or("");
  record.datatype = document.text("datatype");
  record.precision = document.one_of("precision", {"F", "D"}) == "F" ? Precision::single_precision
                                                                     : Precision::double_precision;
  constexpr int most = 1 << 20;
  if (const auto colors = document.find("colors"))
    record.colors = document.integer("colors", *colors, 0, most);
  if (const auto spins = document.find("spins")) record.spins = document.integer("spins", *spins, 0, most);
  record.type_size = document.integer("typesize", 1, most);
  record.data_count = document.integer("datacount", 1, most);
  return record;
}

std::string format_scidac_record(const ScidacRecord& record) {
  return fmt::format(
      "{}<scidacRecord><version>1.1</version><date>{}</date><recordtype>0</recordtype><datatype>{}</datatype>"
      "<precision>{}</precision><colors>{}</colors>{}<typesize>{}</typesize><datacount>{}</datacount>"
      "</scidacRecord>",
      declaration, escaped(record.date), escaped(record.datatype),
      record.precision == Precision::single_precision ? 'F' : 'D', record.colors,
      record.spins > 0 ? fmt::format("<spins>{}</spins>", record.spins) : "", record.type_size,
      record.data_count);
}

IldgFormat parse_ildg_format(std::string_view xml, const std::string& place) {
  const Document document(xml, place, "ildgFormat");
  document.one_of("version", {"1.0", "1.1", "1.2"});
  document.one_of("field", {"su3gauge"});
  IldgFormat format;
  format.precision = document.one_of("precision", {"32", "64"}) == "32" ? Precision::single_precision
                                                                        : Precision::double_precision;
  constexpr std::array<const char*, 4> names = {"lx", "ly", "lz", "lt"};
  for (std::size_t mu = 0; mu < 4; ++mu) format.extents[mu] = document.integer(names[mu], 1, largest_extent);
  return format;
}

std::string format_ildg_format(const IldgFormat& format) {
  const Extents& l = format.extents;
  return fmt::format(
      "{}<ildgFormat xmlns=\"http://www.lqcd.org/ildg\" "
      "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
      "xsi:schemaLocation=\"http://www.lqcd.org/ildg/filefmt.xsd\"><version>1.0</version>"
      "<field>su3gauge</field><precision>{}</precision><lx>{}</lx><ly>{}</ly><lz>{}</lz><lt>{}</lt>"
      "</ildgFormat>",
      declaration, 8 * bytes_of(format.precision), l[0], l[1], l[2], l[3]);
}

ScidacSums parse_scidac_checksum(std::string_view xml, const std::string& place) {
  const Document document(xml, place, "scidacChecksum");
  document.one_of("version", {"1.0"});
  ScidacSums sums{};
  constexpr std::array<const char*, 2> names = {"suma", "sumb"};
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const std::string value = document.text(names[i]);
    std::string_view digits = value;
    if (digits.starts_with("0x") || digits.starts_with("0X")) digits.remove_prefix(2);
    const auto sum = digits.size() <= 8 ? number<std::uint32_t>(digits, 16) : std::nullopt;
    if (!sum) document.fail(names[i], "at most 32 bits as hexadecimal digits", value);
    sums[i] = *sum;
  }
  return sums;
}

std::string format_scidac_checksum(const ScidacSums& sums) {
  return fmt::format(
      "{}<scidacChecksum><version>1.0</version><suma>{:08x}</suma><sumb>{:08x}</sumb></scidacChecksum>",
      declaration, sums[0], sums[1]);
}

std::optional<UsqcdInfo> parse_usqcd_info(std::string_view xml) {
  pugi::xml_document document;
  if (xml.find("<usqcdInfo") == std::string_view::npos || !parsable_size(xml)) return std::nullopt;
  if (!document.load_buffer(xml.data(), xml.size(), pugi::parse_default, pugi::encoding_utf8))
    return std::nullopt;
  const pugi::xml_node root = document.document_element();
  if (std::string_view(root.name()) != "usqcdInfo") return std::nullopt;
  return UsqcdInfo{only_child(root, "plaq").child_value(), only_child(root, "linktr").child_value(),
                   only_child(root, "info").child_value()};
}

std::string format_usqcd_info(double plaquette, double link_trace, std::string_view info) {
  return fmt::format(
      "{}<usqcdInfo><version>1.0</version><plaq>{:.15g}</plaq><linktr>{:.15g}</linktr><info>{}</info>"
      "</usqcdInfo>",
      declaration, plaquette, link_trace, escaped(info));
}

std::string with_usqcd_values(std::string xml, std::optional<double> plaquette,
                              std::optional<double> link_trace) {
  for (const auto& [name, value] : {std::pair{"plaq", plaquette}, std::pair{"linktr", link_trace}}) {
    pugi::xml_document document;
    if (!value || !parse_usqcd_info(xml)) continue;
    document.load_buffer(xml.data(), xml.size(), pugi::parse_default, pugi::encoding_utf8);
    const pugi::xml_node text = only_child(document.document_element(), name).first_child();
    if (text.type() != pugi::node_pcdata || text.offset_debug() < 0) continue;
    const auto begin = static_cast<std::size_t>(text.offset_debug());
    xml.replace(begin, xml.find('<', begin) - begin, fmt::format("{:.15g}", *value));
  }
  return xml;
}

std::string format_propagator_info(std::string_view metadata) {
  return fmt::format(
      "{}<Propagator><version>1.0</version><spin_basis>DeGrand-Rossi</spin_basis><units>lattice</units>"
      "<info>{}</info></Propagator>",
      declaration, escaped(metadata));
}

std::optional<PropagatorInfo> parse_propagator_info(std::string_view xml) {
  pugi::xml_document document;
  if (xml.find("<spin_basis") == std::string_view::npos) return std::nullopt;
  const pugi::xml_node root = load_own(document, xml, "Propagator");
  if (!root) return std::nullopt;
  return PropagatorInfo{only_child(root, "spin_basis").child_value(), only_child(root, "info").child_value()};
}

std::string format_staggered_info(std::string_view metadata, std::string_view phase_order,
                                  std::string_view normalization) {
  return fmt::format(
      "{}<usqcdKSPropInfo><version>1.0</version><phase_order>{}</phase_order><normalization>{}</"
      "normalization>"
      "<units>lattice</units><info>{}</info></usqcdKSPropInfo>",
      declaration, escaped(phase_order), escaped(normalization), escaped(metadata));
}

std::optional<StaggeredInfo> parse_staggered_info(std::string_view xml) {
  pugi::xml_document document;
  const pugi::xml_node root = load_own(document, xml, "usqcdKSPropInfo");
  if (!root) return std::nullopt;
  return StaggeredInfo{only_child(root, "phase_order").child_value(), only_child(root, "info").child_value()};
}

std::string format_transformation_info(std::string_view text) {
  return format_own("GaugeTransformation", "1.0", text);
}

std::optional<std::string> parse_transformation_info(std::string_view xml) {
  pugi::xml_document document;
  const pugi::xml_node root = load_own(document, xml, "GaugeTransformation");
  if (!root || !only_child(root, "info")) return std::nullopt;
  return only_child(root, "info").child_value();
}

std::string format_own_text(const OwnTextKind& kind, std::string_view text) {
  return format_own(kind.root, kind.version, text);
}

std::optional<OwnText> parse_own_text(const OwnTextKind& kind, std::string_view xml) {
  pugi::xml_document document;
  const pugi::xml_node root = load_own(document, xml, kind.root);
  if (!root) return std::nullopt;
  return OwnText{only_child(root, "version").child_value(), only_child(root, "info").child_value()};
}

std::optional<double> average_plaquette_of(std::string_view text) { return trace_average(text, -1.0 / 3); }
std::optional<double> average_link_trace_of(std::string_view text) { return trace_average(text, -0.5); }

std::string_view trimmed_blank(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n";
  const auto first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

bool is_plain_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if (lead < 0x80) {
      if ((lead < ' ' && lead != '\t' && lead != '\n' && lead != '\r') || lead == 0x7f) return false;
      ++i;
      continue;
    }
    const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || i + length > text.size()) return false;
    std::uint32_t code = lead & (0xffu >> (length + 1));
    for (std::size_t k = 1; k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      if ((next & 0xc0) != 0x80) return false;
      code = code << 6 | (next & 0x3f);
    }
    constexpr std::uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    if (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return false;
    i += length;
  }
  return true;
}

}  // namespace plaq
