// Halos of a hopping term, one for each size of batch that it is applied to.
#pragma once

#include <map>
#include <memory>

#include "comms/halo/halo.hpp"

namespace plaq {

// Faces of `reals` a site in the form that hopping terms send: computing precision, of half precision with
// the scale of the site beside it, or 16-bit numbers.
HaloSpec hop_halo_spec(int reals, Precision precision, int batch, Location location, bool short_faces);

class HopHalos {
 public:
  // The grid must outlive this object.
  HopHalos(const ProcessGrid& grid, std::shared_ptr<Transport> transport)
      : grid_(&grid), transport_(std::move(transport)) {}

  const std::shared_ptr<Transport>& transport() const { return transport_; }
  bool short_faces() const { return short_faces_; }
  // Before the first exchange; not in double precision.
  void set_short_faces(bool wanted, Precision precision);
  // Halo for batches of spec.batch, made when it is first asked for.
  Halo& of(const GeometryPtr& geometry, const HaloSpec& spec);

 private:
  const ProcessGrid* grid_;
  std::shared_ptr<Transport> transport_;
  bool short_faces_ = false;
  std::map<int, std::unique_ptr<Halo>> halos_;  // by batch
};

}  // namespace plaq
