#include "multigrid/coarse/galerkin.hpp"

#include <utility>

#include "comms/communicator/stop_request.hpp"
#include "core/launch/dispatch.hpp"
#include "core/system/timer.hpp"
#include "multigrid/coarse/coarse_links.hpp"

namespace plaq {
namespace {

using Operator = NearestNeighborOperator;

class Product {
 public:
  Product(const ProcessGrid& grid, Operator& m, const Transfer& transfer,
          std::shared_ptr<Transport> transport)
      : grid_(grid),
        m_(m),
        transfer_(transfer),
        n_(transfer.aggregation().chiralities() * transfer.vectors()),
        precision_(m.spec(1).precision),
        location_(m.spec(1).location),
        links_(geometry(), coarse_links_spec(n_, precision_, location_)),
        inner_(geometry(), coarse_links_spec(n_, precision_, location_, coarse_site_alone)),
        all_(transfer.vectors()),
        p_(m.geometry(), m.spec(transfer.vectors())),
        mp_(m.geometry(), p_.spec()),
        rmp_(geometry(), transfer.coarse_spec(transfer.vectors(), precision_)),
        halo_(grid, geometry(), halo_spec(), std::move(transport)) {}

  Field run() {
    const bool chiral = transfer_.aggregation().chiralities() == 2;
    for (int chirality = 0; chirality < transfer_.aggregation().chiralities(); ++chirality) {
      const int first = chirality * transfer_.vectors();
      with_launch([&](auto launch) { decltype(launch)::unit_vectors(rmp_, first, m_.queue()); });
      transfer_.prolong(p_, rmp_, all_);  // the near-null vectors of a chirality
      m_.apply_part(mp_, p_, Operator::site_part, all_);
      transfer_.restrict(rmp_, mp_, all_);
      store(links_, Operator::site_part, first, false);
      for (int hop = 0; hop < Operator::hop_parts; hop += chiral ? 2 : 1) {
        interruption_point(grid_.comm());
        m_.apply_part(mp_, p_, hop, all_);
        transfer_.restrict_hop(rmp_, mp_, hop, true, all_);
        store(links_, hop, first, false);
        transfer_.restrict_hop(rmp_, mp_, hop, false, all_);
        if (chiral) {
          store(inner_, 0, first, true);
        } else {
          store(links_, Operator::site_part, first, true);
        }
      }
    }
    if (chiral) complete();
    m_.queue().synchronize();
    return std::move(links_);
  }

 private:
  const GeometryPtr& geometry() const { return transfer_.aggregation().coarse_ptr(); }
  HaloSpec halo_spec() const {
    HaloSpec spec;
    spec.reals = 2 * n_ * n_;
    spec.precision = precision_;
    spec.location = location_;
    return spec;
  }
  template <class F>
  void with_launch(F&& f) {
    dispatch(location_, precision_,
             [&]<class Kind>(Kind) { f(GalerkinLaunch<typename Kind::target, typename Kind::scalar>()); });
  }
  void store(const Field& to, int matrix, int first, bool add) {
    with_launch(
        [&](auto launch) { decltype(launch)::store_columns(to, rmp_, matrix, first, add, m_.queue()); });
  }
  // Completes the links by hops behind, which Gamma5 makes of hops ahead.
  void complete() {
    with_launch([&](auto launch) {
      using Launch = decltype(launch);
      Launch::add_inner_hops(links_, inner_, m_.queue());
      const GeneralShape& shape = geometry()->general_shape();
      for (int parity = 0; parity < shape.parities(); ++parity) {
        auto request = halo_.begin(m_.queue(), [&](const Queue& queue) {
          Launch::pack_hops_ahead(links_, halo_, shape.neighbor_parity(parity), queue);
        });
        halo_.finish(std::move(request), m_.queue());
        Launch::fill_hops_behind(links_, halo_, parity, m_.queue());
      }
    });
  }

  const ProcessGrid& grid_;
  Operator& m_;
  const Transfer& transfer_;
  int n_;  // components of a coarse site
  Precision precision_;
  Location location_;
  Field links_, inner_;
  ActiveSet all_;
  Field p_, mp_, rmp_;
  Halo halo_;
};

}  // namespace

Field galerkin_links(const ProcessGrid& grid, NearestNeighborOperator& m, const Transfer& transfer,
                     Precision storage, std::shared_ptr<Transport> transport) {
  const ScopedRange range("galerkin product");
  require(m.spec(1).precision != Precision::half_precision,
          "a Galerkin product of an operator in half precision");
  Field links = Product(grid, m, transfer, std::move(transport)).run();
  if (storage == links.precision()) return links;
  Field kept(links.geometry_ptr(), coarse_links_spec(links.subfields(), storage, links.location()));
  copy(kept, links);
  return kept;
}

}  // namespace plaq
