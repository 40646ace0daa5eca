#include "solvers/mr_slots.hpp"
#include "solvers/slot_launch_impl.hpp"

namespace plaq {

template void launch_slots<BuildTarget>(const ActiveSet&, const minimal_residual::Length&,
                                        const VerdictSignal&, const Queue&);
template void launch_slots<BuildTarget>(const ActiveSet&, const minimal_residual::EndStep&,
                                        const VerdictSignal&, const Queue&);

}  // namespace plaq
