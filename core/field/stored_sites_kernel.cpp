#include "core/field/field_launch.hpp"

#include "core/algebra/scalar.hpp"
#include "core/launch/launch.hpp"

namespace plaq {
namespace {

// A team has a site of the box and a subfield. A scale is moved as the units that it takes.
template <class TargetT, class S>
struct SitesMove {
  SiteBox box;
  GeneralShape lattice;
  Layout layout;
  S* field[2];  // by parity
  std::size_t stride;
  S* packed;
  ActiveSet subfields;
  int first_parity, parities;
  bool to_packed, lexicographic;

  PLAQ_HD void operator()(Team<TargetT>& team, int index) const {
    const int places = box.shape.stored_sites(), place = index % places, piece = index / places;
    const int parity = first_parity + piece % parities, subfield = subfields[piece / parities];
    if (place >= box.shape.parity_sites(parity)) return;
    Coordinates c = box.shape.coordinates(parity, place);
    const int moved_to = lexicographic ? piece / parities * box.shape.volume + number_of(c) : index;
    for (int mu = 0; mu < 4; ++mu) c.x[mu] += box.corner.x[mu];
    const int site = lattice.index(c), units = layout.reals + layout.scale_units;
    S* stored = field[parity] + static_cast<std::size_t>(subfield) * stride;
    S* moved = packed + static_cast<std::size_t>(moved_to) * static_cast<unsigned>(units);
    const std::size_t scale = layout.scale_offset(site);
    team.for_range(units, [&](int u) {
      S* here = stored +
                (u < layout.reals ? layout.offset(site, u) : scale + static_cast<unsigned>(u - layout.reals));
      __builtin_memcpy(to_packed ? moved + u : here, to_packed ? here : moved + u, sizeof(S));
    });
  }

  // Number of a site in the box, x fastest.
  PLAQ_HD int number_of(const Coordinates& c) const {
    int n = 0;
    for (int mu = 3; mu >= 0; --mu) n = n * box.shape.extent[mu] + c.x[mu];
    return n;
  }
};

}  // namespace

template <class Target, class S>
void launch_move_sites(const Field& field, const SiteBox& box, const ActiveSet& subfields, void* packed,
                       bool to_packed, PackedOrder order, const Queue& queue) {
  SitesMove<Target, S> kernel;
  kernel.box = box;
  kernel.lattice = field.geometry().general_shape();
  kernel.layout = field.layout();
  for (int parity = 0; parity < 2; ++parity)
    kernel.field[parity] = field.holds(parity) ? static_cast<S*>(field.data(0, parity)) : nullptr;
  kernel.stride = field.subfield_stride();
  kernel.packed = static_cast<S*>(packed);
  kernel.subfields = subfields;
  kernel.first_parity = field.holds(0) ? 0 : 1;
  kernel.parities = field.parities();
  kernel.to_packed = to_packed;
  kernel.lexicographic = order == PackedOrder::lexicographic;
  TeamDomain teams;
  teams.count = box.shape.stored_sites() * kernel.parities * subfields.count();
  for_each_team(teams, queue, kernel);
}

template void launch_move_sites<BuildTarget, Fixed16>(const Field&, const SiteBox&, const ActiveSet&, void*,
                                                      bool, PackedOrder, const Queue&);
template void launch_move_sites<BuildTarget, float>(const Field&, const SiteBox&, const ActiveSet&, void*,
                                                    bool, PackedOrder, const Queue&);
template void launch_move_sites<BuildTarget, double>(const Field&, const SiteBox&, const ActiveSet&, void*,
                                                     bool, PackedOrder, const Queue&);

}  // namespace plaq
