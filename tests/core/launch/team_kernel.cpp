#include "tests/core/launch/team_kernel.hpp"

#include "core/algebra/scalar.hpp"
#include "core/launch/launch.hpp"

namespace plaq::test {
namespace {

template <class TargetT, class T>
struct BlockTimesVector {
  TeamBlocks<T> b;

  PLAQ_HD void operator()(Team<TargetT>& team, int index) const {
    const T* matrix = b.matrix + static_cast<std::size_t>(index) * b.rows * b.columns;
    char* odd = team.template scratch<char>(3);  // so that what follows would be out of alignment
    T* in = team.template scratch<T>(b.columns);
    T* out = team.template scratch<T>(b.rows);
    team.for_range(3, [&](int i) { odd[i] = static_cast<char>(i); });
    team.for_range(b.columns, [&](int i) { in[i] = b.in[index * b.columns + i]; });
    for (int row = 0; row < b.rows; ++row) {
      const T sum = team.sum(b.columns, [&](int i) { return matrix[row * b.columns + i] * in[i]; });
      team.for_range(1, [&](int) { out[row] = sum; });
    }
    team.for_range(b.rows, [&](int i) { b.out[index * b.rows + i] = out[i]; });
    const T square = team.sum(b.rows, [&](int i) { return out[i] * out[i]; });
    const T none = team.sum(0, [&](int i) { return out[i]; });
    const T twice = team.sum(b.rows, [&](int i) { return T(2) * out[i] * out[i]; });
    team.for_range(1, [&](int) { b.norm[index] = square + twice + none + T(odd[0]); });
  }
};

template <class TargetT, class T>
struct Sums {
  static constexpr int max_team_size = 1024;
  int n;
  const T* term;
  T* sums;

  PLAQ_HD void operator()(Team<TargetT>& team, int index) const {
    const T* mine = term + static_cast<std::size_t>(index) * n;
    const T sum = team.sum(n, [&](int i) { return mine[i]; });
    team.for_range(1, [&](int) { sums[index] = sum; });
  }
};

}  // namespace

template <class Target, class T>
void launch_team_blocks(const TeamBlocks<T>& blocks, const TeamDomain& teams, const Queue& queue) {
  for_each_team(teams, queue, BlockTimesVector<Target, T>{blocks});
}
template <class Target, class T>
void launch_team_sums(int n, const T* term, T* sums, const TeamDomain& teams, const Queue& queue) {
  for_each_team(teams, queue, Sums<Target, T>{n, term, sums});
}

template void launch_team_blocks<BuildTarget, float>(const TeamBlocks<float>&, const TeamDomain&,
                                                     const Queue&);
template void launch_team_blocks<BuildTarget, double>(const TeamBlocks<double>&, const TeamDomain&,
                                                      const Queue&);
template void launch_team_sums<BuildTarget, float>(int, const float*, float*, const TeamDomain&,
                                                   const Queue&);
template void launch_team_sums<BuildTarget, double>(int, const double*, double*, const TeamDomain&,
                                                    const Queue&);

}  // namespace plaq::test
