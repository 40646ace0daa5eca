#include "plaq/fourier.hpp"

#include "comms/start/shared_lattice.hpp"
#include "core/field/stored_sites.hpp"
#include "kernels/fourier/lattice_transform.hpp"

namespace plaq {
namespace {

std::uint32_t bits_of(const std::array<bool, 4>& directions) {
  std::uint32_t bits = 0;
  for (std::size_t mu = 0; mu < 4; ++mu)
    if (directions[mu]) bits |= 1u << mu;
  return bits;
}

// Transforms all subfields of `in`, which has two T for a complex number.
template <class T>
void transform_field(const SharedLattice& lattice, Field& out, const Field& in,
                     const FourierSettings& settings) {
  const Geometry& geometry = *lattice.geometry;
  SiteBox box;
  box.shape = geometry.general_shape();
  const LatticeTransform<T> transform(*lattice.grid, geometry,
                                      static_cast<std::size_t>(in.spec().reals() / 2),
                                      bits_of(settings.directions), lattice.location());
  const Buffer array(lattice.location(), packed_bytes(in.spec(), box));
  const ActiveSet all(in.subfields());
  for (int k = 0; k < in.subfields(); ++k) {
    pack_sites(in, box, all.part(k, 1), array.data(), lattice.queue, PackedOrder::lexicographic);
    transform.run(array.data(), !settings.backward, lattice.queue);
    unpack_sites(out, box, all.part(k, 1), array.data(), lattice.queue, PackedOrder::lexicographic);
  }
  lattice.queue.synchronize();
  out.touch();
}

}  // namespace

SpinorField fourier_transform(const SpinorField& field, const FourierSettings& settings) {
  SpinorField found(field.lattice(), field.settings());
  const auto transform =
      field.precision() == Precision::single_precision ? transform_field<float> : transform_field<double>;
  transform(field.lattice().shared(), found.field(), field.field(), settings);
  return found;
}

ColorMatrixField fourier_transform(const ColorMatrixField& field, const FourierSettings& settings) {
  ColorMatrixField found(field.lattice());
  transform_field<double>(field.lattice().shared(), found.field(), field.field(), settings);
  return found;
}

template <class T>
void detail::transform_sites(const Lattice& lattice, std::complex<T>* values, std::size_t count,
                             std::size_t numbers, const FourierSettings& settings) {
  const SharedLattice& shared = lattice.shared();
  const LatticeTransform<T> transform(*shared.grid, *shared.geometry, numbers, bits_of(settings.directions),
                                      Location::host);
  const std::size_t size = static_cast<std::size_t>(lattice.local_volume()) * numbers;
  for (std::size_t k = 0; k < count; ++k)
    transform.run(values + k * size, !settings.backward, Queue(Location::host));
}

template void detail::transform_sites(const Lattice&, std::complex<float>*, std::size_t, std::size_t,
                                      const FourierSettings&);
template void detail::transform_sites(const Lattice&, std::complex<double>*, std::size_t, std::size_t,
                                      const FourierSettings&);

}  // namespace plaq
