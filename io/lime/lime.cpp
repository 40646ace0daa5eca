#include "io/lime/lime.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/system/error.hpp"
#include "io/bytes/byte_order.hpp"

namespace plaq {
namespace {

constexpr std::uint32_t lime_version = 1;
constexpr std::uint32_t begin_bit = 0x8000, end_bit = 0x4000;
constexpr std::size_t most_warnings = 20;
constexpr std::uint64_t most_trailing_zeros = 1 << 20;

bool is_ascii_text(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

class Scanner {
 public:
  explicit Scanner(const ByteSource& source) : source_(source) {}

  LimeFile scan() {
    while (offset_ < source_.size() && !only_zeros_left()) read_record();
    if (file_.records.empty()) fail_here("expected a LIME record, found nothing");
    if (!file_.records.back().ends) warn("the last message does not end: records may be missing");
    return std::move(file_);
  }

 private:
  [[noreturn]] void fail_here(const std::string& what) const {
    throw Error(ErrorKind::input_file, fmt::format("{}, record {} at byte {}: {}", source_.name(),
                                                   file_.records.size() + 1, offset_, what));
  }
  void warn(const std::string& what) {
    if (file_.warnings.size() < most_warnings) file_.warnings.push_back(what);
  }

  bool only_zeros_left() {
    const std::uint64_t left = source_.size() - offset_;
    if (file_.records.empty() || left > most_trailing_zeros) return false;
    std::array<std::byte, 4096> some{};
    for (std::uint64_t at = offset_; at < source_.size(); at += some.size()) {
      const std::size_t count = source_.read(at, some);
      if (std::any_of(some.begin(), some.begin() + static_cast<std::ptrdiff_t>(count),
                      [](std::byte b) { return b != std::byte{0}; }))
        return false;
    }
    warn(fmt::format("{} zero bytes after the last record", left));
    return true;
  }

  void read_record() {
    if (file_.records.size() == most_lime_records)
      fail_here(fmt::format("expected at most {} records", most_lime_records));
    std::array<std::byte, lime_header_bytes> header{};
    const std::uint64_t left = source_.size() - offset_;
    const std::size_t count = source_.read(offset_, header);
    const auto magic = load<std::uint32_t>(header.data(), ByteOrder::big);
    if (count < 4 || magic != lime_magic)
      fail_here(
          fmt::format("expected a LIME header (magic number {:08x}) or the end of the file, found "
                      "{:08x} and {} bytes in all",
                      lime_magic, magic, left));
    if (count < header.size())
      fail_here(fmt::format("truncated: expected a header of {} bytes, found {}", header.size(), count));
    const auto versions = load<std::uint32_t>(header.data() + 4, ByteOrder::big);
    if (versions >> 16 != lime_version)
      fail_here(fmt::format("expected LIME version {}, found {}", lime_version, versions >> 16));

    LimeRecord record;
    record.number = static_cast<int>(file_.records.size()) + 1;
    record.header_offset = offset_;
    record.data_offset = offset_ + header.size();
    record.bytes = load<std::uint64_t>(header.data() + 8, ByteOrder::big);
    record.type = type_of(header);
    read_message_bits(record, versions & 0xffff);
    step_over(record);
    file_.records.push_back(std::move(record));
  }

  std::string type_of(const std::array<std::byte, lime_header_bytes>& header) {
    const std::string_view field(reinterpret_cast<const char*>(header.data()) + 16, most_lime_type + 1);
    const std::size_t end = field.find('\0');
    if (end == std::string_view::npos)
      fail_here(
          fmt::format("expected a type of at most {} characters and a zero, found no zero", most_lime_type));
    const std::string_view type = field.substr(0, end);
    if (!is_ascii_text(type)) fail_here("expected a type of ASCII characters, found others");
    if (field.find_first_not_of('\0', end) != std::string_view::npos)
      warn(fmt::format("record {} at byte {}: its type '{}' is followed by other bytes than zeros",
                       file_.records.size() + 1, offset_, type));
    return std::string(type);
  }

  void read_message_bits(LimeRecord& record, std::uint32_t bits) {
    record.begins = (bits & begin_bit) != 0;
    record.ends = (bits & end_bit) != 0;
    const bool expected = file_.records.empty() || file_.records.back().ends;
    record.message = (file_.records.empty() ? 0 : file_.records.back().message) + (record.begins || expected);
    if (bits & ~(begin_bit | end_bit))
      warn(fmt::format("{}: unknown bits {:04x} beside those of messages", record.place(), bits));
    if (expected != record.begins)
      warn(fmt::format("{}: it {} a message, {}", record.place(), expected ? "should begin" : "begins",
                       expected ? "as the one before has ended" : "but the one before has not ended"));
  }

  void step_over(const LimeRecord& record) {
    const std::uint64_t left = source_.size() - record.data_offset, padding = lime_padding(record.bytes);
    if (record.type.empty() && record.bytes > 0)
      fail_here(fmt::format("expected a type, found none for {} bytes", record.bytes));
    if (record.bytes > left)
      throw Error(ErrorKind::input_file,
                  fmt::format("{}: truncated by {} bytes: {}: expected {} bytes of data, found {}",
                              source_.name(), record.bytes - left, record.place(), record.bytes, left));
    const std::uint64_t end = record.data_offset + record.bytes;
    if (padding > left - record.bytes) {
      warn(fmt::format("{}: its padding is missing at the end of the file", record.place()));
      if (left > record.bytes) check_padding(record, end, left - record.bytes);
      offset_ = source_.size();
      return;
    }
    check_padding(record, end, padding);
    offset_ = end + padding;
  }

  void check_padding(const LimeRecord& record, std::uint64_t at, std::uint64_t bytes) {
    std::array<std::byte, 8> padding{};
    source_.read(at, std::span(padding).first(static_cast<std::size_t>(bytes)));
    if (load<std::uint64_t>(padding.data(), native_order) != 0)
      warn(fmt::format("{}: its data of {} bytes are padded with other bytes than zeros", record.place(),
                       record.bytes));
  }

  const ByteSource& source_;
  std::uint64_t offset_ = 0;
  LimeFile file_;
};

}  // namespace

std::string LimeRecord::place() const {
  return fmt::format("record {} ({}) at byte {}", number, type, header_offset);
}

bool is_lime(const ByteSource& source) {
  std::array<std::byte, 4> magic{};
  return source.read(0, magic) == magic.size() &&
         load<std::uint32_t>(magic.data(), ByteOrder::big) == lime_magic;
}

LimeFile scan_lime(const ByteSource& source) { return Scanner(source).scan(); }

std::string lime_header(std::string_view type, std::uint64_t bytes, bool begins, bool ends) {
  if (type.empty() || type.size() > most_lime_type || !is_ascii_text(type))
    throw Error(
        ErrorKind::output_file,
        fmt::format("a LIME record of type '{}': expected 1 to {} printable ASCII characters, found {}",
                    is_ascii_text(type) ? type.substr(0, 60) : "?", most_lime_type, type.size()));
  std::array<std::byte, lime_header_bytes> header{};
  store(header.data(), ByteOrder::big, lime_magic);
  store(header.data() + 4, ByteOrder::big,
        lime_version << 16 | (begins ? begin_bit : 0u) | (ends ? end_bit : 0u));
  store(header.data() + 8, ByteOrder::big, bytes);
  std::string text(reinterpret_cast<const char*>(header.data()), header.size());
  return text.replace(16, type.size(), type);
}

std::string lime_record(std::string_view type, std::string_view data, bool begins, bool ends) {
  std::string text = lime_header(type, data.size(), begins, ends);
  text.append(data);
  return text.append(lime_padding(data.size()), '\0');
}

}  // namespace plaq
