#include "kernels/dirac/fifth_dimension_launch_impl.hpp"

namespace plaq {

template void launch_fifth_dimension<BuildTarget, float>(const FifthCall&, const Queue&);

}  // namespace plaq
