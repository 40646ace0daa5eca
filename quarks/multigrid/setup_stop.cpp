#include "quarks/multigrid/setup_stop.hpp"

namespace plaq {

SetupStop::SetupStop()
    : setup_([this](const Communicator& ranks) {
        const int signal = stop_.anywhere(ranks);
        if (signal != 0) throw_stopped(signal, "of the setup of multigrid only what a file has is kept");
      }) {}

}  // namespace plaq
