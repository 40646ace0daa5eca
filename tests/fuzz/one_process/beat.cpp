// One process has no other to tell that it is at work.
#include "comms/watchdog/heartbeat.hpp"

void plaq::beat() {}
