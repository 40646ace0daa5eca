// A GPU hands its sums over to the host, and to other processes of the node, in one launch that nobody's
// stream waits for: they look at the sheet's number.
#pragma once

#include "core/launch/queue.hpp"
#include "core/sums/sum_sheet.hpp"

namespace plaq {

// Moves `count` sums of `limbs`, on the device of the queue, to a sheet in page-locked host memory, and then
// sets its number.
void send_sums(SumSheet* sheet, std::int64_t* limbs, int count, std::uint64_t number, const Queue& queue);

}  // namespace plaq
