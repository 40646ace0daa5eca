// How numbers with errors are written: 0.5966(18).
#pragma once

#include <string>

namespace plaq::jobs {

// Two digits of the error, in units of the last digit of the value, or with a point
// of its own where it is 1 or more:
// 12.3(1.4). Without an error (not finite, or not above 0) eight digits of the value and (0) or (?).
std::string with_error(double value, double error);

}  // namespace plaq::jobs
