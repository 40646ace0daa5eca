// Aggregates: boxes of sites, and of these the components of one chirality (Clark et al. 2016, section 3.4).
// Every aggregate of the fine lattice has, for each near-null vector, one component of a coarse site.
//
// A fine site has `components` complex numbers, chirality after chirality: spinors in the DeGrand-Rossi basis
// have spins 0, 1, then 2, 3; coarse vectors of N near-null vectors N, then N. With one
// chirality all components are together.
//
// Rows of an aggregate, slowest first: chirality, parity of the fine site, its place in the block
// (core/lattice/blocking.hpp), component. A block of an odd number of sites has
// rows without a site, which are 0.
#pragma once

#include "core/field/field.hpp"
#include "core/lattice/blocking.hpp"

namespace plaq {

// Rows of aggregates, for kernels.
struct AggregateRows {
  BlockMap map;
  int parities = 2;  // of the fine lattice
  int chiralities = 2;
  int components = 12;  // of a fine site

  PLAQ_HD int half() const { return components / chiralities; }  // of a chirality
  PLAQ_HD int places() const { return map.places(); }
  PLAQ_HD int of_parity() const { return places() * half(); }  // rows of a chirality and a parity
  PLAQ_HD int of_chirality() const { return parities * of_parity(); }
  PLAQ_HD int all() const { return chiralities * of_chirality(); }
  PLAQ_HD int row(int chirality, int parity, int place, int component_of_chirality) const {
    return ((chirality * parities + parity) * places() + place) * half() + component_of_chirality;
  }
};

class Aggregation {
 public:
  // Throws Error(job_file) unless the block divides the local extents; 1 does.
  Aggregation(GeometryPtr fine, const Extents& block, int components, int chiralities = 2);

  const Geometry& fine() const { return blocking_.fine(); }
  const Geometry& coarse() const { return blocking_.coarse(); }
  const GeometryPtr& coarse_ptr() const { return blocking_.coarse_ptr(); }
  const Blocking& blocking() const { return blocking_; }
  const AggregateRows& rows() const { return rows_; }
  int chiralities() const { return rows_.chiralities; }
  int components() const { return rows_.components; }
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
