#include "kernels/quark/momentum_projection.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "comms/sums/sum_exchange.hpp"
#include "core/launch/dispatch.hpp"
#include "kernels/quark/contraction_launch.hpp"
#include "kernels/quark/plane_wave.hpp"

namespace plaq {
namespace {

int stride_of(const Geometry& geometry) {
  const Extents& extents = geometry.global();
  return *std::max_element(extents.begin(), extents.begin() + 3);
}

// exp(-i p r) of each momentum, direction and distance, as of PhaseTable, at a location.
Buffer phases_of(const std::vector<Momentum>& momenta, const Geometry& geometry,
                 const std::array<int, 3>& half, Location location) {
  const Extents& extents = geometry.global();
  const int stride = stride_of(geometry);
  std::vector<Complex<double>> table(3 * momenta.size() * static_cast<std::size_t>(stride));
  auto* row = table.data();
  for (const Momentum& n : momenta)
    for (std::size_t mu = 0; mu < 3; ++mu, row += stride)
      for (int r = 0; r < extents[mu]; ++r)
        row[r] = half[mu] != 0 ? plane_wave(-(2 * static_cast<std::int64_t>(n[mu]) + 1), r, 2 * extents[mu])
                               : plane_wave(-static_cast<std::int64_t>(n[mu]), r, extents[mu]);
  const std::size_t bytes = MomentumProjection::phase_bytes(geometry, static_cast<int>(momenta.size()));
  Buffer phases(location, bytes);
  copy_bytes(phases.data(), location, table.data(), Location::host, bytes);
  return phases;
}

}  // namespace

std::size_t MomentumProjection::phase_bytes(const Geometry& geometry, int momenta) {
  return sizeof(Complex<double>) * 3 * static_cast<std::size_t>(momenta) *
         static_cast<std::size_t>(stride_of(geometry));
}

MomentumProjection::MomentumProjection(const ProcessGrid& grid, GeometryPtr geometry,
                                       std::vector<Momentum> momenta, const Queue& queue,
                                       const std::array<int, 3>& half)
    : grid_(&grid), geometry_(std::move(geometry)), momenta_(std::move(momenta)), half_(half), queue_(queue) {
  require(geometry_->halo_depth() == 0, "contractions are for fields without halo");
  require(!momenta_.empty(), "a projection onto no momentum");
  stride_ = stride_of(*geometry_);
  phases_ = phases_of(momenta_, *geometry_, half_, queue_.location());
}

Field MomentumProjection::make_density(int channels) const {
  return Field(geometry_, density_spec(channels, queue_.location()));
}

Correlators MomentumProjection::operator()(const Field& density, const Extents& source) const {
  expect_inside(source, *geometry_);
  for (std::size_t mu = 0; mu < 3; ++mu)
    require(half_[mu] == 0 || source[mu] == 0, "phases of antiperiodic fields count from the origin");
  const int channels = density.subfields(), momenta = static_cast<int>(momenta_.size());
  const int slices = geometry_->global()[3];
  const auto inner = static_cast<std::size_t>(channels) * momenta_.size();
  // Most sums of one launch, and of one message of the sum over ranks.
  constexpr std::size_t most = std::numeric_limits<int>::max() / ExactSum::size;
  require(inner < 65536 && 2 * inner * static_cast<std::size_t>(slices) <= most,
          "too many channels times momenta in one projection");
  const int count = sums(*geometry_, channels, momenta);
  SumBuffer buffer(queue_.location(), count);
  buffer.clear(queue_, count);
  dispatch(density.location(), density.precision(), [&](auto kind) {
    using Target = typename decltype(kind)::target;
    launch_momentum_sums<Target>(density, {phases_.as<Complex<double>>(), stride_}, momenta, source, buffer,
                                 queue_);
  });
  const std::vector<double> values = grid_->sums().take(buffer, count, queue_);
  Correlators result(static_cast<std::size_t>(channels));
  for (std::size_t channel = 0; channel < result.size(); ++channel) {
    result[channel].resize(momenta_.size());
    for (std::size_t p = 0; p < momenta_.size(); ++p)
      for (int distance = 0; distance < slices; ++distance) {  // in time from the source
        const auto t = static_cast<std::size_t>((source[3] + distance) % slices);
        const std::size_t i = 2 * ((t * momenta_.size() + p) * result.size() + channel);
        result[channel][p].push_back({values[i], values[i + 1]});
      }
  }
  return result;
}

void multiply_by_plane_wave(Field& field, const Momentum& n, const Extents& source, const Queue& queue) {
  const Geometry& geometry = field.geometry();
  require(geometry.halo_depth() == 0 && field.spec().subset == Subset::full && field.spec().spins == 4 &&
              field.precision() == Precision::double_precision && field.location() == queue.location(),
          "plane waves multiply spinors in double precision without halo, where they are");
  expect_inside(source, geometry);
  const Buffer phases = phases_of({{-n[0], -n[1], -n[2]}}, geometry, {0, 0, 0}, queue.location());
  dispatch(field.location(), field.precision(), [&](auto kind) {
    launch_times_phases<typename decltype(kind)::target>(
        field, {phases.as<Complex<double>>(), stride_of(geometry)}, source, queue);
  });
  queue.synchronize();
  field.touch();
}

Field as_double_propagator(const Field& propagator, const Geometry& like, Location location, int spins) {
  const FieldSpec& spec = propagator.spec();
  require(
      spec.subset == Subset::full && spec.spins == spins && spec.colors == 3 && spec.subfields == 3 * spins,
      "a contraction needs a propagator: a column for each spin and color, on both parities");
  require(&propagator.geometry() == &like && spec.location == location,
          "a contraction and its propagator are of different geometries or locations");
  if (spec.precision == Precision::double_precision) return propagator;
  FieldSpec wide = spec;
  wide.precision = Precision::double_precision;
  Field converted(propagator.geometry_ptr(), wide);
  copy(converted, propagator);
  return converted;
}

}  // namespace plaq
