#include "multigrid/coarse/wide_operator.hpp"

#include <utility>

namespace plaq {
namespace {

// Two hops of a part behind those of the nearest neighbours: the one that is made first, and the other one.
struct TwoHops {
  int first, second;
};

const std::vector<TwoHops>& diagonal_hops() {
  static const std::vector<TwoHops> all = [] {
    std::vector<TwoHops> hops;
    for (int d = 0; d < diagonal_fields; ++d)
      for (int e = diagonal_parts(d).begin; e < diagonal_parts(d).end; ++e) hops.push_back({d, e});
    return hops;
  }();
  return all;
}

}  // namespace

WideOperator::WideOperator(const ProcessGrid& grid, CoarseLinks links, Precision precision,
                           const Queue& queue, const std::shared_ptr<Transport>& transport)
    : nearest_(grid, std::move(links.nearest), precision, false, queue, transport) {
  require(links.diagonal.size() == diagonal_fields, "a wide coarse operator without diagonal neighbours");
  for (Field& diagonal : links.diagonal)
    diagonal_.push_back(
        std::make_unique<CoarseOperator>(grid, std::move(diagonal), precision, false, queue, transport));
}

Work WideOperator::work(int batch) const {
  Work all = nearest_.work(batch);
  for (const auto& of_hop : diagonal_) all += of_hop->work(batch);
  return all;
}

int WideOperator::capturable(int batch) {
  int all = nearest_.capturable(batch);
  for (const auto& of_hop : diagonal_) all = both_states(all, of_hop->capturable(batch));
  return all;
}

const std::vector<Offset>& WideOperator::offsets() const {
  static const std::vector<Offset> all = [] {
    std::vector<Offset> offsets = NearestNeighborOperator::nearest();
    for (const auto& [first, second] : diagonal_hops()) {
      Offset both = offsets[static_cast<std::size_t>(first)];
      for (std::size_t mu = 0; mu < 4; ++mu) both[mu] += offsets[static_cast<std::size_t>(second)][mu];
      offsets.push_back(both);
    }
    return offsets;
  }();
  return all;
}

CoarseLinks WideOperator::links() const {
  CoarseLinks all{nearest_.links(), {}};
  for (const auto& of_hop : diagonal_) all.diagonal.push_back(of_hop->links());
  return all;
}

void WideOperator::shift(const Field& in, const ActiveSet& active) {
  if (shifted_.empty() || shifted_.front().spec() != in.spec()) {
    shifted_.clear();
    for (int d = 0; d < diagonal_fields; ++d) shifted_.emplace_back(in.geometry_ptr(), in.spec());
  }
  nearest_.shift(shifted_, in, active);
}

void WideOperator::run(Field& out, const Field& in, bool dagger, const ActiveSet& active) {
  require(!dagger, "the adjoint of a coarse operator without chirality");
  nearest_.apply(out, in, active);
  shift(in, active);
  for (std::size_t d = 0; d < diagonal_fields; ++d)
    for (int parity = 0; parity < geometry()->parities(); ++parity)
      diagonal_[d]->apply_parity(out, shifted_[d], parity, diagonal_parts(static_cast<int>(d)), false, active,
                                 &out, true);
}

void WideOperator::apply_part(Field& out, const Field& in, int part, const ActiveSet& active) {
  if (part < NearestNeighborOperator::parts) return nearest_.apply_part(out, in, part, active);
  const auto [first, second] =
      diagonal_hops()[static_cast<std::size_t>(part - NearestNeighborOperator::parts)];
  shift(in, active);
  diagonal_[static_cast<std::size_t>(first)]->apply_part(out, shifted_[static_cast<std::size_t>(first)],
                                                         second, active);
}

}  // namespace plaq
