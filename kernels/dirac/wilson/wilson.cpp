#include "kernels/dirac/wilson/wilson.hpp"

#include "core/launch/dispatch.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "kernels/dirac/hop/hop_launch.hpp"
#include "kernels/dirac/twist/twist.hpp"
#include "kernels/gauge/link_storage_launch.hpp"

namespace plaq {
namespace {

const char* name_of_hop(const LinkStorage& storage) {
  static constexpr const char* names[][3] = {
      {"wilson_hop half 18", "wilson_hop half 12", "wilson_hop half 8"},
      {"wilson_hop single 18", "wilson_hop single 12", "wilson_hop single 8"},
      {"wilson_hop double 18", "wilson_hop double 12", "wilson_hop double 8"}};
  const int row = storage.precision == Precision::half_precision     ? 0
                  : storage.precision == Precision::single_precision ? 1
                                                                     : 2;
  return names[row][storage.reconstruction == 18 ? 0 : storage.reconstruction == 12 ? 1 : 2];
}

}  // namespace

WilsonHopping::WilsonHopping(const ProcessGrid& grid, const Field& gauge, const WilsonParameters& parameters,
                             const LinkStorage& storage, const Queue& queue,
                             std::shared_ptr<Transport> transport, int rotated_parity)
    : grid_(&grid),
      parameters_(parameters),
      rotated_(storage.reconstruction == 8 ? fourier_rotation(rotated_parity) : ColorRotation{}),
      halos_(grid, std::move(transport)),
      schedule_(queue, name_of_hop(storage)) {
  require(gauge.geometry().halo_depth() == 0, "a Dirac operator takes its gauge field without halo");
  links_ = store_links_on_all(grid, gauge, storage, rotation(), queue);
  for (int mu = 0; mu < 4; ++mu) {
    const double weight = mu == 3 ? 1.0 : parameters.nu / parameters.xi;
    for (const bool forward : {true, false}) {
      const int d = directed(mu, forward);
      weights_.inside[d] = weight;
      const bool global_edge = (geometry()->shape().at_global_edge >> d) & 1u;
      weights_.across[d] = global_edge ? weight * parameters.boundary[static_cast<std::size_t>(mu)] : weight;
    }
  }
  find_unit_links();
}

// Looks at the links in storage, which kernels would read.
void WilsonHopping::find_unit_links() {
  if (links_.spec().reals() == 8) return;
  const std::uint32_t edges = geometry()->shape().at_global_edge;
  const bool last = (edges >> directed(3, true)) & 1u, first = (edges >> directed(3, false)) & 1u;
  const int slices = geometry()->local()[3] - (last ? 1 : 0);
  const double other = dispatch_storage(location(), precision(), [&](auto kind) {
    using K = decltype(kind);
    return with_reconstruction(links_.spec().reals(), [&](auto reconstruction) -> double {
      if constexpr (reconstruction() == 8) {
        return 1;
      } else {
        return launch_time_link_deviation<typename K::target, typename K::scalar, reconstruction()>(
            links_, slices, queue());
      }
    });
  });
  if (global_max(*grid_, other) != 0) return;
  if (runs_dry() && !DryRun::current()->unit_time_links()) return;
  weights_.unit_inside = true;
  weights_.unit_across[0] = !last;
  weights_.unit_across[1] = !first;
}

HaloSpec WilsonHopping::halo_spec(Precision precision, int batch, Location location, bool short_faces) {
  return hop_halo_spec(12, precision, batch, location, short_faces);
}

Halo& WilsonHopping::halo(int batch) {
  return halos_.of(geometry(), halo_spec(precision(), batch, location(), halos_.short_faces()));
}

void WilsonHopping::apply(Field& out, const Field& in, int parity, bool dagger, const ActiveSet& active,
                          const HopSum& sum) {
  rotated_.apply(out, in, parity, active, sum, queue(),
                 [&](Field& result, const Field& from, const HopSum& mine) {
                   apply_stored(result, from, parity, dagger, active, mine);
                 });
}

WilsonHopCall WilsonHopping::call(Field& out, const Field& in, int parity, bool dagger,
                                  const ActiveSet& active, const HopSum& sum) {
  require(active.batch() == in.subfields() && out.subfields() == in.subfields() &&
              (sum.add == nullptr || sum.add->subfields() == in.subfields()),
          "batches of different size in one hopping term");
  WilsonHopCall call;
  call.links = &links_;
  call.in = &in;
  call.add = sum.add;
  call.out = &out;
  call.halo = &halo(in.subfields());
  call.weights = sum.hop == HopSum::all_hops ? weights_ : weights_.only(sum.hop);
  call.projector_sign = dagger ? 1 : -1;
  call.a = sum.a;
  call.b = sum.b;
  call.parity = parity;
  call.active = active;
  call.clover = sum.clover;
  call.clover_on_add = sum.clover_on_add;
  return call;
}

void WilsonHopping::apply_stored(Field& out, const Field& in, int parity, bool dagger,
                                 const ActiveSet& active, const HopSum& sum) {
  const WilsonHopCall call = this->call(out, in, parity, dagger, active, sum);
  if (active.count() == 0) return;
  const HaloWork work = halo_work(in, active, sum);
  dispatch_storage(location(), precision(), [&](auto kind) {
    using K = decltype(kind);
    with_reconstruction(links_.spec().reals(), [&](auto reconstruction) {
      using Launch = HopLaunch<WilsonHopCall, typename K::target, typename K::scalar, reconstruction()>;
      apply_hop<Launch>(schedule_, halo(in.subfields()), work, call);
    });
  });
}

HaloWork WilsonHopping::halo_work(const Field& in, const ActiveSet& active, const HopSum& sum) const {
  const int count = active.count();
  HaloWork work;
  work.kernel = {name_of_hop(storage()),
                 sum.clover != nullptr ? "clover_operator"
                 : sum.of_operator     ? "wilson_operator"
                                       : "wilson_hop",
                 in.precision(),
                 storage().reconstruction,
                 count,
                 temporal_gauge(),
                 this->work(count, sum.add != nullptr, sum.clover != nullptr)};
  work.packed_bytes = 2 * count * site_bytes(in) + storage().reconstruction * bytes_of(precision());
  work.fusible = may_be_fused(count);
  return work;
}

Work WilsonHopping::work(int batch, bool with_add, bool with_clover) const {
  const double sites = static_cast<double>(geometry()->local_volume()) / 2;
  const double real = bytes_of(precision());
  const bool half = precision() == Precision::half_precision;
  const double spinor = 24 * real + (half ? 4 : 0), blocks = 72 * real + (half ? 8 : 0);
  // Eight links once for each of the two sites that they join, in temporal gauge those in space and of the
  // last slice; each neighbour spinor fetched once, one stored.
  const double links = temporal_gauge() ? 6 + 2.0 / geometry()->global()[3] : 8;
  return {sites * batch * (1320 + (with_add ? 48 : 0) + (with_clover ? 504 : 0)),
          sites * (links * links_.spec().reals() * real + (with_clover ? blocks : 0) +
                   batch * (with_add ? 3 : 2) * spinor)};
}

CloverBlocksPtr make_clover_blocks(const ProcessGrid& grid, const Field& gauge, const WilsonHopping& hopping,
                                   CloverNeed need, int parity, CloverField* plain) {
  const WilsonParameters& parameters = hopping.parameters();
  if (!parameters.has_clover()) return nullptr;
  std::unique_ptr<CloverField> made;
  if (plain == nullptr || hopping.rotation().parity >= 0) {
    const Field stored = store_links_on_all(grid, gauge, {Precision::double_precision, 18},
                                            hopping.rotation(), hopping.queue());
    made = std::make_unique<CloverField>(grid, stored, parameters.diagonal(), parameters.clover,
                                         hopping.queue(), hopping.transport(), parameters.twisted_mass);
    plain = made.get();
  }
  auto blocks = std::make_shared<CloverBlocks>();
  if (need != CloverNeed::schur_symmetric) blocks->term = clover_blocks(plain->term(), hopping.precision());
  for (int p = 0; p < 2; ++p)
    if (need == CloverNeed::schur_symmetric || (need == CloverNeed::schur_asymmetric && p != parity)) {
      blocks->inverse[p] = clover_blocks(plain->inverse(p), hopping.precision());
      if (parameters.twisted_mass != 0)
        blocks->inverse_twist[p] = clover_blocks(plain->inverse_twist(p), hopping.precision());
    }
  return blocks;
}

SiteDiagonal site_diagonal(const WilsonParameters& parameters, const CloverBlocks* clover) {
  auto diagonal = SiteDiagonal::number(parameters.diagonal(), parameters.twisted_mass);
  if (clover != nullptr) diagonal.a_blocks = &clover->term;
  return diagonal;
}

SiteDiagonal inverse_site_diagonal(const WilsonParameters& parameters, const CloverBlocks* clover,
                                   int parity) {
  if (clover == nullptr) return SiteDiagonal::inverse_number(parameters.diagonal(), parameters.twisted_mass);
  if (parameters.twisted_mass == 0) return {1, 0, &clover->inverse[parity]};
  return {1, -1, &clover->inverse[parity], &clover->inverse_twist[parity]};
}

WilsonOperator::WilsonOperator(WilsonHoppingPtr hopping, CloverBlocksPtr clover)
    : hopping_(std::move(hopping)), clover_(std::move(clover)) {
  require(hopping_->parameters().has_clover() == (clover_ != nullptr && clover_->term),
          "a Wilson operator was made with another clover term than its parameters'");
}

FieldSpec WilsonOperator::spec(int batch) const {
  return spinor_spec(Subset::full, batch, hopping_->precision(), hopping_->location());
}

Work WilsonOperator::work(int batch) const {
  Work w = hopping_->work(batch, true, clover_ != nullptr);
  if (twisted()) w += site_diagonal_work(*geometry(), hopping_->precision(), {}, batch, true);
  return {2 * w.flops, 2 * w.bytes};
}

void WilsonOperator::add_own_twist(Field& out, const Field& in, int parity, bool dagger,
                                   const ActiveSet& active) {
  const double mu = hopping_->parameters().twisted_mass;
  if (twisted()) add_twist(out, in, dagger ? -mu : mu, parity, active, queue());
}

void WilsonOperator::apply_part(Field& out, const Field& in, int part, const ActiveSet& active) {
  HopSum sum{0, &in, -0.5};
  if (part == site_part)
    sum = clover_ ? HopSum{1, &in, -0.5, &clover_->term, true}
                  : HopSum{hopping_->parameters().diagonal(), &in, -0.5};
  sum.hop = part;
  for (int parity = 0; parity < 2; ++parity) {
    hopping_->apply(out, in, parity, false, active, sum);
    if (part == site_part) add_own_twist(out, in, parity, false, active);
  }
}

void WilsonOperator::run(Field& out, const Field& in, bool dagger, const ActiveSet& active) {
  HopSum sum = clover_ ? HopSum{1, &in, -0.5, &clover_->term, true}
                       : HopSum{hopping_->parameters().diagonal(), &in, -0.5};
  sum.of_operator = true;
  for (int parity = 0; parity < 2; ++parity) {
    hopping_->apply(out, in, parity, dagger, active, sum);
    add_own_twist(out, in, parity, dagger, active);
  }
}

}  // namespace plaq
