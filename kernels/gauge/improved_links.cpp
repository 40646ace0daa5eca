#include "kernels/gauge/improved_links.hpp"

#include <utility>

#include "comms/halo/extended_halo.hpp"
#include "core/launch/dispatch.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"

namespace plaq {

Field extended_links(const ProcessGrid& grid, const Field& gauge, Precision precision, const Queue& queue,
                     std::shared_ptr<Transport> transport) {
  require(gauge.geometry().halo_depth() == 0, "improved links take their gauge field without halo");
  require(gauge.spec() == gauge_spec(gauge.precision(), gauge.location()),
          "improved links are made of links of 18 reals");
  require(precision != Precision::half_precision,
          "improved links are computed in double or single precision");
  const auto extended = gauge.geometry().extended(2);
  const FieldSpec spec = gauge_spec(precision, queue.location());
  if (gauge.geometry_ptr() == extended && gauge.spec() == spec) return gauge;
  Field links(extended, spec);
  copy(links, gauge);
  ExtendedHalo(grid, extended, spec, std::move(transport)).exchange(links, queue);
  return links;
}

Field fat_links(const Field& links, const AsqtadCoefficients& coefficients, const Queue& queue) {
  const FieldSpec spec = fat_link_spec(links.precision(), links.location());
  Field fat(links.geometry_ptr(), spec);
  FieldSpec of_three = spec;
  of_three.subfields = 3;
  const MemoryName name("staples of fat links");
  Field staples(links.geometry_ptr(), of_three), sides(links.geometry_ptr(), of_three);
  dispatch(queue.location(), links.precision(), [&](auto kind) {
    using K = decltype(kind);
    launch_fat_links<typename K::target, typename K::scalar>(links, staples, sides, fat, coefficients, queue);
  });
  queue.synchronize();  // before the staples go
  return fat;
}

AsqtadLinks improved_links(const Field& links, const GeometryPtr& geometry,
                           const AsqtadCoefficients& coefficients, const Queue& queue) {
  Field fat = fat_links(links, coefficients, queue),
        three(links.geometry_ptr(), gauge_spec(links.precision(), links.location()));
  dispatch(queue.location(), links.precision(), [&](auto kind) {
    using K = decltype(kind);
    launch_three_links<typename K::target, typename K::scalar>(links, three, queue);
  });
  queue.synchronize();  // before the links go
  const auto owned = [&](Field&& field) {
    field.touch();
    if (field.geometry_ptr() == geometry) return std::move(field);
    Field plain(geometry, field.spec());
    copy(plain, field);
    return plain;
  };
  return {coefficients, owned(std::move(fat)), owned(std::move(three))};
}

}  // namespace plaq
