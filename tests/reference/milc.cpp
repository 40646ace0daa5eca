#include "tests/reference/milc.hpp"

#include "tests/reference/bytes.hpp"

namespace plaq::reference {
namespace {

void sum_up(const std::string& bytes, std::size_t begin, bool big_endian, std::uint32_t& sum29,
            std::uint32_t& sum31) {
  for (std::size_t i = 0; begin + 4 * i < bytes.size(); ++i) {
    const auto value = static_cast<std::uint32_t>(word(bytes, begin + 4 * i, 4, big_endian));
    sum29 ^= rotated(value, i % 29);
    sum31 ^= rotated(value, i % 31);
  }
}

}  // namespace

MilcFile read_milc(const std::string& path) {
  const std::string bytes = file_bytes(path);
  if (bytes.size() < 96) throw std::runtime_error("MILC: no header in " + path);
  const bool big_endian = word(bytes, 0, 4, true) == 20103;
  const auto header = [&](std::size_t at) {
    return static_cast<std::uint32_t>(word(bytes, at, 4, big_endian));
  };
  if (header(0) != 20103) throw std::runtime_error("MILC: no magic in " + path);
  if (header(84) != 0) throw std::runtime_error("MILC: order of sites in " + path);
  Lattice lattice;
  for (int mu = 0; mu < 4; ++mu) lattice.extents[mu] = static_cast<int>(header(4 + 4 * std::size_t(mu)));
  if (bytes.size() != 96 + std::size_t(lattice.volume()) * 4 * 72)
    throw std::runtime_error("MILC: size of " + path);

  MilcFile file{big_endian, bytes.substr(20, 64).c_str(), header(88), header(92), GaugeField(lattice)};
  NumberReader reader{bytes, 96, 4, big_endian};
  for (auto& site : file.gauge.link)
    for (auto& link : site) link = reader.next_matrix();
  sum_up(bytes, 96, big_endian, file.sum29, file.sum31);
  return file;
}

std::string milc_bytes(const GaugeField& gauge, const std::string& time_stamp, bool big_endian) {
  std::string data;
  for (const auto& site : gauge.link)
    for (const auto& link : site) append_matrix(data, link, 4, big_endian);
  std::uint32_t sum29 = 0, sum31 = 0;
  sum_up(data, 0, big_endian, sum29, sum31);
  std::string bytes, stamp = time_stamp;
  stamp.resize(64, '\0');
  append_word(bytes, 20103, 4, big_endian);
  for (const int extent : gauge.lattice.extents)
    append_word(bytes, static_cast<std::uint64_t>(extent), 4, big_endian);
  bytes += stamp;
  for (const std::uint32_t value : {0u, sum29, sum31}) append_word(bytes, value, 4, big_endian);
  return bytes + data;
}

}  // namespace plaq::reference
