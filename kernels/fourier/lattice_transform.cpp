#include "kernels/fourier/lattice_transform.hpp"

#include <string>
#include <utility>

#include "core/launch/dispatch.hpp"
#include "core/system/error.hpp"
#include "kernels/fourier/line_exchange.hpp"
#include "kernels/fourier/line_transform.hpp"

namespace plaq {

static constexpr std::size_t most_numbers = std::size_t{1} << 30;

// Transforms of the lines of an array [outer][n][inner], at either location.
template <class T>
class LatticeTransform<T>::Lines {
 public:
  Lines(Location location, int extent, int inner, int total)
      : location_(location), stages_(fourier_stages(extent)), inner_(inner), total_(total) {
    if (total == 0) return;
    if (location == Location::host) {
      on_host_ = std::make_unique<LineTransform<T>>(extent, inner, total / (inner * extent));
      return;
    }
    const auto roots = fourier_roots<T>(extent);
    roots_ = Buffer(location, roots.size() * sizeof(roots[0]));
    copy_bytes(roots_.data(), location, roots.data(), Location::host, roots_.bytes());
    other_ = Buffer(location, static_cast<std::size_t>(total) * sizeof(FourierNumber<T>));
  }

  void run(FourierNumber<T>* data, bool forward, const Queue& queue) const {
    if (total_ == 0) return;
    if (on_host_) return on_host_->run(data, forward);
    auto *from = data, *to = other_.as<FourierNumber<T>>();
    for (const FourierStage& stage : stages_) {
      dispatch(location_, Precision::single_precision, [&](auto kind) {
        FourierLaunch<typename decltype(kind)::target, T>::stage(
            stage, inner_, total_, roots_.as<FourierNumber<T>>(), forward, from, to, queue);
      });
      std::swap(from, to);
    }
    if (from != data) queue.copy_async(data, from, other_.bytes());
  }

 private:
  Location location_;
  std::vector<FourierStage> stages_;
  int inner_, total_;
  std::unique_ptr<LineTransform<T>> on_host_;
  Buffer roots_, other_;
};

template <class T>
struct LatticeTransform<T>::Direction {
  std::unique_ptr<LineExchange<T>> exchange;  // null: not split over ranks
  std::unique_ptr<Lines> lines;

  void run(FourierNumber<T>* array, bool forward, const Queue& queue) const {
    if (!exchange) return lines->run(array, forward, queue);
    exchange->gather(array, queue);
    lines->run(exchange->whole(), forward, queue);
    exchange->scatter(array, queue);
  }
};

template <class T>
LatticeTransform<T>::LatticeTransform(const ProcessGrid& grid, const Geometry& geometry, std::size_t numbers,
                                      std::uint32_t directions, Location location)
    : location_(location) {
  const auto volume = static_cast<std::size_t>(geometry.local_volume());
  if (numbers > most_numbers / volume)
    throw Error(ErrorKind::usage, "a Fourier transform of " + std::to_string(numbers) +
                                      " numbers a site on " + std::to_string(volume) +
                                      " sites of a rank: at most " + std::to_string(most_numbers) +
                                      " numbers a rank are possible; share the lattice by more ranks");
  total_ = static_cast<int>(volume * numbers);
  int inner = static_cast<int>(numbers);
  for (int mu = 0; mu < 4; ++mu) {
    const auto m = static_cast<std::size_t>(mu);
    const int whole = geometry.global()[m], local = geometry.local()[m];
    if (((directions >> mu) & 1u) != 0) {
      auto direction = std::make_unique<Direction>();
      if (whole == local) {
        direction->lines = std::make_unique<Lines>(location, whole, inner, total_);
      } else {
        direction->exchange =
            std::make_unique<LineExchange<T>>(grid, mu, whole, LineArray{local, inner, total_}, location);
        direction->lines = std::make_unique<Lines>(location, whole, direction->exchange->line_count(),
                                                   direction->exchange->whole_size());
      }
      transformed_.push_back(std::move(direction));
      volume_ *= whole;
    }
    inner *= local;
  }
}

template <class T>
LatticeTransform<T>::~LatticeTransform() = default;

template <class T>
void LatticeTransform<T>::run(void* array, bool forward, const Queue& queue) const {
  auto* data = static_cast<FourierNumber<T>*>(array);
  for (const auto& direction : transformed_) direction->run(data, forward, queue);
  if (!forward)
    dispatch(location_, Precision::single_precision, [&](auto kind) {
      FourierLaunch<typename decltype(kind)::target, T>::divide(data, total_, static_cast<T>(volume_), queue);
    });
}

template class LatticeTransform<float>;
template class LatticeTransform<double>;

}  // namespace plaq
