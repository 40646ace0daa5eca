// Linear operators between fields, of one right-hand side or a batch: the interface that solvers see.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/field/field.hpp"
#include "core/launch/queue.hpp"
#include "core/operator/active_set.hpp"

namespace plaq {

// Work of one application to a batch on this rank's part of the lattice, in the usual effective counts: flops
// as the field quotes them, and the fewest bytes that must move (links once for all right-hand sides).
struct Work {
  double flops = 0, bytes = 0;
  Work& operator+=(const Work& more) {
    flops += more.flops;
    bytes += more.bytes;
    return *this;
  }
};
inline Work operator+(Work a, const Work& b) { return a += b; }
inline Work operator*(double times, const Work& w) { return {times * w.flops, times * w.bytes}; }

class LinearOperator {
 public:
  virtual ~LinearOperator() = default;

  virtual const GeometryPtr& geometry() const = 0;
  virtual FieldSpec spec(int batch) const = 0;  // of its arguments and results
  virtual const Queue& queue() const = 0;
  virtual Work work(int batch) const = 0;  // of `batch` active right-hand sides
  // Number of the state of its exchanges if applications to such a batch may be captured into a CUDA graph:
  // a captured graph may run only in the state that it was captured in (Exchange::capturable). Negative: they
  // may not be captured.
  virtual int capturable(int /*batch*/) { return -1; }

  // out = A in for the active right-hand sides, the others of `out` are left alone; `out` must be another
  // field than `in`. Queued, collective.
  void apply(Field& out, const Field& in, const ActiveSet& active) { run(out, in, false, active); }
  void apply_dagger(Field& out, const Field& in, const ActiveSet& active) { run(out, in, true, active); }
  // Applies to all right-hand sides.
  void apply(Field& out, const Field& in) { run(out, in, false, ActiveSet(in.batch())); }
  void apply_dagger(Field& out, const Field& in) { run(out, in, true, ActiveSet(in.batch())); }

 private:
  virtual void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) = 0;
};

// Steps from a site in x, y, z, t.
using Offset = std::array<int, 4>;

// Operators on whole lattices that can be taken apart into hops: what the Galerkin product of multigrid needs
// of them. M is the sum of its parts.
class StencilOperator : public LinearOperator {
 public:
  // Steps from a site to the one from which each part takes what it gives there; none twice.
  virtual const std::vector<Offset>& offsets() const = 0;
  // out = M_part in for the active right-hand sides; `out` is another field than `in`. Queued, collective.
  virtual void apply_part(Field& out, const Field& in, int part, const ActiveSet& active) = 0;
  // Two where Gamma5 M Gamma5 = M^dagger, Gamma5 being -1 on the second half of a site's components; else
  // one.
  virtual int chiralities() const { return 2; }
};

// Nine parts: directed hops, 2 mu to the neighbour ahead, 2 mu + 1 to the one behind, and what stays at a
// site.
class NearestNeighborOperator : public StencilOperator {
 public:
  static constexpr int hop_parts = 8, site_part = 8, parts = 9;
  static const std::vector<Offset>& nearest() {
    static const std::vector<Offset> all = [] {
      std::vector<Offset> offsets(parts, Offset{});
      for (std::size_t hop = 0; hop < hop_parts; ++hop) offsets[hop][hop / 2] = hop % 2 == 0 ? 1 : -1;
      return offsets;
    }();
    return all;
  }
  const std::vector<Offset>& offsets() const override { return nearest(); }
};

// Combines the states of exchanges that a captured graph depends on (LinearOperator::capturable).
// Other states give another number, but for a chance of 1 in 2^31. Negative if one of them may not be
// captured.
constexpr int both_states(int a, int b) {
  if (a < 0 || b < 0) return -1;
  const std::uint64_t mixed =
      (static_cast<std::uint64_t>(a) * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(b)) *
      0xd6e8feb86659fd93u;
  return static_cast<int>(mixed >> 33);
}

}  // namespace plaq
