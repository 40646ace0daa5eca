#include "kernels/blas/convert.hpp"

#include "core/dispatch.hpp"
#include "kernels/blas/convert_launch.hpp"

namespace plaq::blas {
namespace {

void run(Workspace& work, const std::vector<Coefficients>& c, Field& to, const Field& from, bool add) {
  require(to.spec().subset == from.spec().subset && to.slots() == from.slots() &&
              to.location() == from.location() && to.geometry().local() == from.geometry().local(),
          "vectors of different shape in a change of precision");
  const CoefficientList coefficients = work.upload(c);
  dispatch_storage(to.location(), to.precision(), [&](auto kind) {
    using Target = typename decltype(kind)::target;
    using To = typename decltype(kind)::scalar;
    with_storage(from.precision(), [&](auto storage) {
      using From = typename decltype(storage)::type;
      if constexpr (!std::is_same_v<To, From>)
        launch_convert<Target, To, From>(to, from, coefficients, add, work.queue());
    });
  });
}

}  // namespace

void convert(Workspace& work, const std::vector<Coefficients>& c, Field& to, const Field& from) {
  if (to.precision() == from.precision()) return update<Scale>(work, c, {&from, &to});
  run(work, c, to, from, false);
}

void add_converted(Workspace& work, const std::vector<Coefficients>& c, Field& x, const Field& y) {
  if (x.precision() == y.precision()) return update<Axpy>(work, c, {&y, &x});
  run(work, c, x, y, true);
}

}  // namespace plaq::blas
