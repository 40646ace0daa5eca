#include "gaugefix/fourier/line_exchange.hpp"

#include "core/launch/dispatch.hpp"

namespace plaq {

LineExchange::LineExchange(const ProcessGrid& grid, int mu, int global_extent, const RowsLayout& layout,
                           Location location)
    : mu_(mu),
      extent_(global_extent),
      total_(layout.total),
      location_(location),
      split_(layout.extent[mu], layout.stride[mu], layout.total, grid.ranks()[static_cast<std::size_t>(mu)]) {
  Extents across = grid.position();
  const int mine = across[static_cast<std::size_t>(mu)];
  int color = 0;
  for (std::size_t nu = 0; nu < 4; ++nu)
    color = color * grid.ranks()[nu] + (static_cast<int>(nu) == mu ? 0 : across[nu]);
  line_ = grid.comm().split(color, mine);
  first_ = split_.begin(mine);
  count_ = split_.begin(mine + 1) - first_;
  for (int k = 0; k < split_.parts; ++k) {
    const int theirs = split_.begin(k + 1) - split_.begin(k);
    packed_at_.push_back(2 * split_.begin(k) * split_.extent);
    packed_counts_.push_back(2 * theirs * split_.extent);
    whole_at_.push_back(2 * k * split_.extent * count_);
    whole_counts_.push_back(2 * split_.extent * count_);
  }
  const auto bytes = [](int count) { return static_cast<std::size_t>(count) * sizeof(ComplexPair); };
  packed_ = Buffer(location, bytes(total_));
  whole_ = Buffer(location, bytes(whole_size()));
  if (location == Location::device) {
    staged_packed_ = Buffer(Location::host, bytes(total_), true);
    staged_whole_ = Buffer(Location::host, bytes(whole_size()), true);
  }
  if (count_ > 0)
    transform_ = std::make_unique<RowTransform>(location, std::vector<int>{extent_}, count_, count_, 1);
}

void LineExchange::gather(ComplexPair* rows, const Queue& queue) {
  dispatch(location_, Precision::single_precision, [&](auto kind) {
    launch_reorder<typename decltype(kind)::target>(split_, rows, packed_.as<ComplexPair>(), false, total_,
                                                    queue);
  });
  exchange(false, queue);
}

void LineExchange::scatter(ComplexPair* rows, const Queue& queue) {
  exchange(true, queue);
  dispatch(location_, Precision::single_precision, [&](auto kind) {
    launch_reorder<typename decltype(kind)::target>(split_, rows, packed_.as<ComplexPair>(), true, total_,
                                                    queue);
  });
}

void LineExchange::exchange(bool back, const Queue& queue) {
  const bool staged = location_ == Location::device;
  const Buffer &from = back ? whole_ : packed_, &to = back ? packed_ : whole_;
  const Buffer &sent = !staged ? from
                       : back  ? staged_whole_
                               : staged_packed_,
               &got = !staged ? to
                      : back  ? staged_packed_
                              : staged_whole_;
  if (staged) {
    queue.copy_async(sent.data(), from.data(), from.bytes());
    queue.synchronize();
  }
  const Communicator::Shares packed{packed_counts_, packed_at_}, whole{whole_counts_, whole_at_};
  line_.all_to_all(sent.as<float>(), back ? whole : packed, got.as<float>(), back ? packed : whole);
  if (staged) queue.copy_async(to.data(), got.data(), to.bytes());
}

}  // namespace plaq
