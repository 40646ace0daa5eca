#include "solvers/cgne_slots.hpp"
#include "solvers/slot_launch_impl.hpp"

namespace plaq {

template void launch_slots<BuildTarget>(const ActiveSet&, const craig::Begin&, const VerdictSignal&,
                                        const Queue&);
template void launch_slots<BuildTarget>(const ActiveSet&, const craig::Mend&, const VerdictSignal&,
                                        const Queue&);
template void launch_slots<BuildTarget>(const ActiveSet&, const craig::HalfStep&, const VerdictSignal&,
                                        const Queue&);
template void launch_slots<BuildTarget>(const ActiveSet&, const craig::EndStep&, const VerdictSignal&,
                                        const Queue&);
template void launch_slots<BuildTarget>(const ActiveSet&, const craig::Settled&, const VerdictSignal&,
                                        const Queue&);
template void launch_slots<BuildTarget>(const ActiveSet&, const craig::Replaced&, const VerdictSignal&,
                                        const Queue&);

}  // namespace plaq
