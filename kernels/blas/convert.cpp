#include "kernels/blas/convert.hpp"

#include "core/launch/dispatch.hpp"
#include "kernels/blas/launch.hpp"
#include "kernels/blas/operations.hpp"

namespace plaq::blas {
namespace {

constexpr const char* only_between_precisions = "vectors change their gauge together with their precision";

void run(Workspace& work, const std::vector<Coefficients>& c, Field& to, const Field& from, bool add,
         const Field* frame) {
  require(to.spec().subset == from.spec().subset && to.subfields() == from.subfields() &&
              to.Ls() == from.Ls() && to.location() == from.location() &&
              to.geometry().local() == from.geometry().local(),
          "vectors of different shape in a change of precision");
  require(frame == nullptr || to.spec().colors == 3, "a gauge frame of vectors that have no color");
  require(frame == nullptr || (frame->spec().subset == Subset::full && frame->subfields() == 1 &&
                               frame->geometry().local() == to.geometry().local() &&
                               frame->geometry().halo_depth() == to.geometry().halo_depth()),
          "a gauge frame of another lattice than its vectors'");
  const CoefficientList coefficients = work.upload(c);
  dispatch_storage(to.location(), to.precision(), [&](auto kind) {
    using Target = typename decltype(kind)::target;
    using To = typename decltype(kind)::scalar;
    with_storage(from.precision(), [&](auto storage) {
      using From = typename decltype(storage)::type;
      if constexpr (!std::is_same_v<To, From>)
        ConvertLaunch<Target, To, From>::run(to, from, coefficients, add, frame, work.queue());
    });
  });
}

}  // namespace

void convert(Workspace& work, const std::vector<Coefficients>& c, Field& to, const Field& from,
             const Field* frame) {
  if (to.precision() != from.precision()) return run(work, c, to, from, false, frame);
  require(frame == nullptr, only_between_precisions);
  update<Scale>(work, c, {&from, &to});
}

void add_converted(Workspace& work, const std::vector<Coefficients>& c, Field& x, const Field& y,
                   const Field* frame) {
  if (x.precision() != y.precision()) return run(work, c, x, y, true, frame);
  require(frame == nullptr, only_between_precisions);
  update<Axpy>(work, c, {&y, &x});
}

}  // namespace plaq::blas
