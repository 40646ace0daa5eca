#include "kernels/quark/staggered_mesons.hpp"

#include <algorithm>

#include "core/launch/dispatch.hpp"
#include "kernels/quark/contraction_launch.hpp"

namespace plaq {
namespace {

std::vector<Corner> corners_of(const std::vector<StaggeredChannel>& channels) {
  std::vector<Corner> all;
  for (const auto& channel : channels) all.insert(all.end(), channel.corners.begin(), channel.corners.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

// (-1)^x_k is exp(-i pi x_k), and pi is momentum number L / 2.
std::vector<Momentum> shifted(const std::vector<Momentum>& momenta, const std::vector<Corner>& corners,
                              const Extents& extents) {
  std::vector<Momentum> all;
  for (const Corner& corner : corners)
    for (Momentum n : momenta) {
      for (std::size_t k = 0; k < 3; ++k) n[k] += corner[k] * (extents[k] / 2);
      all.push_back(n);
    }
  return all;
}

}  // namespace

std::vector<StaggeredChannel> staggered_channels() {
  constexpr Corner x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1}, xy{1, 1, 0}, yz{0, 1, 1}, zx{1, 0, 1};
  return {{"pion_ps", {{0, 0, 0}}}, {"pion_sc", {{1, 1, 1}}}, {"rho_vt", {x, y, z}},    {"rho_vt_x", {x}},
          {"rho_vt_y", {y}},        {"rho_vt_z", {z}},        {"rho_pv", {yz, zx, xy}}, {"rho_pv_x", {yz}},
          {"rho_pv_y", {zx}},       {"rho_pv_z", {xy}}};
}

StaggeredChannel staggered_channel(const std::string& name) {
  for (const auto& channel : staggered_channels())
    if (channel.name == name) return channel;
  throw Error(ErrorKind::internal, "internal error: there is no channel " + name + " of staggered quarks");
}

int StaggeredMesonContraction::projected(const std::vector<StaggeredChannel>& channels, int momenta) {
  return static_cast<int>(corners_of(channels).size()) * momenta;
}

StaggeredMesonContraction::StaggeredMesonContraction(const ProcessGrid& grid, GeometryPtr geometry,
                                                     std::vector<StaggeredChannel> channels,
                                                     const std::vector<Momentum>& momenta, const Queue& queue)
    : channels_(std::move(channels)),
      momenta_(momenta.size()),
      corners_(corners_of(channels_)),
      project_(grid, geometry, shifted(momenta, corners_, geometry->global()), queue),
      density_(project_.make_density(1)) {}

Correlators StaggeredMesonContraction::operator()(const Field& s1, const Field& s2, const Extents& source) {
  const Location location = project_.queue().location();
  const Field first = as_double_propagator(s1, *project_.geometry(), location, 1);
  const Field second = &s1 == &s2 ? first : as_double_propagator(s2, *project_.geometry(), location, 1);
  dispatch(location, Precision::double_precision, [&](auto kind) {
    launch_staggered_density<typename decltype(kind)::target>(first, second, density_, project_.queue());
  });
  const auto projected = project_(density_, source)[0];
  Correlators result(channels_.size());
  for (std::size_t i = 0; i < channels_.size(); ++i)
    for (std::size_t p = 0; p < momenta_; ++p) {
      auto& sum = result[i].emplace_back(static_cast<std::size_t>(project_.geometry()->global()[3]));
      for (const Corner& corner : channels_[i].corners) {
        const auto at =
            static_cast<std::size_t>(std::find(corners_.begin(), corners_.end(), corner) - corners_.begin());
        for (std::size_t t = 0; t < sum.size(); ++t) sum[t] += projected[at * momenta_ + p][t];
      }
    }
  return result;
}

}  // namespace plaq
