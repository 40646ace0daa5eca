#include "tests/reference/lime.hpp"

#include <sstream>

#include "tests/reference/bytes.hpp"

namespace plaq::reference {
namespace {

std::uint64_t integer(const std::string& bytes, std::size_t offset, int count) {
  return word(bytes, offset, count, true);
}
void append(std::string& bytes, std::uint64_t value, int count) { append_word(bytes, value, count, true); }

}  // namespace

std::vector<LimeRecord> lime_records(const std::string& bytes) {
  std::vector<LimeRecord> records;
  for (std::size_t offset = 0; offset < bytes.size();) {
    if (bytes.size() - offset < 144 || integer(bytes, offset, 4) != 0x456789ab ||
        integer(bytes, offset + 4, 2) != 1)
      throw std::runtime_error("LIME: no header at byte " + std::to_string(offset));
    const std::uint64_t bits = integer(bytes, offset + 6, 2), length = integer(bytes, offset + 8, 8);
    const std::uint64_t stored = (length + 7) / 8 * 8;
    if (stored > bytes.size() - offset - 144) throw std::runtime_error("LIME: the data end too early");
    records.push_back({bytes.substr(offset + 16, bytes.find('\0', offset + 16) - offset - 16),
                       bytes.substr(offset + 144, length), (bits & 0x8000) != 0, (bits & 0x4000) != 0});
    offset += 144 + stored;
  }
  return records;
}

std::string lime_bytes(const std::vector<LimeRecord>& records) {
  std::string bytes;
  for (const auto& record : records) {
    append(bytes, 0x456789ab, 4);
    append(bytes, 1, 2);
    append(bytes, (record.begins ? 0x8000 : 0) + (record.ends ? 0x4000 : 0), 2);
    append(bytes, record.data.size(), 8);
    bytes += record.type + std::string(128 - record.type.size(), '\0') + record.data;
    while (bytes.size() % 8 != 0) bytes.push_back('\0');
  }
  return bytes;
}

std::string between_tags(const std::string& xml, const std::string& tag) {
  const auto begin = xml.find("<" + tag + ">");
  if (begin == std::string::npos) return {};
  const auto first = begin + tag.size() + 2;
  return xml.substr(first, xml.find("</" + tag + ">", first) - first);
}

std::uint32_t crc32(const std::string& bytes) {
  std::uint32_t crc = 0xffffffff;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
  }
  return ~crc;
}

ScidacSums scidac_sums(const std::string& data, std::size_t site_bytes) {
  ScidacSums sums;
  for (std::size_t site = 0; site < data.size() / site_bytes; ++site) {
    const std::uint32_t crc = crc32(data.substr(site * site_bytes, site_bytes));
    sums.a ^= rotated(crc, site % 29);
    sums.b ^= rotated(crc, site % 31);
  }
  return sums;
}

std::string link_bytes(const GaugeField& gauge, int precision) {
  std::string bytes;
  for (const auto& links : gauge.link)
    for (const auto& link : links) append_matrix(bytes, link, precision / 8, true);
  return bytes;
}

std::string matrix_bytes(const GaugeTransformation& g, int precision) {
  std::string bytes;
  for (const auto& matrix : g) append_matrix(bytes, matrix, precision / 8, true);
  return bytes;
}

GaugeField links_of(const std::string& data, const Lattice& lattice, int precision) {
  if (data.size() != static_cast<std::size_t>(lattice.volume()) * 9 * precision)
    throw std::runtime_error("LIME: the links have " + std::to_string(data.size()) + " bytes");
  GaugeField gauge(lattice);
  NumberReader reader{data, 0, precision / 8, true};
  for (auto& links : gauge.link)
    for (auto& link : links) link = reader.next_matrix();
  return gauge;
}

GaugeTransformation matrices_of(const std::string& data, const Lattice& lattice, int precision) {
  GaugeTransformation g(static_cast<std::size_t>(lattice.volume()));
  if (4 * data.size() != g.size() * 9 * static_cast<std::size_t>(precision))
    throw std::runtime_error("LIME: the matrices have " + std::to_string(data.size()) + " bytes");
  NumberReader reader{data, 0, precision / 8, true};
  for (auto& matrix : g) matrix = reader.next_matrix();
  return g;
}

LimeGauge read_lime_gauge(const std::string& path) {
  std::map<std::string, std::string> texts;
  std::string data;
  for (const auto& record : lime_records(file_bytes(path))) {
    if (record.type == "ildg-binary-data" || record.type == "scidac-binary-data")
      data = record.data;
    else
      texts[record.type] = record.data;
  }
  Lattice lattice;
  int precision = 64;
  if (const auto format = texts.find("ildg-format"); format != texts.end()) {
    constexpr const char* names[4] = {"lx", "ly", "lz", "lt"};
    for (int mu = 0; mu < 4; ++mu) lattice.extents[mu] = std::stoi(between_tags(format->second, names[mu]));
    precision = std::stoi(between_tags(format->second, "precision"));
  } else {
    std::istringstream dims(between_tags(texts.at("scidac-private-file-xml"), "dims"));
    for (int& extent : lattice.extents) dims >> extent;
    precision = between_tags(texts.at("scidac-private-record-xml"), "precision") == "F" ? 32 : 64;
  }
  LimeGauge file{links_of(data, lattice, precision), precision, scidac_sums(data, 9 * precision), {}, {}};
  const std::string checksum = texts.at("scidac-checksum");
  file.said.a = static_cast<std::uint32_t>(std::stoul(between_tags(checksum, "suma"), nullptr, 16));
  file.said.b = static_cast<std::uint32_t>(std::stoul(between_tags(checksum, "sumb"), nullptr, 16));
  file.texts = std::move(texts);
  return file;
}

}  // namespace plaq::reference
