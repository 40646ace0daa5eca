#include "gaugefix/fourier/inverse_laplacian.hpp"

#include <cmath>
#include <numbers>

#include "core/launch/dispatch.hpp"

namespace plaq {
namespace {

// Directions among y, z, t that are transformed on the rank itself.
std::uint32_t outer_directions(std::uint32_t directions, const Extents& ranks) {
  std::uint32_t outer = 0;
  for (int mu = 1; mu < 4; ++mu)
    if (((directions >> mu) & 1u) != 0 && ranks[static_cast<std::size_t>(mu)] == 1) outer |= 1u << mu;
  return outer;
}

}  // namespace

InverseLaplacian::SplitDirection::SplitDirection(const ProcessGrid& grid, int mu, int extent,
                                                 const RowsLayout& layout, Location location)
    : exchange(grid, mu, extent, {layout.extent[mu], layout.stride[mu], layout.total}, location) {
  const int count = exchange.line_count();
  if (count > 0) of_whole.emplace(location, std::vector<int>{extent}, count, count, 1);
}

void InverseLaplacian::SplitDirection::transform(bool forward, const Queue& queue) const {
  if (of_whole) of_whole->run(exchange.whole(), exchange.whole(), forward, queue);
}

InverseLaplacian::InverseLaplacian(const ProcessGrid& grid, const Geometry& geometry,
                                   std::uint32_t directions, int copies, Location location)
    : ranks_(grid.ranks()),
      directions_(directions),
      location_(location),
      layout_(geometry, copies, outer_directions(directions, ranks_)) {
  if (!split(0))
    along_x_.emplace(location, std::vector<int>{layout_.row}, 1, layout_.total / layout_.row, layout_.row);
  std::vector<int> extents;
  for (int mu = 3; mu > 0; --mu)
    if (((outer_directions(directions, ranks_) >> mu) & 1u) != 0) extents.push_back(layout_.extent[mu]);
  const int inner = layout_.total / layout_.outer_size;
  if (!extents.empty()) outer_.emplace(location, extents, inner, inner, 1);
  for (int mu = 0; mu < 4; ++mu)
    if (((directions >> mu) & 1u) != 0 && split(mu))
      lines_.push_back(std::make_unique<SplitDirection>(
          grid, mu, geometry.global()[static_cast<std::size_t>(mu)], layout_, location));

  std::vector<float> squares;
  std::size_t first[4];
  double volume = 1, most = 0;
  weights_.directions = directions;
  for (int mu = 0; mu < 4; ++mu) {
    const auto m = static_cast<std::size_t>(mu);
    const int n = geometry.global()[m];
    weights_.extent[mu] = layout_.extent[mu];
    weights_.stride[mu] = layout_.stride[mu];
    weights_.offset[mu] = geometry.offset()[m];
    weights_.by_extent[mu] = Divisor(static_cast<std::uint32_t>(layout_.extent[mu]));
    weights_.by_stride[mu] = Divisor(static_cast<std::uint32_t>(layout_.stride[mu]));
    first[mu] = squares.size();
    for (int p = 0; p < n; ++p)
      squares.push_back(static_cast<float>(p == 0 ? 0.0 : std::pow(std::sin(std::numbers::pi * p / n), 2)));
    if (((directions >> mu) & 1u) != 0) {
      volume *= n;
      most += 1;  // extents are even: p_mu = pi is there
    }
  }
  weights_.scale = static_cast<float>(most / volume);
  squares_ = Buffer(location, squares.size() * sizeof(float));
  copy_bytes(squares_.data(), location, squares.data(), Location::host, squares_.bytes());
  for (int mu = 0; mu < 4; ++mu) weights_.squares[mu] = squares_.as<float>() + first[mu];
}

InverseLaplacian::~InverseLaplacian() = default;

bool InverseLaplacian::split(int mu) const { return ranks_[static_cast<std::size_t>(mu)] > 1; }

void InverseLaplacian::weigh(ComplexPair* field, int count, const LineExchange<float>* whole,
                             const Queue& queue) {
  MomentumWeights w = weights_;
  if (whole != nullptr) {
    w.whole = whole->direction();
    w.lines = whole->lines();
    w.first_line = whole->first_line();
    w.line_count = whole->line_count();
    w.by_line_count = Divisor(static_cast<std::uint32_t>(w.line_count));
  }
  dispatch(location_, Precision::single_precision,
           [&](auto kind) { launch_weights<typename decltype(kind)::target>(w, field, count, queue); });
}

void InverseLaplacian::apply(ComplexPair* to, const ComplexPair* from, const Queue& queue) {
  const ComplexPair* at = from;
  const auto locally = [&](bool forward) {
    for (const auto* transform : {&along_x_, &outer_}) {
      if (!*transform) continue;
      (*transform)->run(to, at, forward, queue);
      at = to;
    }
  };
  locally(true);
  if (at == from) queue.copy_async(to, from, static_cast<std::size_t>(layout_.total) * sizeof(ComplexPair));
  at = to;
  if (lines_.empty()) weigh(to, layout_.total, nullptr, queue);
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    LineExchange<float>& line = lines_[i]->exchange;
    line.gather(to, queue);
    lines_[i]->transform(true, queue);
    if (i + 1 == lines_.size()) {
      if (line.line_count() > 0) weigh(line.whole(), line.whole_size(), &line, queue);
      lines_[i]->transform(false, queue);
    }
    line.scatter(to, queue);
  }
  for (std::size_t i = lines_.size(); i-- > 1;) {
    lines_[i - 1]->exchange.gather(to, queue);
    lines_[i - 1]->transform(false, queue);
    lines_[i - 1]->exchange.scatter(to, queue);
  }
  locally(false);
}

}  // namespace plaq
