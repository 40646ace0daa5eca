// What a dry run (core/system/dry_run.hpp) would have computed, sent and added up, so that a model can say how long it
// takes. Each operation writes itself down where it is called: its work, its faces, its sums.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/system/location.hpp"

namespace plaq {

// Operations by what holds them: hopping terms alone, those that also add, as even-odd and full operators have them,
// without and with a clover term; staggered hopping terms, one-link and improved; matrices in the fifth dimension;
// updates of vectors; sweeps of gauge fixing; updates of single links in Markov chains; smearing and flow. Then parts of operations: boundary sites, packing of
// faces, the same in a launch that does all (with whatever else sites with faces cost there). Of multigrid: hops of coarse
// operators, restriction and prolongation, products with dense matrices.
enum class KernelKind {
  wilson_hop,
  wilson_operator,
  clover_operator,
  boundary,
  packing,
  fused_packing,
  vector_update,
  staggered_hop,
  improved_hop,
  fifth_dimension,
  gauge_fixing,
  link_update,
  smearing,
  coarse_hop,
  transfer,
  dense_product
};
inline constexpr std::string_view kernel_kind_names[] = {
    "wilson_hop",    "wilson_operator", "clover_operator", "boundary",        "packing",      "fused_packing",
    "vector_update", "staggered_hop",   "improved_hop",    "fifth_dimension", "gauge_fixing", "link_update",
    "smearing",      "coarse_hop",      "transfer",        "dense_product"};

// Faces of one exchange of a rank, where it lies among the ranks.
struct TapeFaces {
  std::array<double, 8> bytes{};  // to the neighbour ahead in direction mu: [2 mu], behind: [2 mu + 1]
  std::array<int, 4> global{}, grid{1, 1, 1, 1};
  double boundary = 0;   // share of the sites that a neighbour's are needed for
  double packing = 0;    // bytes read to fill the faces
  bool fusible = false;  // packing, exchange and sites may be one launch
  bool apart = false;    // no site is computed meanwhile

  bool any() const;
  bool operator==(const TapeFaces&) const = default;
};

// One operation of this rank: a kernel, an exchange of faces, a kernel with its exchange, or sums over all ranks.
struct TapeStep {
  std::string name;  // "wilson_hop"
  KernelKind kernel = KernelKind::vector_update;
  Precision precision = Precision::double_precision;
  int link_reals = 0;  // 0: no links, or it is no choice
  int vectors = 1;     // right-hand sides, slices and copies
  bool temporal_gauge = false;
  double flops = 0, bytes = 0;  // the usual counts; 0: there is no kernel
  TapeFaces faces;
  int sums = 0;  // so many numbers; 0: none
  // For the sums, which would stay on GPUs otherwise where these may add them; without any, for the end of an
  // iteration.
  bool host_waits = false;
  bool operator==(const TapeStep&) const = default;
};

class Tape {
 public:
  struct Row {
    TapeStep step;
    int count = 0;
  };
  // What is done again and again: an iteration of a solver, a sweep. Nested ones do not count for the outer one.
  struct Section {
    std::string name;
    int ranks = 1;  // that take part
    int passes = 0;
    std::vector<Row> rows;  // of all passes, in the order of their first
  };

  explicit Tape(int ranks) : ranks_(ranks) {}
  void add(const TapeStep& step);
  // What begins from now on is done by so many ranks; returns how many before.
  int set_ranks(int ranks) { return std::exchange(ranks_, ranks); }
  const std::vector<Section>& sections() const { return sections_; }
  // Whether what is done now is part of a section.
  bool in_section() const { return !open_.empty(); }
  const Section* find(std::string_view name) const;

 private:
  friend class TapeSection;
  friend class TapeLabel;
  std::vector<Section> sections_;
  std::vector<std::string> labels_;
  int ranks_;
  std::vector<std::size_t> open_;  // the innermost last
};

// Sections that begin while it lives are of this: their names are "LABEL: NAME".
class TapeLabel {
 public:
  explicit TapeLabel(std::string_view label);
  ~TapeLabel();
  TapeLabel(const TapeLabel&) = delete;
  TapeLabel& operator=(const TapeLabel&) = delete;

 private:
  Tape* tape_ = nullptr;
};

// One pass of a section, from here to the end of the scope; nothing where no dry run is going on.
class TapeSection {
 public:
  explicit TapeSection(std::string_view name);
  ~TapeSection();
  TapeSection(const TapeSection&) = delete;
  TapeSection& operator=(const TapeSection&) = delete;

 private:
  Tape* tape_ = nullptr;
};

}  // namespace plaq
