#include "tests/reference/nersc.hpp"

#include "tests/reference/bytes.hpp"

namespace plaq::reference {
namespace {

struct Encoding {
  int bytes;  // of a number: 4 or 8
  bool big_endian;
};

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t\r"), end = text.find_last_not_of(" \t\r");
  return begin == std::string::npos ? std::string() : text.substr(begin, end - begin + 1);
}

std::string value(const std::map<std::string, std::string>& header, const std::string& key) {
  const auto found = header.find(key);
  if (found == header.end()) throw std::runtime_error("NERSC: the header has no " + key);
  return found->second;
}

double number_or_zero(const std::map<std::string, std::string>& header, const std::string& key) {
  const auto found = header.find(key);
  return found == header.end() ? 0.0 : std::stod(found->second);
}

Encoding encoding_of(const std::string& name, const std::string& links, int rows) {
  if (name == "IEEE32BIG") return {4, true};
  if (name == "IEEE32LITTLE") return {4, false};
  if (name == "IEEE64BIG") return {8, true};
  if (name == "IEEE64LITTLE") return {8, false};
  if (name != "IEEE32" && name != "IEEE64") throw std::runtime_error("NERSC: unknown FLOATING_POINT " + name);
  for (const bool big_endian : {true, false}) {
    const Encoding encoding{name == "IEEE32" ? 4 : 8, big_endian};
    const ColorMatrix first = NumberReader{links, 0, encoding.bytes, big_endian}.next_matrix(rows);
    if (unitarity_violation(first).unitarity < 1e-4) return encoding;
  }
  throw std::runtime_error("NERSC: the first link is unitary in neither byte order");
}

}  // namespace

std::uint32_t NerscFile::header_checksum() const {
  const auto found = header.find("CHECKSUM");
  return found == header.end() ? 0 : static_cast<std::uint32_t>(std::stoul(found->second, nullptr, 16));
}
double NerscFile::header_plaquette() const { return number_or_zero(header, "PLAQUETTE"); }
double NerscFile::header_link_trace() const { return number_or_zero(header, "LINK_TRACE"); }

NerscFile read_nersc(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw std::runtime_error("NERSC: cannot open " + path);

  std::string line;
  if (!std::getline(stream, line) || trimmed(line) != "BEGIN_HEADER")
    throw std::runtime_error("NERSC: no BEGIN_HEADER in " + path);
  std::map<std::string, std::string> header;
  while (std::getline(stream, line) && trimmed(line) != "END_HEADER") {
    const auto equals = line.find('=');
    if (equals != std::string::npos)
      header[trimmed(line.substr(0, equals))] = trimmed(line.substr(equals + 1));
  }
  if (!stream) throw std::runtime_error("NERSC: no END_HEADER in " + path);
  const std::string bytes((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());

  Lattice lattice;
  for (int mu = 0; mu < 4; ++mu)
    lattice.extents[mu] = std::stoi(value(header, "DIMENSION_" + std::to_string(mu + 1)));
  const std::string datatype = value(header, "DATATYPE");
  if (datatype != "4D_SU3_GAUGE" && datatype != "4D_SU3_GAUGE_3x3")
    throw std::runtime_error("NERSC: unknown DATATYPE " + datatype);
  const int rows = datatype == "4D_SU3_GAUGE" ? 2 : 3;
  const std::string floating_point = value(header, "FLOATING_POINT");
  const std::size_t link_bytes = 6 * rows * (floating_point.starts_with("IEEE64") ? 8 : 4);
  const std::size_t size = 4 * static_cast<std::size_t>(lattice.volume()) * link_bytes;
  if (bytes.size() < size) throw std::runtime_error("NERSC: the data end too early in " + path);
  if (bytes.size() > size && bytes.substr(size) != "\n")
    throw std::runtime_error("NERSC: something follows the data in " + path);
  const Encoding encoding = encoding_of(floating_point, bytes, rows);

  NerscFile file{std::move(header), GaugeField(lattice)};
  for (std::size_t offset = 0; offset < size; offset += 4)
    file.checksum += static_cast<std::uint32_t>(word(bytes, offset, 4, encoding.big_endian));
  NumberReader reader{bytes, 0, encoding.bytes, encoding.big_endian};
  for (auto& site : file.gauge.link)
    for (ColorMatrix& link : site) link = reader.next_matrix(rows);
  return file;
}

}  // namespace plaq::reference
