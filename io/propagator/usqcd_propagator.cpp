#include "io/propagator/propagator_formats.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/system/error.hpp"
#include "io/gauge/gauge_file_info.hpp"
#include "io/lime/lime_texts.hpp"
#include "io/lime/scidac_xml.hpp"

namespace plaq {
namespace {

constexpr std::string_view file_root = "<usqcdKSPropFile>", column_root = "<usqcdKSPropInfo>";

// QIO does not escape what others put into these elements: they need not be XML.
std::string between(std::string_view text, std::string_view name) {
  const std::string open = fmt::format("<{}>", name), close = fmt::format("</{}>", name);
  const auto begin = text.find(open), end = text.rfind(close);
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin + open.size())
    return {};
  return std::string(trimmed_blank(text.substr(begin + open.size(), end - begin - open.size())));
}

class UsqcdFile {
 public:
  explicit UsqcdFile(const ByteSource& source) : source_(source), texts_(source) {}

  PropagatorFileInfo inspect() {
    const LimeRecord& file = demand(texts_.find(lime_type::private_file), lime_type::private_file);
    info_.path = source_.name();
    info_.format = PropagatorFormat::scidac;
    info_.quarks = PropagatorKind::staggered;
    info_.count = columns_of(info_.quarks);
    info_.phases = StaggeredPhases::txyz;
    info_.order = ByteOrder::big;
    info_.extents = parse_scidac_file(texts_.text(file), texts_.place(file));
    info_.metadata =
        between(texts_.text(demand(texts_.find(lime_type::user_file), lime_type::user_file)), "info");
    info_.columns.resize(static_cast<std::size_t>(columns_of(info_.quarks)));
    for (const LimeRecord& record : texts_.records())
      if (record.type == lime_type::scidac_data && is_column(record)) add(record);
    if (found_ != columns_of(info_.quarks))
      fail(fmt::format("expected a field {} for each color of the source, found {}", column_root, found_));
    info_.data_offset = info_.columns.front().offset;
    add_up();
    warn("it does not say the order of its staggered phases: it is taken as txyz, which is MILC's");
    for (const auto& warning : texts_.warnings()) warn(warning);
    return info_;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::input_file, fmt::format("{}: {}", source_.name(), what));
  }
  void warn(const std::string& what) {
    info_.warnings.push_back(fmt::format("{}: {}", source_.name(), what));
  }
  const LimeRecord& demand(const LimeRecord* record, std::string_view type) const {
    if (!record) fail(fmt::format("expected a record {}, found none", type));
    return *record;
  }
  // The record of this type that belongs to the data: in the same message. Null when there is none.
  const LimeRecord* beside(const LimeRecord& data, std::string_view type) const {
    const LimeRecord* found = nullptr;
    for (const LimeRecord& record : texts_.records()) {
      if (record.message != data.message || record.type != type) continue;
      if (found)
        fail(fmt::format("{}: expected one in a message, but {} is another", record.place(), found->place()));
      found = &record;
    }
    return found;
  }

  bool is_column(const LimeRecord& data) const {
    const LimeRecord* user = beside(data, lime_type::user_record);
    return user && user->bytes > 0 && texts_.text(*user).find(column_root) != std::string::npos;
  }

  void add(const LimeRecord& data) {
    const LimeRecord& record = demand(beside(data, lime_type::private_record), lime_type::private_record);
    const ScidacRecord said = parse_scidac_record(texts_.text(record), texts_.place(record));
    const int size = column_bytes(info_.quarks, said.precision);
    if (!said.datatype.ends_with("ColorVector") || said.type_size != size || said.data_count != 1)
      fail(fmt::format("{}: expected one color vector of {} bytes a site, found {} of {}, data type {}",
                       record.place(), size, said.data_count, said.type_size, said.datatype.substr(0, 40)));
    if (found_ > 0 && said.precision != info_.precision)
      fail(fmt::format("{}: expected {} precision as before, found {}", record.place(),
                       name_of(info_.precision), name_of(said.precision)));
    info_.precision = said.precision;
    const std::uint64_t bytes = lattice_bytes(source_.name(), info_.extents, size);
    if (data.bytes != bytes)
      fail(fmt::format("{}: expected {} bytes, color vectors of {} in {} precision, found {}", data.place(),
                       bytes, to_string(info_.extents), name_of(said.precision), data.bytes));
    ColumnRecord& column = info_.columns.at(color_of(data));
    if (column.offset != 0) fail(fmt::format("{}: its color is there twice", data.place()));
    column.offset = data.data_offset;
    if (const LimeRecord* sums = beside(data, lime_type::checksum)) {
      const ScidacSums found = parse_scidac_checksum(texts_.text(*sums), texts_.place(*sums));
      column.checksum = LinkChecksum{ChecksumKind::scidac, found[0], found[1]};
    }
    info_.data_bytes += bytes;
    ++found_;
  }

  // Records that do not state their color are in order.
  std::size_t color_of(const LimeRecord& data) const {
    const LimeRecord& user = *beside(data, lime_type::user_record);
    const std::string color = between(texts_.text(user), "color");
    if (color.empty() && found_ < 3) return static_cast<std::size_t>(found_);
    if (color != "0" && color != "1" && color != "2")
      fail(fmt::format("{}: expected <color> 0, 1 or 2, found '{}'", user.place(), color.substr(0, 40)));
    return static_cast<std::size_t>(color[0] - '0');
  }

  void add_up() {
    LinkChecksum all{ChecksumKind::scidac, 0, 0};
    for (const ColumnRecord& column : info_.columns) {
      if (!column.checksum) return warn("a checksum is absent: damage may go unnoticed");
      all.a ^= column.checksum->a;
      all.b ^= column.checksum->b;
    }
    info_.checksum = all;
  }

  const ByteSource& source_;
  LimeTexts texts_;
  PropagatorFileInfo info_;
  int found_ = 0;
};

}  // namespace

bool is_usqcd_propagator(const ByteSource& source) {
  try {
    const LimeTexts texts(source);
    const LimeRecord* file = texts.find(lime_type::user_file);
    return file && file->bytes > 0 && texts.text(*file).find(file_root) != std::string::npos;
  } catch (const Error&) {
    return false;
  }
}

PropagatorFileInfo inspect_usqcd_propagator(const ByteSource& source) { return UsqcdFile(source).inspect(); }

}  // namespace plaq
