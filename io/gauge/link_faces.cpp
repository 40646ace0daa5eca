#include "io/gauge/link_faces.hpp"

#include "comms/communicator/collective.hpp"
#include "core/system/dry_run.hpp"

namespace plaq {

LinkFaces::LinkFaces(const ProcessGrid& grid, const LatticeShape& shape) : grid_(grid), shape_(shape) {
  if (runs_dry()) return;
  all_or_none(grid.comm(), [&] {
    for (int mu = 0; mu < 4; ++mu)
      faces_[static_cast<std::size_t>(mu)].resize(static_cast<std::size_t>(shape.face_sites(mu)));
  });
}

LinkFaces::Face LinkFaces::exchange(int mu, bool forward, const Face& away) const {
  const int to = grid_.neighbor(mu, forward), from = grid_.neighbor(mu, !forward);
  if (to == grid_.rank()) return away;
  Face back(away.size());
  grid_.comm().exchange(away, to, back, from, mu,
                        [from] { return "links from rank " + std::to_string(from); });
  return back;
}

void LinkFaces::fetch(const GaugeLinks& gauge) {
  if (runs_dry()) return;
  for (int mu = 0; mu < 4; ++mu) {
    Face& face = faces_[static_cast<std::size_t>(mu)];
#pragma omp parallel for schedule(static)
    for (int i = 0; i < shape_.face_sites(mu); ++i)
      gauge.get(mu, shape_.face_coordinates(0, mu, shape_.extent[mu] - 1, i),
                face[static_cast<std::size_t>(i)].link);
    face = exchange(mu, true, face);
  }
}

void LinkFaces::deliver(const GaugeLinks& gauge) {
  if (runs_dry()) return;
  for (int mu = 0; mu < 4; ++mu) {
    const Face face = exchange(mu, false, faces_[static_cast<std::size_t>(mu)]);
#pragma omp parallel for schedule(static)
    for (int i = 0; i < shape_.face_sites(mu); ++i)
      gauge.put(mu, shape_.face_coordinates(0, mu, shape_.extent[mu] - 1, i),
                face[static_cast<std::size_t>(i)].link);
  }
}

}  // namespace plaq
