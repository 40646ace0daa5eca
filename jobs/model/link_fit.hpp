// Constants of a link from measured exchanges, by least squares in relative error: the sum over samples of
// ((T - fit) / T)^2 is least, with no constant below 0.
#pragma once

#include <vector>

#include "jobs/model/machine_model.hpp"

namespace plaq::jobs {

struct ExchangeSample {
  int faces = 1;
  double bytes = 0;  // of all faces that one rank sends
  double seconds = 0;
};

struct LinkFit {
  LinkModel link;          // message 0 where all samples have as many faces: then it is in the latency
  double worst = 0;        // largest relative error |T - fit| / T of a sample
  double mean_square = 0;  // root of the mean square of them
};

// At least two samples of different sizes, all positive; throws Error(internal) otherwise.
LinkFit fit_link(const std::vector<ExchangeSample>& samples);

}  // namespace plaq::jobs
