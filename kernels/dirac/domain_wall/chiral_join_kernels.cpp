#include "core/field/field_views.hpp"
#include "core/launch/launch.hpp"
#include "kernels/dirac/domain_wall/chiral_join.hpp"
#include "kernels/dirac/domain_wall/domain_wall_launch.hpp"

namespace plaq {

template <class Target, class S>
void launch_chiral_join(const ChiralPart& out, const ChiralPart& plus, const ChiralPart& minus, int count,
                        const Queue& queue) {
  using Join = ChiralJoin<Target, S>;
  for (int parity = 0; parity < 2; ++parity) {
    const auto subfields = [&](const ChiralPart& part) -> typename Join::Subfields {
      if (part.field == nullptr) return {};
      expect(*part.field, location_of<Target>, precision_of<S>, 4, 3);
      return {{part.field->data(0, parity), part.field->subfield_stride()}, part.stride, part.first};
    };
    const Join join{subfields(plus), subfields(minus), subfields(out)};
    for_each(make_domain(out.field->geometry(), Region::all, parity, location_of<Target>, count), queue,
             join);
  }
}

template void launch_chiral_join<BuildTarget, double>(const ChiralPart&, const ChiralPart&, const ChiralPart&,
                                                      int, const Queue&);
template void launch_chiral_join<BuildTarget, float>(const ChiralPart&, const ChiralPart&, const ChiralPart&,
                                                     int, const Queue&);

}  // namespace plaq
