// Children of fork(). They have none of the threads of their parent, and cannot use its MPI or its device:
// OpenMP would wait for ever for threads that are not there. Locks that were held
// at the fork stay locked in them.
#pragma once

namespace plaq {

/// Notes that this process has threads, MPI or a device in use: children that it forks from now on lack them.
void has_what_forks_lack();

/// While it lives a lock is held: children that are forked meanwhile lack its owner.
class LockUse {
 public:
  LockUse();
  ~LockUse();
  LockUse(const LockUse&) = delete;
  LockUse& operator=(const LockUse&) = delete;
};

/// True in a process that was forked, at any remove, from one that had something in use which a child lacks.
bool is_lacking_fork() noexcept;

}  // namespace plaq
