// Problems of staggered fermions, between plaq's fields and the reference's, and how far off each storage may
// be.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "kernels/dirac/staggered/staggered_schur.hpp"
#include "tests/kernels/dirac/wilson/wilson_storage_support.hpp"
#include "tests/reference/staggered.hpp"

namespace plaq::test {

using ColorBatch = std::vector<reference::ColorField>;

// A batch of staggered vectors; in half precision each site is rounded from double as copy() does it.
inline Field to_plaq(const ColorBatch& batch, GeometryPtr geometry, Subset subset, Precision precision,
                     Location location) {
  const int subfields = static_cast<int>(batch.size());
  Field host(geometry, staggered_spec(subset, subfields, Precision::double_precision, Location::host));
  for_stored_sites(*geometry, [&](int parity, int s, int site) {
    if (!host.holds(parity)) return;
    for (int subfield = 0; subfield < subfields; ++subfield)
      for (int color = 0; color < 3; ++color) {
        const auto z = batch[static_cast<std::size_t>(subfield)][static_cast<std::size_t>(site)]
                            [static_cast<std::size_t>(color)];
        set_real(host, subfield, parity, s, 2 * color, z.real());
        set_real(host, subfield, parity, s, 2 * color + 1, z.imag());
      }
  });
  Field field(geometry, staggered_spec(subset, subfields, precision, location));
  copy(field, host);
  return field;
}

// This rank's sites that the field holds, 0 elsewhere.
inline ColorBatch to_reference(const Field& field) {
  const Field host = on_host(field);
  const auto volume = static_cast<std::size_t>(field.geometry().global_volume());
  ColorBatch batch(static_cast<std::size_t>(host.subfields()), reference::ColorField(volume));
  for_stored_sites(host.geometry(), [&](int parity, int s, int site) {
    if (!host.holds(parity)) return;
    for (int subfield = 0; subfield < host.subfields(); ++subfield)
      for (int color = 0; color < 3; ++color)
        batch[static_cast<std::size_t>(subfield)][static_cast<std::size_t>(site)]
             [static_cast<std::size_t>(color)] = {get_real(host, subfield, parity, s, 2 * color),
                                                  get_real(host, subfield, parity, s, 2 * color + 1)};
  });
  return batch;
}

// Over this rank's sites that the field holds, relative to the largest component that is expected there.
inline Deviation deviation(const Field& field, const ColorBatch& expected) {
  const ColorBatch found = to_reference(field);
  double most = 0, squares = 0, largest = 0;
  std::int64_t count = 0;
  for_stored_sites(field.geometry(), [&](int parity, int, int site) {
    if (!field.holds(parity)) return;
    for (std::size_t subfield = 0; subfield < found.size(); ++subfield)
      for (std::size_t c = 0; c < 3; ++c) {
        const auto want = expected[subfield][static_cast<std::size_t>(site)][c];
        const double off = std::abs(found[subfield][static_cast<std::size_t>(site)][c] - want);
        most = off <= most ? most : off;
        largest = std::max(largest, std::abs(want));
        squares += off * off;
        ++count;
      }
  });
  return {most / largest, std::sqrt(squares / static_cast<double>(count)) / largest};
}

struct StaggeredProblem {
  bool improved = false;
  reference::StaggeredLinks links;
  ColorBatch in;
  StaggeredParameters ours;
  reference::StaggeredParameters theirs;
};

// Random SU(3) links; improved: any matrices as fat links, random SU(3) ones as long links.
inline StaggeredProblem make_staggered(const Extents& extents, bool improved, int batch,
                                       std::array<int, 4> boundary = {-1, 1, -1, -1}) {
  reference::Generator generator(57);
  const reference::Lattice lattice{extents};
  StaggeredProblem p{improved,
                     {improved ? reference::random_matrices(lattice, generator)
                               : reference::random_gauge(lattice, generator),
                      reference::random_gauge(lattice, generator)},
                     {},
                     {},
                     {}};
  for (int i = 0; i < batch; ++i) p.in.push_back(reference::random_colors(lattice, generator));
  p.ours.mass = p.theirs.mass = 0.37;
  p.ours.boundary = p.theirs.boundary = boundary;
  if (improved) p.ours.naik = p.theirs.naik = -0.3;
  return p;
}

inline StaggeredHoppingPtr make_staggered_hopping(const StaggeredProblem& p, const ProcessGrid& grid,
                                                  const GeometryPtr& g, const LinkStorage& storage,
                                                  const Queue& queue, int rotated_parity = 1) {
  const auto field = [&](const reference::GaugeField& links) {
    return to_plaq(links, g, Precision::double_precision, Location::host);
  };
  auto transport = make_host_transport(grid, queue.location());
  if (!p.improved)
    return std::make_shared<StaggeredHopping>(grid, field(p.links.near), p.ours, storage, queue,
                                              std::move(transport), rotated_parity);
  return std::make_shared<StaggeredHopping>(grid, field(p.links.near), field(p.links.far), p.ours, storage,
                                            queue, std::move(transport), rotated_parity);
}

// Whether faces of three slices fit.
inline bool fits(const StaggeredProblem& p, const Geometry& g) {
  for (int mu = 0; mu < 4; ++mu)
    if (p.improved && g.partitioned(mu) && g.local()[static_cast<std::size_t>(mu)] < 4) return false;
  return true;
}

// Of one application to random links and vectors.
inline constexpr StorageBound staggered_bounds[] = {
    {Precision::double_precision, 18, 2e-15, 2e-16}, {Precision::double_precision, 12, 2e-15, 2e-16},
    {Precision::double_precision, 8, 1e-14, 6e-16},  {Precision::single_precision, 18, 6e-7, 7e-8},
    {Precision::single_precision, 12, 6e-7, 7e-8},   {Precision::single_precision, 8, 2e-6, 1.2e-7},
    {Precision::half_precision, 18, 8e-5, 2e-5},     {Precision::half_precision, 12, 8e-5, 2e-5},
    {Precision::half_precision, 8, 6e-4, 3e-5},
};

}  // namespace plaq::test
