// Children of fork(). They have none of the threads of their parent, and cannot use its MPI or its device: OpenMP would
// wait for ever for threads that are not there.
#pragma once

namespace plaq {

/// Notes that this process has threads, MPI or a device in use: children that it forks from now on lack them.
void has_what_forks_lack();

/// Whether this process is a child, or a child of a child, of one that had noted it.
bool is_lacking_fork() noexcept;

}  // namespace plaq
