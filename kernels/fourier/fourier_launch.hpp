// Kernels of Fourier transforms over a lattice: lines of sites that are split over ranks change their order,
// and the stages of transforms on a device.
#pragma once

#include <cstdint>

#include "core/lattice/lattice_box.hpp"
#include "core/launch/queue.hpp"
#include "kernels/fourier/fourier_stage.hpp"

namespace plaq {

// Lines of sites in a direction that is split over `parts` ranks: line l = outer * stride + inner of element
// (outer * extent + position) * stride + inner. Part k takes lines begin(k) .. begin(k+1) - 1 whole. Packed,
// a rank's elements are by part, position, line; so what a part receives is by position in the whole lattice,
// and line.
struct SplitLines {
  int extent = 1, stride = 1, lines = 1, parts = 1;
  Divisor by_extent, by_stride;

  SplitLines() = default;
  SplitLines(int extent_, int stride_, int total, int parts_)
      : extent(extent_),
        stride(stride_),
        lines(total / extent_),
        parts(parts_),
        by_extent(static_cast<std::uint32_t>(extent_)),
        by_stride(static_cast<std::uint32_t>(stride_)) {}
  PLAQ_HD int begin(int part) const {
    return static_cast<int>(static_cast<std::int64_t>(part) * lines / parts);
  }
  PLAQ_HD int part_of(int line) const {
    return static_cast<int>(((static_cast<std::int64_t>(line) + 1) * parts - 1) / lines);
  }
  // The element of position 0 of a line.
  PLAQ_HD int first_of(int line) const {
    const auto outer = static_cast<int>(by_stride.divide(static_cast<std::uint32_t>(line)));
    return line + outer * stride * (extent - 1);
  }
};

template <class Target, class T>
struct FourierLaunch {
  // packed = the elements of `rows` in their other order, or back.
  static void reorder(const SplitLines& lines, FourierNumber<T>* rows, FourierNumber<T>* packed, bool back,
                      int total, const Queue& queue);
  // One stage of lines in direction n of an array [outer][n][inner] of `total` numbers.
  // `roots`: at the queue's location.
  static void stage(const FourierStage& stage, int inner, int total, const FourierNumber<T>* roots,
                    bool forward, const FourierNumber<T>* from, FourierNumber<T>* to, const Queue& queue);
  // Divides numbers by a positive one.
  static void divide(FourierNumber<T>* data, int total, T by, const Queue& queue);
};

}  // namespace plaq
