// What bench_network found, for people.
#include <fmt/format.h>

#include <map>

#include "jobs/bench/bench.hpp"

namespace plaq::jobs {
namespace {

std::string size_text(double bytes) {
  if (bytes < 1 << 10) return fmt::format("{:.0f} B", bytes);
  if (bytes < 1 << 20) return fmt::format("{:.0f} KiB", bytes / (1 << 10));
  return fmt::format("{:.0f} MiB", bytes / (1 << 20));
}

std::string text_of(const BenchRow& r, const char* name) { return r.more[name].get<std::string>(); }
bool same_link(const BenchRow& a, const BenchRow& b) {
  return text_of(a, "transport") == text_of(b, "transport") && text_of(a, "where") == text_of(b, "where");
}

std::string faces_text(double faces) { return fmt::format("{:.0f} face{}", faces, faces == 1 ? "" : "s"); }

// Sizes downwards, numbers of faces to the right: microseconds, and what one rank sends in a second.
std::string exchange_table(const std::vector<BenchRow>& rows, const BenchRow& link) {
  std::map<double, std::map<double, const BenchRow*>> table;
  for (const BenchRow& r : rows)
    if (r.name == "exchange" && same_link(r, link)) table[r.number("message_bytes")][r.number("faces")] = &r;
  std::string text = fmt::format("exchanges through {}, {}: microseconds, and GB/s that a rank sends\n{:>9}",
                                 text_of(link, "transport"), text_of(link, "where"), "a face");
  for (const auto& [faces, row] : table.begin()->second) text += fmt::format(" {:>19}", faces_text(faces));
  for (const auto& [bytes, by_faces] : table) {
    text += fmt::format("\n{:>9}", size_text(bytes));
    for (const auto& [faces, row] : by_faces)
      text += fmt::format(" {:>10.2f} {:>8.2f}", row->measured.samples.median,
                          1e-3 * faces * bytes / row->measured.samples.median);
  }
  return text + '\n';
}

std::string link_text(const BenchRow& r) {
  const double faces = r.number("faces");
  return fmt::format(
      "  {:<10} latency {:>8.2f} us{}, {:>8.2f} GB/s; off by {:.0f}% in the mean, {:.0f}% at most\n",
      faces == 0 ? "together" : faces_text(faces), 1e6 * r.number("latency_seconds"),
      faces == 0 ? fmt::format(", {:.2f} us for each further face", 1e6 * r.number("message_seconds")) : "",
      1e-9 * r.number("bytes_per_second"), 100 * r.number("mean_relative_error"),
      100 * r.number("worst_relative_error"));
}

std::string other_text(const BenchRow& r) {
  const Samples& s = r.measured.samples;
  std::string of;
  for (const auto& [name, value] : r.more["numbers"].get<std::map<std::string, double>>())
    of += fmt::format("{}{} {}", of.empty() ? "" : ", ", name,
                      name == "bytes" ? size_text(value) : fmt::format("{:.0f}", value));
  std::string speed;
  if (const double bytes = r.number("bytes"); bytes > 0)
    speed = fmt::format("  {:.2f} GB/s", 1e-3 * bytes / s.median);
  return fmt::format("{:<17} {:<28} {:>10.2f} us  {:.2f}..{:.2f}{}\n", r.name, of, s.median, s.least, s.most,
                     speed);
}

}  // namespace

std::string network_text(const std::vector<BenchRow>& rows) {
  std::string tables, others, refused;
  for (const BenchRow& r : rows) {
    if (r.name == "exchange") continue;
    if (r.name == "refused") {
      refused += fmt::format("not {}: {}\n", text_of(r, "transport"), r.measured.check);
    } else if (r.name != "link") {
      others += other_text(r);
    } else if (r.number("faces") == 0) {  // the last one of its transport
      tables += exchange_table(rows, r) + "latency + bytes / bandwidth, least squares in relative error:\n";
      for (const BenchRow& link : rows)
        if (link.name == "link" && same_link(link, r)) tables += link_text(link);
      tables += '\n';
    }
  }
  return tables + others + refused;
}

}  // namespace plaq::jobs
