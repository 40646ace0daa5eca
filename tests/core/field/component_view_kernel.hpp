// Launches that move fields through views of their components and of blocks of their matrices.
#pragma once

#include "core/field/field.hpp"

namespace plaq::test {

// to = from, of any order; `from` in the precision that `to` is computed in.
template <class Target, class S>
void launch_copy_components(const Field& to, const Field& from, const Queue& queue);

// to = the transpose of `from`, square matrices, in blocks of 2 x 4.
template <class Target, class S>
void launch_transpose(const Field& to, const Field& from, const Queue& queue);

}  // namespace plaq::test
