#include "kernels/fourier/line_exchange.hpp"

#include "core/launch/dispatch.hpp"

namespace plaq {

template <class T>
LineExchange<T>::LineExchange(const ProcessGrid& grid, int mu, int global_extent, const LineArray& array,
                              Location location)
    : mu_(mu),
      extent_(global_extent),
      total_(array.total),
      location_(location),
      split_(array.extent, array.stride, array.total, grid.ranks()[static_cast<std::size_t>(mu)]) {
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
  const auto bytes = [](int count) { return static_cast<std::size_t>(count) * sizeof(FourierNumber<T>); };
  packed_ = Buffer(location, bytes(total_));
  whole_ = Buffer(location, bytes(whole_size()));
  if (location == Location::device) {
    staged_packed_ = Buffer(Location::host, bytes(total_), true);
    staged_whole_ = Buffer(Location::host, bytes(whole_size()), true);
  }
}

template <class T>
void LineExchange<T>::gather(FourierNumber<T>* rows, const Queue& queue) {
  reorder(rows, false, queue);
  exchange(false, queue);
}

template <class T>
void LineExchange<T>::scatter(FourierNumber<T>* rows, const Queue& queue) {
  exchange(true, queue);
  reorder(rows, true, queue);
}

template <class T>
void LineExchange<T>::reorder(FourierNumber<T>* rows, bool back, const Queue& queue) {
  dispatch(location_, Precision::single_precision, [&](auto kind) {
    FourierLaunch<typename decltype(kind)::target, T>::reorder(split_, rows, packed_.as<FourierNumber<T>>(),
                                                               back, total_, queue);
  });
}

template <class T>
void LineExchange<T>::exchange(bool back, const Queue& queue) {
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
  line_.all_to_all(sent.as<T>(), back ? whole : packed, got.as<T>(), back ? packed : whole);
  if (staged) queue.copy_async(to.data(), got.data(), to.bytes());
}

template class LineExchange<float>;
template class LineExchange<double>;

}  // namespace plaq
