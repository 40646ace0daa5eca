#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>

#include "jobs/vertices/vertex_keys.hpp"

namespace plaq::jobs {
namespace {

std::string_view without_spaces(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// Four integers with commas between them.
std::optional<Momentum4> momentum_in(std::string_view text) {
  Momentum4 n{};
  for (std::size_t mu = 0; mu < 4; ++mu) {
    const auto comma = text.find(',');
    if ((comma == std::string_view::npos) != (mu == 3)) return std::nullopt;
    const std::string_view number = without_spaces(text.substr(0, comma));
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), n[mu]);
    if (error != std::errc() || end != number.data() + number.size()) return std::nullopt;
    if (mu < 3) text.remove_prefix(comma + 1);
  }
  return n;
}

}  // namespace

std::optional<VertexMomenta> vertex_momenta(const std::string& text) {
  const std::string_view all = text, arrow = "->";
  const auto at = all.find(arrow);
  const auto in = momentum_in(all.substr(0, at));
  const auto out = at == std::string_view::npos ? in : momentum_in(all.substr(at + arrow.size()));
  if (!in || !out) return std::nullopt;
  return VertexMomenta{*in, *out};
}

std::vector<VertexMomenta> vertex_momenta(const Settings& job) {
  std::vector<VertexMomenta> all;
  for (const std::string& text : job.get<VertexKeys>().momenta) all.push_back(vertex_momenta(text).value());
  return all;
}

bool is_used_after(const std::vector<VertexMomenta>& vertices, std::size_t k, const Momentum4& n) {
  return std::any_of(vertices.begin() + static_cast<std::ptrdiff_t>(k) + 1, vertices.end(),
                     [&](const VertexMomenta& one) { return one.in == n || one.out == n; });
}

int most_quarks(const std::vector<VertexMomenta>& vertices) {
  std::set<Momentum4> held;
  std::size_t most = 0;
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    held.insert({vertices[k].in, vertices[k].out});
    most = std::max(most, held.size());
    std::erase_if(held, [&](const Momentum4& n) { return !is_used_after(vertices, k, n); });
  }
  return static_cast<int>(most);
}

int count_momenta(const std::vector<VertexMomenta>& vertices) {
  std::set<Momentum4> all;
  for (const VertexMomenta& one : vertices) all.insert({one.in, one.out});
  return static_cast<int>(all.size());
}

}  // namespace plaq::jobs
