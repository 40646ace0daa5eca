// Fills the halo of a field on an extended geometry (Geometry::extended) from the ranks that own those
// sites, corners included: staples and clover leaves read them.
#pragma once

#include <memory>

#include "comms/grid/process_grid.hpp"
#include "comms/transport/transport.hpp"
#include "core/field/field.hpp"

namespace plaq {

// Subfields (link directions mu), parities and directions that an exchange sends, as bits. Corners arrive
// only if all directions are sent.
struct ExtendedHaloContent {
  std::uint32_t subfields = 0xf;
  std::uint32_t parities = 0x3;
  std::uint32_t directions = 0xf;
};

class ExtendedHalo {
 public:
  // `geometry` is extended; `like` describes the fields that will be exchanged. Without partitioned
  // directions every call returns at once, and no transport is needed.
  ExtendedHalo(const ProcessGrid& grid, GeometryPtr geometry, const FieldSpec& like,
               std::shared_ptr<Transport> transport);
  ~ExtendedHalo();
  // Bytes of one plane, a subfield and parity of one slice, in direction mu.
  static std::size_t plane_bytes(const Geometry& geometry, const FieldSpec& like, int mu);
  // Bytes of all planes of one side in direction mu, the longest message. 0 where it is not partitioned.
  static std::size_t side_bytes(const Geometry& geometry, const FieldSpec& like, int mu);

  // Collective. Direction by direction, x first, so that corners arrive by two or more hops. Work queued on
  // `queue` before is seen, and work queued after sees the filled halo.
  void exchange(Field& field, const Queue& queue, ExtendedHaloContent content = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace plaq
