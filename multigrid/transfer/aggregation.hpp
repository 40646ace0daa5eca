// Aggregates: boxes of sites, and of these the components of one chirality (Clark et al. 2016, section 3.4).
// Every aggregate of the fine lattice has, for each near-null vector, one component of a coarse site.
//
// A fine site has `components` complex numbers, chirality after chirality: spinors in the DeGrand-Rossi basis
// have spins 0, 1, then 2, 3; coarse vectors of N near-null vectors N, then N. With one
// chirality all components are together. In five dimensions aggregates have all slices of their sites, so
// that the coarse lattice has four.
//
// Rows of an aggregate, slowest first: chirality, slice, parity of the fine site, its place in the block
// (core/lattice/blocking.hpp), component. A block of an odd number of sites has
// rows without a site, which are 0.
#pragma once

#include <optional>

#include "core/field/field.hpp"
#include "core/lattice/blocking.hpp"

namespace plaq {

// Rows of aggregates, for kernels.
struct AggregateRows {
  BlockMap map;
  int parities = 2;  // of the fine lattice
  int chiralities = 2;
  int components = 12;  // of a slice of a fine site
  int slices = 1;

  PLAQ_HD int half() const { return components / chiralities; }  // of a chirality
  PLAQ_HD int places() const { return map.places(); }
  PLAQ_HD int of_parity() const { return places() * half(); }  // rows of a chirality, a slice and a parity
  PLAQ_HD int of_slice() const { return parities * of_parity(); }
  PLAQ_HD int of_chirality() const { return slices * of_slice(); }
  PLAQ_HD int first_row(int chirality, int slice) const { return (chirality * slices + slice) * of_slice(); }
  // From the first row of a chirality and a slice on.
  PLAQ_HD int row(int parity, int place, int component_of_chirality) const {
    return (parity * places() + place) * half() + component_of_chirality;
  }
};

// The fine sites from which `hop` leads to the next aggregate in the directions in which `across` has a step,
// and stays in this one in its others; or all sites.
struct HopSites {
  bool all = true;
  Coordinates hop{}, across{};
};

class Aggregation {
 public:
  // `components`: of a slice of a fine site. `coarse_order`: of the coarse lattice; none: with a checkerboard
  // where its extents are even. Throws Error(job_file) unless the block divides the local extents; 1 does.
  Aggregation(GeometryPtr fine, const Extents& block, int components, int chiralities = 2, int slices = 1,
              std::optional<LatticeOrder> coarse_order = std::nullopt);

  const Geometry& fine() const { return blocking_.fine(); }
  const Geometry& coarse() const { return blocking_.coarse(); }
  const GeometryPtr& coarse_ptr() const { return blocking_.coarse_ptr(); }
  const Blocking& blocking() const { return blocking_; }
  const AggregateRows& rows() const { return rows_; }
  int chiralities() const { return rows_.chiralities; }
  int components() const { return rows_.components; }
  int slices() const { return rows_.slices; }
  // The most near-null vectors that can be independent within an aggregate.
  int most_vectors() const;

  // Spec of `count` near-null vectors in a transfer: fields on the coarse lattice. A site has all rows of its
  // aggregates, vectors fastest, so that an aggregate is a matrix of rows x vectors.
  FieldSpec vectors_spec(int count, Precision precision, Location location) const;
  // Spec of vectors on the coarse lattice.
  FieldSpec coarse_spec(int count, int batch, Precision precision, Location location) const;

 private:
  Blocking blocking_;
  AggregateRows rows_;
};

}  // namespace plaq
