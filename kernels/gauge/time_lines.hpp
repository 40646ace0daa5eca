// Products of links along lines in time, on their way from rank to rank: through host memory, since it is a
// slice of links once.
#pragma once

#include "comms/grid/process_grid.hpp"
#include "core/field/field.hpp"

namespace plaq {

// One 3x3 matrix for each line of a gauge field, by parity of its first site and number on the face
// (LatticeShape::face_index), at the field's location and in its precision.
class TimeLines {
 public:
  explicit TimeLines(const Field& gauge);

  void* data(int parity) const { return buffer_.as<char>() + static_cast<std::size_t>(parity) * per_parity_; }
  void receive(const ProcessGrid& grid, int from);
  void send(const ProcessGrid& grid, int to);

 private:
  std::size_t words() const { return staging_.bytes() / sizeof(float); }

  std::size_t per_parity_;
  Buffer buffer_, staging_;
};

}  // namespace plaq
