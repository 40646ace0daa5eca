#pragma once

namespace plaq {

// Until all queues of this rank's GPU are done; at once without one.
void wait_for_device();

}  // namespace plaq
