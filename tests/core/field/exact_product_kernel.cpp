#include "tests/core/field/exact_product_kernel.hpp"

#include "core/launch/exact_tiles.hpp"
#include "core/launch/launch.hpp"

namespace plaq::test {
namespace {

template <class TargetT, int Tile, Adjacent Which>
struct Products {
  using Product = ExactProduct<TargetT, Tile>;
  ExactTask task;

  static std::size_t scratch_bytes(const ExactTask& task) {
    return Product::scratch_bytes(
        task.rows, task.each ? task.matrices * exact_slab(task.columns) : exact_slab(task.columns));
  }
  PLAQ_HD StoredMatrix<Which> matrix(int number) const {
    return {task.matrix + static_cast<std::size_t>(number) * task.size, 2 * task.stride, task.rows,
            task.columns};
  }
  PLAQ_HD void operator()(Team<TargetT>& team, int index) const {
    const ExactTask& a = task;
    const int first = index * a.matrices, slots = exact_slab(a.columns);
    if (a.each) {
      constexpr int group = 32;
      Product product(team, a.rows, a.matrices * slots);
      product.multiply_each(
          team, a.matrices, [&](int m) { return matrix(first + m); }, group, a.count,
          [&](int k, int t) {
            const int m = k / slots;
            return k - m * slots < a.columns ? number(first + m, k - m * slots, t) : Complex<float>{0, 0};
          },
          [&](int m, int row, int t, const Complex<float>& z) { put(first + m, row, t, z); },
          // and once more, by another member perhaps
          [&](int number) {
            Product::for_group(group * a.count, [&](int i) {
              const int row = number * group + i / a.count;
              if (row < a.rows) a.out[(first * a.rows + row) * a.count + i % a.count].re *= 2;
            });
          });
      return;
    }
    if constexpr (Tile >= 8 || std::is_same_v<TargetT, Host>) multiply_in_turn(team, first);
  }

 private:
  PLAQ_HD Complex<float> number(int m, int k, int t) const {
    return task.in[(m * task.columns + k) * task.count + t];
  }
  PLAQ_HD void put(int m, int row, int t, const Complex<float>& z) const {
    task.out[(m * task.rows + row) * task.count + t] = z;
  }
  PLAQ_HD void multiply_in_turn(Team<TargetT>& team, int first) const {
    const ExactTask& a = task;
    Product product(team, a.rows, exact_slab(a.columns));
    for (int m = 0; m < a.matrices; ++m) {
      product.multiply(team, matrix(first + m), a.count,
                       [&](int k, int t) { return number(first + m, k, t); });
      team.for_range(a.rows * a.count, [&](int i) {
        put(first + m, i / a.count, i % a.count, product.sum(i / a.count, i % a.count));
      });
    }
  }
};

}  // namespace

template <class Target>
void launch_exact_products(const ExactTask& task, int teams, int team_size, int tile, const Queue& queue) {
  with_exact_tile<Target, true>({team_size, tile, true, {}},
                                [&]<int width>(std::integral_constant<int, width>) {
                                  const auto run = [&]<Adjacent which>() {
                                    using K = Products<Target, width, which>;
                                    for_each_team({teams, team_size, K::scratch_bytes(task)}, queue, K{task});
                                  };
                                  if (task.adjacent == Adjacent::rows)
                                    run.template operator()<Adjacent::rows>();
                                  else
                                    run.template operator()<Adjacent::columns>();
                                });
}

template void launch_exact_products<BuildTarget>(const ExactTask&, int, int, int, const Queue&);

}  // namespace plaq::test
