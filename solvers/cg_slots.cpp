#include "solvers/cg_slots.hpp"
#include "solvers/slot_launch_impl.hpp"

namespace plaq {

template void launch_slots<BuildTarget>(const ActiveSet&, const conjugate_gradients::Begin&,
                                        const VerdictSignal&, const Queue&);
template void launch_slots<BuildTarget>(const ActiveSet&, const conjugate_gradients::HalfStep&,
                                        const VerdictSignal&, const Queue&);
template void launch_slots<BuildTarget>(const ActiveSet&, const conjugate_gradients::EndStep&,
                                        const VerdictSignal&, const Queue&);
template void launch_slots<BuildTarget>(const ActiveSet&, const conjugate_gradients::Settled&,
                                        const VerdictSignal&, const Queue&);
template void launch_slots<BuildTarget>(const ActiveSet&, const conjugate_gradients::Replaced&,
                                        const VerdictSignal&, const Queue&);

}  // namespace plaq
