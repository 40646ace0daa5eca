// Quark fields that a force reads: several pairs in one pass over the links, on their geometry, with a halo.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "comms/halo/extended_halo.hpp"

namespace plaq {

// Collects pairs until there are batch() of them. Field j of pair i is subfield j batch() + i of all().
class PairsOnLinks {
 public:
  // `one`: a field of a pair, on all sites. `geometry`: of the links, extended by at least 1 where directions
  // are split. `per_pair`: fields of a pair, 1 or 2. `batch`: 1 to 16. The grid must outlive this object.
  PairsOnLinks(const ProcessGrid& grid, GeometryPtr geometry, FieldSpec one, int per_pair, int batch,
               const Queue& queue, std::shared_ptr<Transport> transport);

  int batch() const { return batch_; }
  bool empty() const { return weights_.empty(); }
  // One for each pair that was collected.
  const std::vector<double>& weights() const { return weights_; }
  const Field& all() const { return all_; }

  void clear() { weights_.clear(); }
  // Adds a pair for each right-hand side of `fields`, which may have no halo and may change afterwards. Calls
  // `read` where a batch is complete, and forgets it then. Waits for the queue.
  void add(const std::vector<const Field*>& fields, double weight, const std::function<void()>& read);
  // Puts another field, of one right-hand side, in the place of field j of the last pair. Waits for the
  // queue.
  void replace_last(std::size_t j, const Field& field);
  // Fills the halo. Collective.
  void exchange();

 private:
  const Field& on_links(std::size_t j, const Field& field);

  Queue queue_;
  int batch_;
  Field all_;
  std::array<Field, 2> on_the_way_;  // fields of a pair from a lattice without halo
  std::vector<double> weights_;
  ExtendedHalo halo_;
};

// All subfields travel.
ExtendedHaloContent whole_content(int subfields);

}  // namespace plaq
