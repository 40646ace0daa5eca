#include "kernels/dirac/wilson.hpp"

#include "core/dispatch.hpp"
#include "core/error.hpp"

namespace plaq {

WilsonHopping::WilsonHopping(const ProcessGrid& grid, const Field& gauge, const WilsonParameters& parameters,
                             Precision precision, const Queue& queue, std::shared_ptr<Transport> transport)
    : grid_(&grid),
      parameters_(parameters),
      links_(gauge.geometry_ptr(), gauge_spec(precision, queue.location())),
      transport_(std::move(transport)),
      schedule_(queue) {
  require(gauge.geometry().halo_depth() == 0, "a Dirac operator takes its gauge field without halo");
  copy(links_, gauge);
  for (int mu = 0; mu < 4; ++mu) {
    const double weight = mu == 3 ? 1.0 : parameters.nu / parameters.xi;
    weights_.inside[mu] = weight;
    for (const bool forward : {true, false}) {
      const int d = directed(mu, forward);
      const bool global_edge = (geometry()->shape().at_global_edge >> d) & 1u;
      weights_.across[d] = global_edge ? weight * parameters.boundary[static_cast<std::size_t>(mu)] : weight;
    }
  }
}

Halo& WilsonHopping::halo(int batch) {
  auto& entry = halos_[batch];
  if (!entry) {
    const HaloSpec spec{12, batch, precision(), location()};
    entry = std::make_unique<Halo>(*grid_, geometry(), spec, transport_);
  }
  return *entry;
}

void WilsonHopping::apply(Field& out, const Field& in, int parity, bool dagger, double a, const Field* add,
                          double b) {
  WilsonHopCall call;
  call.links = &links_;
  call.in = &in;
  call.add = add;
  call.out = &out;
  call.halo = &halo(in.slots());
  call.weights = weights_;
  call.weights.projector_sign = dagger ? 1 : -1;
  call.a = a;
  call.b = b;
  call.parity = parity;
  require(out.slots() == in.slots() && (add == nullptr || add->slots() == in.slots()),
          "batches of different size in one hopping term");
  dispatch(location(), precision(), [&](auto kind) {
    using Target = typename decltype(kind)::target;
    using T = typename decltype(kind)::scalar;
    schedule_.apply(
        halo(in.slots()), [&](const Queue& queue) { launch_wilson_pack<Target, T>(call, queue); },
        [&](Region region, const Queue& queue) { launch_wilson_hop<Target, T>(call, region, queue); });
  });
}

Work WilsonHopping::work(int batch, bool with_add) const {
  const double sites = static_cast<double>(geometry()->local_volume()) / 2;
  const double real = bytes_of(precision());
  // Eight links once for each of the two sites that they join, each neighbour spinor fetched once, one
  // stored.
  return {sites * batch * (1320 + (with_add ? 48 : 0)),
          sites * real * (8 * 18 + batch * (with_add ? 72 : 48))};
}

FieldSpec WilsonOperator::spec(int batch) const {
  return spinor_spec(Subset::full, batch, hopping_->precision(), hopping_->location());
}

Work WilsonOperator::work(int batch) const {
  const Work w = hopping_->work(batch, true);
  return {2 * w.flops, 2 * w.bytes};
}

void WilsonOperator::apply(Field& out, const Field& in, bool dagger) {
  for (int parity = 0; parity < 2; ++parity)
    hopping_->apply(out, in, parity, dagger, hopping_->parameters().diagonal(), &in, -0.5);
}

WilsonSchur::WilsonSchur(WilsonHoppingPtr hopping, int parity, Form form, int batch)
    : hopping_(std::move(hopping)), parity_(parity), form_(form) {
  other_ = Field(geometry(),
                 spinor_spec(subset_of(1 - parity), batch, hopping_->precision(), hopping_->location()));
}

FieldSpec WilsonSchur::spec(int batch) const {
  return spinor_spec(subset_of(parity_), batch, hopping_->precision(), hopping_->location());
}

Work WilsonSchur::work(int batch) const {
  const Work first = hopping_->work(batch, false), second = hopping_->work(batch, true);
  return {first.flops + second.flops, first.bytes + second.bytes};
}

void WilsonSchur::apply(Field& out, const Field& in, bool dagger) {
  const double d = hopping_->parameters().diagonal();
  hopping_->apply(other_, in, 1 - parity_, dagger);
  if (form_ == Form::symmetric) {
    hopping_->apply(out, other_, parity_, dagger, 1, &in, -1 / (4 * d * d));
  } else {
    hopping_->apply(out, other_, parity_, dagger, d, &in, -1 / (4 * d));
  }
}

double WilsonSchur::residual_scale() const {
  return form_ == Form::symmetric ? hopping_->parameters().diagonal() : 1;
}

// S x_p = s (b_p + D_pq b_q / (2 d)) with s = 1/d for the symmetric form.
void WilsonSchur::reduce_source(Field& reduced, const Field& full) {
  const double d = hopping_->parameters().diagonal();
  const double s = form_ == Form::symmetric ? 1 / d : 1;
  hopping_->apply(reduced, full, parity_, false, s, &full, s / (2 * d));
}

// x_q = (b_q + D_qp x_p / 2) / d.
void WilsonSchur::reconstruct(Field& full, const Field& solution, const Field& full_source) {
  const double d = hopping_->parameters().diagonal();
  hopping_->apply(full, solution, 1 - parity_, false, 1 / d, &full_source, 1 / (2 * d));
  copy_parity(full, solution, parity_, queue());
}

}  // namespace plaq
