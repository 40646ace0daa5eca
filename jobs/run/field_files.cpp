#include "jobs/run/field_files.hpp"

#include <algorithm>
#include <cstdint>

#include "comms/grid/collective.hpp"
#include "comms/grid/first_rank.hpp"
#include "comms/grid/world.hpp"
#include "io/bytes/byte_stream.hpp"

namespace plaq::jobs {
namespace {

std::string to_bytes(const FieldFiles& files) {
  ByteWriter out;
  for (const auto& [gauge_file, sources] : files) {
    out.text(gauge_file);
    out.number(static_cast<std::uint64_t>(sources.size()));
    for (const auto& names : sources) {
      out.number(static_cast<std::uint64_t>(names.size()));
      for (const std::string& name : names) out.text(name);
    }
  }
  return out.bytes();
}

FieldFiles from_bytes(const std::string& bytes) {
  FieldFiles files;
  ByteReader in(bytes);
  while (in.left() > 0) {
    auto& sources = files[std::string(in.text().value())];
    sources.resize(in.number<std::uint64_t>().value());
    for (auto& names : sources) {
      names.resize(in.number<std::uint64_t>().value());
      for (std::string& name : names) name = in.text().value();
    }
  }
  return files;
}

}  // namespace

FieldFiles found_on_first_rank(const std::function<FieldFiles()>& find) {
  std::string bytes;
  on_first_rank([&] { bytes = to_bytes(find()); });
  return from_bytes(broadcast(world(), std::move(bytes)));
}

std::vector<std::string> all_names(const FieldFiles& files) {
  std::vector<std::string> all;
  for (const auto& [gauge_file, sources] : files)
    for (const auto& names : sources) all.insert(all.end(), names.begin(), names.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace plaq::jobs
