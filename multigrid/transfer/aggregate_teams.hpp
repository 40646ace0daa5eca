// A team for each aggregate, and for each of some inner numbers: right-hand sides, chiralities.
#pragma once

#include "core/launch/team.hpp"
#include "multigrid/transfer/aggregation.hpp"

namespace plaq {

// Aggregate of a team: that of a coarse site.
struct AggregateTeams {
  GeneralShape coarse;
  int inner = 1;

  struct Place {
    int parity, site, inner;
  };
  PLAQ_HD int count() const { return coarse.parities() * coarse.stored_sites() * inner; }
  // Place of teams 0 .. count() - 1. The inner numbers of an aggregate follow each other: they read the same
  // sites, or write to the same lines.
  PLAQ_HD Place place(int team) const {
    const int sites = coarse.stored_sites(), aggregate = team / inner, parity = aggregate / sites;
    return {parity, aggregate - parity * sites, team - aggregate * inner};
  }
  // The last place of a parity may have no site.
  PLAQ_HD bool has_site(const Place& at) const { return at.site < coarse.parity_sites(at.parity); }
};

// f(place in the block, site) for all rows of a chirality and a fine parity, where
// a site is -1 behind the last one.
template <class TeamT, class F>
PLAQ_HD void for_aggregate_sites(TeamT& team, const AggregateRows& rows, int fine_parity,
                                 const AggregateTeams::Place& at, F&& f) {
  team.for_range(rows.places(), [&](int place) {
    f(place, rows.map.fine_index(fine_parity, {at.parity, at.site, place}));
  });
}

}  // namespace plaq
