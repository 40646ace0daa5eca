// Failures that end a trajectory of molecular dynamics before its time.
#pragma once

#include <stdexcept>

namespace plaq {

/// A solve within a trajectory has failed, on every rank: the trajectory is rejected.
class MdFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace plaq
