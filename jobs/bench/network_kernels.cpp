#include "core/launch/launch.hpp"
#include "jobs/bench/network_launch.hpp"
#include "kernels/site/lane_wise.hpp"

namespace plaq::jobs {
namespace {

template <class Target>
struct FillFaces {
  using Arch = plaq::Arch<Target, float>;
  FaceFill fill;
  PLAQ_HD void operator()(const typename Arch::Site& site, int face) const {
    FaceWord* const to = fill.face[face];
    if (to == nullptr) return;
    const std::uint64_t seed = fill.seed[face];
    for_each_lane(site, [&](int, int i) { to[i] = face_word(seed, i); });
  }
};

template <class Target>
struct Nothing {
  using Arch = plaq::Arch<Target, float>;
  PLAQ_HD void operator()(const typename Arch::Site&, int) const {}
};

}  // namespace

template <class Target>
void launch_fill_faces(const FaceFill& fill, const Queue& queue) {
  for_each(index_domain(fill.words, fill.faces), queue, FillFaces<Target>{fill});
}

template <class Target>
void launch_nothing(int sites, const Queue& queue) {
  for_each(index_domain(sites), queue, Nothing<Target>());
}

template void launch_fill_faces<BuildTarget>(const FaceFill&, const Queue&);
template void launch_nothing<BuildTarget>(int, const Queue&);

}  // namespace plaq::jobs
