#include "tests/core/field/exact_product_kernel.hpp"

#include "core/launch/launch.hpp"
#include "core/launch/team_candidates.hpp"

namespace plaq::test {
namespace {

template <class TargetT, class M, int Tile, Adjacent Which>
struct Products {
  using Product = ExactProduct<TargetT, Tile>;
  static constexpr int rows_at_once = 32;
  ExactTask<M> task;

  static std::size_t scratch_bytes(const ExactTask<M>& task) {
    return Product::scratch_bytes(task.matrices, task.columns);
  }
  PLAQ_HD void operator()(Team<TargetT>& team, int index) const {
    const ExactTask<M>& a = task;
    const int first = index * a.matrices, groups = (a.rows + rows_at_once - 1) / rows_at_once;
    Product product(team, a.matrices, a.columns, a.count);
    Workers<TargetT>::for_each(a.matrices, [&](int m) {
      product.take(
          m, a.columns, [](int k) { return k; },
          [&](int k, int t) { return a.in[((first + m) * a.columns + k) * a.count + t]; });
    });
    Workers<TargetT>::for_each(a.matrices * groups, [&](int i) {
      const int m = i / groups, row = i % groups * rows_at_once;
      const StoredMatrix<Which, M> matrix(a.matrix + static_cast<std::size_t>(first + m) * a.size,
                                          2 * a.stride, a.rows, a.columns);
      product.multiply(m, matrix, row, rows_at_once, [&](int at, int t, const Complex<float>& z) {
        a.out[((first + m) * a.rows + at) * a.count + t] = z;
      });
    });
  }
};

}  // namespace

template <class Target, class M>
void launch_exact_products(const ExactTask<M>& task, int teams, int team_size, int tile, const Queue& queue) {
  with_exact_tile<Target>({team_size, tile, true, {}}, [&]<int width>(std::integral_constant<int, width>) {
    const auto run = [&]<Adjacent which>() {
      using K = Products<Target, M, width, which>;
      for_each_team({teams, team_size, K::scratch_bytes(task)}, queue, K{task});
    };
    if (task.adjacent == Adjacent::rows)
      run.template operator()<Adjacent::rows>();
    else
      run.template operator()<Adjacent::columns>();
  });
}

template void launch_exact_products<BuildTarget>(const ExactTask<Fixed16>&, int, int, int, const Queue&);
template void launch_exact_products<BuildTarget>(const ExactTask<Fixed8>&, int, int, int, const Queue&);

}  // namespace plaq::test
