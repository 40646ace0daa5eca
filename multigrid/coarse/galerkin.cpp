#include "multigrid/coarse/galerkin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "comms/communicator/stop_request.hpp"
#include "core/launch/dispatch.hpp"
#include "core/system/timer.hpp"

namespace plaq {
namespace {

// Slices of near-null vectors that are made, and multiplied, at once.
constexpr int slices_at_once = 72;

bool is_site(const Offset& offset) { return offset == Offset{}; }

// Hop and the directions in which it may lead to the next aggregate: all of its directions first, none last.
std::vector<Offset> aggregates_of(const Offset& hop) {
  std::vector<Offset> all{hop};
  for (int& step : all.front()) step = step > 0 ? 1 : step < 0 ? -1 : 0;
  for (std::size_t mu = 0; mu < 4; ++mu) {
    if (hop[mu] == 0) continue;
    const std::size_t count = all.size();
    for (std::size_t i = 0; i < count; ++i) {
      all.push_back(all[i]);
      all.back()[mu] = 0;
    }
  }
  return all;
}

// Matrix for the aggregate so many steps away: its place among all nine, or among those of a hop before it.
struct MatrixPlace {
  std::optional<int> diagonal;  // the first hop
  int matrix = coarse_hops;
};
MatrixPlace place_of(const Offset& aggregate) {
  MatrixPlace place;
  for (int mu = 0; mu < 4; ++mu) {
    const int step = aggregate[static_cast<std::size_t>(mu)];
    if (step == 0) continue;
    if (place.matrix != coarse_hops) place.diagonal = place.matrix;
    place.matrix = 2 * mu + (step > 0 ? 0 : 1);
  }
  return place;
}

// Hops behind, where chirality is kept.
bool is_made_by_gamma5(const Offset& hop, int chiralities) {
  return chiralities == 2 && std::any_of(hop.begin(), hop.end(), [](int step) { return step < 0; });
}

bool is_wide(const StencilOperator& m) { return m.offsets().size() > NearestNeighborOperator::parts; }

class Product {
 public:
  Product(const ProcessGrid& grid, StencilOperator& m, const Transfer& transfer,
          std::shared_ptr<Transport> transport)
      : grid_(grid),
        m_(m),
        transfer_(transfer),
        n_(transfer.aggregation().chiralities() * transfer.vectors()),
        at_once_(std::min(transfer.vectors(), std::max(1, slices_at_once / transfer.aggregation().slices()))),
        precision_(m.spec(1).precision),
        location_(m.spec(1).location),
        inner_(geometry(), coarse_links_spec(n_, precision_, location_, coarse_site_alone)),
        halo_(grid, geometry(), halo_spec(), std::move(transport)) {
    links_.nearest = Field(geometry(), coarse_links_spec(n_, precision_, location_));
    if (is_wide(m))
      for (int d = 0; d < diagonal_fields; ++d)
        links_.diagonal.emplace_back(geometry(),
                                     coarse_links_spec(n_, precision_, location_, diagonal_parts(d)));
  }

  CoarseLinks run() {
    for (int chirality = 0; chirality < transfer_.aggregation().chiralities(); ++chirality)
      for (int first = 0; first < transfer_.vectors(); first += at_once_)
        add_columns(chirality * transfer_.vectors() + first, std::min(at_once_, transfer_.vectors() - first));
    if (chiral()) complete();
    m_.queue().synchronize();
    return std::move(links_);
  }

 private:
  bool chiral() const { return transfer_.aggregation().chiralities() == 2; }
  // Columns of that many near-null vectors of a chirality.
  void add_columns(int first, int count) {
    const ActiveSet all(count);
    if (p_.batch() != count || !p_) {
      p_ = Field(m_.geometry(), m_.spec(count));
      mp_ = Field(m_.geometry(), m_.spec(count));
      rmp_ = Field(geometry(), transfer_.coarse_spec(count, precision_));
    }
    with_launch([&](auto launch) { decltype(launch)::unit_vectors(rmp_, first, m_.queue()); });
    transfer_.prolong(p_, rmp_, all);
    const std::vector<Offset>& hops = m_.offsets();
    for (const bool site : {true, false})
      for (std::size_t part = 0; part < hops.size(); ++part) {
        if (is_site(hops[part]) != site ||
            is_made_by_gamma5(hops[part], transfer_.aggregation().chiralities()))
          continue;
        interruption_point(grid_.comm());
        m_.apply_part(mp_, p_, static_cast<int>(part), all);
        for (const Offset& aggregate : aggregates_of(hops[part])) {
          transfer_.restrict_hop(rmp_, mp_, hops[part], aggregate, all);
          store(aggregate, !site, first);
        }
      }
  }
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
  // Adds columns from `first` on. Hops within aggregates stand apart where those behind are made of them.
  void store(const Offset& aggregate, bool of_hop, int first) {
    const auto [diagonal, matrix] = place_of(aggregate);
    const bool inner = chiral() && of_hop && is_site(aggregate);
    const Field& to = inner      ? inner_
                      : diagonal ? links_.diagonal[static_cast<std::size_t>(*diagonal)]
                                 : links_.nearest;
    const int stored = matrix - stored_parts(to.spec()).begin;
    with_launch(
        [&](auto launch) { decltype(launch)::store_columns(to, rmp_, stored, first, true, m_.queue()); });
  }
  // Completes the links by hops behind, which Gamma5 makes of hops ahead.
  void complete() {
    with_launch([&](auto launch) {
      using Launch = decltype(launch);
      const Field& links = links_.nearest;
      Launch::add_inner_hops(links, inner_, m_.queue());
      const GeneralShape& shape = geometry()->general_shape();
      for (int parity = 0; parity < shape.parities(); ++parity) {
        auto request = halo_.begin(m_.queue(), [&](const Queue& queue) {
          Launch::pack_hops_ahead(links, halo_, shape.neighbor_parity(parity), queue);
        });
        halo_.finish(std::move(request), m_.queue());
        Launch::fill_hops_behind(links, halo_, parity, m_.queue());
      }
    });
  }

  const ProcessGrid& grid_;
  StencilOperator& m_;
  const Transfer& transfer_;
  int n_;        // components of a coarse site
  int at_once_;  // near-null vectors
  Precision precision_;
  Location location_;
  Field inner_;
  CoarseLinks links_;
  Field p_, mp_, rmp_;
  Halo halo_;
};

}  // namespace

// A part of M is counted as all of it: it moves as many vectors.
Work galerkin_work(const StencilOperator& m, const Transfer& transfer, int count) {
  const int chiralities = transfer.aggregation().chiralities(), parities = 2;
  int parts = 0, restrictions = 0;
  for (std::size_t part = 0; part < m.offsets().size(); ++part) {
    const Offset& hop = m.offsets()[part];
    if (is_made_by_gamma5(hop, chiralities)) continue;
    ++parts;
    restrictions += static_cast<int>(aggregates_of(hop).size());
  }
  return (chiralities * parts) * m.work(count) +
         (chiralities * restrictions * parities) * transfer.work(count, m.spec(1).precision);
}

CoarseLinks galerkin_links(const ProcessGrid& grid, StencilOperator& m, const Transfer& transfer,
                           Precision storage, std::shared_ptr<Transport> transport) {
  const ScopedRange range("galerkin product");
  const Extents& block = transfer.aggregation().blocking().block();
  for (const Offset& hop : m.offsets())
    for (std::size_t mu = 0; mu < 4; ++mu)
      if (std::abs(hop[mu]) > block[mu])
        throw Error(ErrorKind::job_file,
                    fmt::format("blocks of {} sites are shorter than a hop of {} sites of this operator",
                                to_string(block), std::abs(hop[mu])));
  require(m.spec(1).precision != Precision::half_precision,
          "a Galerkin product of an operator in half precision");
  CoarseLinks links = Product(grid, m, transfer, std::move(transport)).run();
  links.nearest = coarse_links_in(std::move(links.nearest), storage);
  for (Field& diagonal : links.diagonal) diagonal = coarse_links_in(std::move(diagonal), storage);
  return links;
}

}  // namespace plaq
