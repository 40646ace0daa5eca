// openQCD keeps all eight links of the odd sites, so that the record of an odd site x with x_mu = 0 on this
// rank holds U_mu(x - mu), which the backward neighbour owns. These links, a face of them in each direction.
#pragma once

#include <array>
#include <vector>

#include "comms/grid/process_grid.hpp"
#include "io/gauge/gauge_links.hpp"

namespace plaq {

class LinkFaces {
 public:
  LinkFaces(const ProcessGrid& grid, const LatticeShape& shape);

  // U_mu(x - mu) of an odd site x of this rank with x_mu = 0.
  Link& link(int mu, const Coordinates& x) {
    return faces_[static_cast<std::size_t>(mu)][static_cast<std::size_t>(shape_.face_index(mu, x))].link;
  }
  // Collective: from their owners, and back to them.
  void fetch(const GaugeLinks& gauge);
  void deliver(const GaugeLinks& gauge);

 private:
  struct Entry {
    Link link;
  };
  using Face = std::vector<Entry>;
  // `away` goes to one neighbour in direction mu, and another one's comes back in its place.
  Face exchange(int mu, bool forward, const Face& away) const;

  const ProcessGrid& grid_;
  LatticeShape shape_;
  std::array<Face, 4> faces_;
};

}  // namespace plaq
