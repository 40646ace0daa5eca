// Links in the form that Dirac operators read: 18, 12 or 8 reals each, in double, single or half precision
// (core/field/reconstruction.hpp, core/field/fixed16.hpp).
#pragma once

#include "core/field/field.hpp"
#include "core/field/storages.hpp"
#include "core/operator/active_set.hpp"
#include "core/system/error.hpp"
#include "kernels/site/link_compression.hpp"

namespace plaq {

class ProcessGrid;

// Links that cannot be stored as asked for: Error(input_file), with what stores them instead.
class LinkStorageError : public Error {
 public:
  // none: a link is not a number. reconstruction: 18 reals store any matrix. precision: a higher one does.
  enum class Remedy : int { none, reconstruction, precision };
  LinkStorageError(const std::string& message, Remedy remedy)
      : Error(ErrorKind::input_file, message), remedy_(remedy) {}
  Remedy remedy() const { return remedy_; }

 private:
  Remedy remedy_;
};

// The gauge in which links of eight reals are stored: R on the sites of `parity`, R being the 3x3 discrete
// Fourier matrix over the cube root of its determinant. Links near 1 become R or R^dagger, whose N^2 is 2/3:
// far from the place where that form loses accuracy.
ColorRotation fourier_rotation(int parity);

// `gauge`: any precision and location, without halo. The result is at the queue's location, in the gauge that
// `rotation` says. 18 reals in single or double precision store any matrix. Throws LinkStorageError where 12
// or 8 reals are asked for links that are not SU(3) within 1e-3 (a boundary sign inside of them?), 8 reals
// for one that is singular in this form, or half precision for components beyond [-1, 1]; for NaN in any of
// these. Waits for the end; collective over nothing: each rank checks its own links.
Field store_links(const Field& gauge, const LinkStorage& storage, const ColorRotation& rotation,
                  const Queue& queue);

// Collective over the grid: the same, and one rank's refusal is everybody's.
Field store_links_on_all(const ProcessGrid& grid, const Field& gauge, const LinkStorage& storage,
                         const ColorRotation& rotation, const Queue& queue);

// Largest deviation of any component of the stored links from `gauge`, on this rank; NaN where one is.
double link_storage_error(const Field& stored, const Field& gauge, const ColorRotation& rotation,
                          const Queue& queue);

// Spinors or staggered vectors: out = R in (dagger: R^dagger in) on the sites of `parity` for the active
// right-hand sides; out may be in.
void rotate_color(Field& out, const Field& in, int parity, const ColorRotation& rotation, bool dagger,
                  const ActiveSet& active, const Queue& queue);

}  // namespace plaq
