#include "multigrid/coarse/coarse_operator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "comms/halo/halo_work.hpp"
#include "core/field/exact_product.hpp"
#include "core/launch/dispatch.hpp"
#include "multigrid/coarse/coarse_launch.hpp"

namespace plaq {
namespace {

// Matrices once for all right-hand sides; of vectors those that are read and the result.
Work work_of(const CoarseHopCall& call) {
  const double n = call.components, sites = call.in->geometry().general_shape().parity_sites(call.parity);
  const double numbers = (call.parts.end - call.parts.begin) * n * n * sites;
  const int vectors = call.active.count(), touched = call.from == nullptr ? 2 : 3;
  return {8 * numbers * vectors, 2 * numbers * bytes_of(call.links->precision()) +
                                     2 * n * sites * vectors * touched * bytes_of(call.in->precision())};
}

std::string name_of_hops(const CoarseParts& stored, int components) {
  const int hops = std::min(stored.end, coarse_hops) - stored.begin;
  return hops == coarse_hops ? fmt::format("coarse_hop of {}", components)
                             : fmt::format("{} coarse hops of {}", hops, components);
}

}  // namespace

CoarseOperator::CoarseOperator(const ProcessGrid& grid, Field links, Precision precision, bool chiral,
                               const Queue& queue, std::shared_ptr<Transport> transport)
    : grid_(grid),
      links_(std::move(links)),
      precision_(precision),
      chiral_(chiral),
      schedule_(queue, "coarse_hop"),
      transport_(std::move(transport)),
      hop_name_(name_of_hops(stored_parts(links_.spec()), components())),
      site_name_(fmt::format("coarse_site of {}", components())) {
  require(links_.spec() == coarse_links_spec(components(), links_.precision(), queue.location(), parts()),
          "links of a coarse operator of another shape");
  require(bytes_of(precision) >= 4, "vectors of coarse operators are in single or double precision");
  require(links_.precision() != Precision::quarter_precision || precision == Precision::single_precision,
          "a coarse operator in quarter precision for vectors that are not in single");
  require(bytes_of(links_.precision()) >= 4 || components() <= most_exact_columns,
          "a coarse operator in half or quarter precision with more components than an exact product takes");
}

FieldSpec CoarseOperator::spec(int batch) const {
  FieldSpec spec =
      coarse_spec(Subset::full, components() / chiralities(), batch, precision_, links_.location());
  spec.spins = chiralities();
  return spec;
}

Work CoarseOperator::work(int batch) const {
  const double n = components(), sites = static_cast<double>(geometry()->local_volume());
  const double matrices = (parts().end - parts().begin) * n * n * sites;
  return {8 * matrices * batch,
          2 * matrices * bytes_of(links_.precision()) + 4 * n * sites * batch * bytes_of(precision_)};
}

Halo& CoarseOperator::halo(int batch) {
  std::unique_ptr<Halo>& halo = halos_[batch];
  if (!halo) {
    HaloSpec spec;
    spec.reals = 2 * components();
    spec.batch = batch;
    spec.precision = precision_;
    spec.location = links_.location();
    halo = std::make_unique<Halo>(grid_, geometry(), spec, transport_);
  }
  return *halo;
}

int CoarseOperator::capturable(int batch) { return halo(batch).capturable(); }

void CoarseOperator::apply_parity(Field& out, const Field& in, int parity, const CoarseParts& parts,
                                  bool dagger, const ActiveSet& active, const Field* from, bool adds) {
  require(!dagger || chiral_, "the adjoint of a coarse operator without chirality");
  require(parts.begin >= this->parts().begin && parts.end <= this->parts().end,
          "matrices of a coarse operator that are not there");
  if (active.count() == 0) return;
  Halo& faces = halo(in.batch());
  CoarseHopCall call;
  call.links = &links_;
  call.in = &in;
  call.out = &out;
  call.from = from;
  call.adds = adds;
  call.halo = &faces;
  call.active = active;
  call.parity = parity;
  call.parts = parts;
  call.gamma5 = dagger;
  call.components = components();
  const bool no_hops = parts.begin == coarse_hops;
  call.tuned_as = no_hops ? site_name_ : hop_name_;
  const KernelWork kernel{no_hops ? "coarse_site" : "coarse_hop",
                          "coarse_hop",
                          links_.precision(),
                          0,
                          active.count(),
                          false,
                          work_of(call)};
  if (no_hops) {
    record(queue(), kernel);
  } else {
    record(faces, {kernel, 1, 2 * active.count() * site_bytes(in)});
  }
  dispatch(in.location(), precision_, [&]<class Kind>(Kind) {
    using Target = typename Kind::target;
    using C = typename Kind::scalar;
    with_matrix_storage(links_.precision(), [&]<class L>(Storage<L>) {
      const auto hop = [&](Region region, const Queue& queue) {
        if constexpr (std::is_same_v<C, float> || !std::is_same_v<L, Fixed8>)
          CoarseLaunch<Target, L, C>::hop(call, region, queue);
      };
      if (no_hops) return hop(Region::all, queue());  // no neighbour is asked
      schedule_.apply(
          faces, [&](const Queue& queue) { CoarsePackLaunch<Target, C>::pack(call, queue); }, hop);
    });
  });
}

void CoarseOperator::shift(std::vector<Field>& shifted, const Field& in, const ActiveSet& active) {
  if (active.count() == 0) return;
  Halo& faces = halo(in.batch());
  CoarseHopCall call;
  call.in = &in;
  call.halo = &faces;
  call.active = active;
  call.components = components();
  for (int parity = 0; parity < geometry()->parities(); ++parity) {
    call.parity = parity;
    dispatch(in.location(), precision_, [&]<class Kind>(Kind) {
      using Launch = CoarsePackLaunch<typename Kind::target, typename Kind::scalar>;
      schedule_.apply(
          faces, [&](const Queue& queue) { Launch::pack(call, queue); },
          [&](Region region, const Queue& queue) {
            for (std::size_t d = 0; d < shifted.size(); ++d) {
              call.out = &shifted[d];
              Launch::shift(call, static_cast<int>(d), region, queue);
            }
          });
    });
  }
}

void CoarseOperator::run(Field& out, const Field& in, bool dagger, const ActiveSet& active) {
  for (int parity = 0; parity < geometry()->parities(); ++parity)
    apply_parity(out, in, parity, parts(), dagger, active);
}

void CoarseOperator::apply_part(Field& out, const Field& in, int part, const ActiveSet& active) {
  for (int parity = 0; parity < geometry()->parities(); ++parity)
    apply_parity(out, in, parity, {part, part + 1}, false, active);
}

}  // namespace plaq
