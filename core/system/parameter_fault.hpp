// A parameter with a value that is wrong, for those who name it in their own
// way: a key, an argument, a member.
#pragma once

#include <string>

namespace plaq {

struct ParameterFault {
  std::string parameter;
  std::string what;  // is wrong, with the value and the limit
};

}  // namespace plaq
