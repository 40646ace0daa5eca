#include "multigrid/coarse/coarse_hat.hpp"

#include <fmt/format.h>

#include <numeric>
#include <vector>

#include "core/launch/dispatch.hpp"
#include "core/operator/kernel_work.hpp"
#include "core/system/error.hpp"
#include "core/system/runs_dry.hpp"
#include "multigrid/coarse/coarse_links.hpp"

namespace plaq {

CoarseHat coarse_hat(const ProcessGrid& grid, const Field& links, const Queue& queue, const Field* sites) {
  const GeometryPtr& geometry = links.geometry_ptr();
  const GeneralShape& shape = geometry->general_shape();
  const Location location = links.location();
  const int components = links.subfields();
  const Field inverse(
      geometry, coarse_links_spec(components, Precision::double_precision, location, coarse_site_alone));
  CoarseHat hat{
      Field(geometry, coarse_links_spec(components, links.precision(), location, coarse_hops_alone)),
      Field(geometry, coarse_links_spec(components, links.precision(), location, coarse_site_alone))};
  const double n = components, volume = static_cast<double>(geometry->local_volume());
  const double numbers =
      coarse_matrices * n * n * volume;  // an inverse and eight products cost the same each
  record(queue, {"coarse_hat",
                 "dense_product",
                 links.precision(),
                 0,
                 1,
                 false,
                 {8 * n * numbers, 2 * 2 * numbers * bytes_of(links.precision())}});
  std::int64_t singular = 0;
  dispatch(location, links.precision(), [&]<class Kind>(Kind) {
    using Launch = CoarseHatLaunch<typename Kind::target, typename Kind::scalar>;
    for (int parity = 0; parity < shape.parities(); ++parity) {
      const auto count = static_cast<std::size_t>(shape.parity_sites(parity));
      const Buffer found(location, (count + 1) * sizeof(int));
      Launch::invert_sites(inverse, sites != nullptr ? *sites : links, parity, found.as<int>(), queue);
      queue.synchronize();
      on_numbers([&] {
        std::vector<int> here(count);
        copy_bytes(here.data(), Location::host, found.data(), location, count * sizeof(int));
        singular += std::accumulate(here.begin(), here.end(), std::int64_t{0});
      });
    }
    Launch::multiply_hops(hat.hops, inverse, links, queue);
    queue.synchronize();
  });
  singular = grid.comm().sum(singular);
  copy(hat.inverse, inverse);
  if (singular > 0)
    throw Error(ErrorKind::not_converged,
                fmt::format("the matrix of a coarse site is singular or not finite at {} of {} sites of {}",
                            singular, geometry->global_volume(), to_string(geometry->global())));
  return hat;
}

void shift_sites(Field& links, double shift, const Queue& queue) {
  dispatch(links.location(), links.precision(), [&]<class Kind>(Kind) {
    CoarseHatLaunch<typename Kind::target, typename Kind::scalar>::shift_sites(links, shift, queue);
  });
}

void twist_sites(Field& out, const Field& links, const Field* even_share, const Twist& twist,
                 const Queue& queue) {
  require(
      out.precision() == links.precision() && stored_parts(links.spec()).begin == 0 &&
          (even_share == nullptr ? twist.even == twist.odd : even_share->precision() == links.precision()),
      "a twist of coarse links in another precision, or without the share of even sites");
  dispatch(links.location(), links.precision(), [&]<class Kind>(Kind) {
    CoarseHatLaunch<typename Kind::target, typename Kind::scalar>::twist_sites(out, links, even_share, twist,
                                                                               queue);
  });
}

}  // namespace plaq
