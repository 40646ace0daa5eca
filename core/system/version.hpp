// The version of the program.
#pragma once

namespace plaq {

const char* version();  // "0.1.0", with the state of the source when the build knows it

}  // namespace plaq
