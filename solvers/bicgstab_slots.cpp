#include "solvers/bicgstab_slots.hpp"
#include "solvers/slot_launch_impl.hpp"

namespace plaq {

template void launch_slots<BuildTarget>(const ActiveSet&, const bicgstab::Begin&, const VerdictSignal&,
                                        const Queue&);
template void launch_slots<BuildTarget>(const ActiveSet&, const bicgstab::HalfStep&, const VerdictSignal&,
                                        const Queue&);
template void launch_slots<BuildTarget>(const ActiveSet&, const bicgstab::EndStep&, const VerdictSignal&,
                                        const Queue&);
template void launch_slots<BuildTarget>(const ActiveSet&, const bicgstab::Replaced&, const VerdictSignal&,
                                        const Queue&);

}  // namespace plaq
