// The launch of copy_shell for one machine and precision.
#pragma once

#include "core/shell_copy.hpp"

namespace plaq {

template <class Target, class T>
void launch_copy_shell(const Field& field, const ShellPlanes& planes, void* buffer, bool to_buffer,
                       const Queue& queue);

}  // namespace plaq
