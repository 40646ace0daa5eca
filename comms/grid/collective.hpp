// Failures that strike some ranks become one Error on all.
#pragma once

#include <mpi.h>

#include <functional>
#include <string>
#include <vector>

namespace plaq {

// Collective. Runs `action`, which must not communicate, on every rank. When it throws on any, every rank
// throws the Error of the lowest rank on which it did.
void all_or_none(MPI_Comm comm, const std::function<void()>& action);

// Collective: what `text` is on rank `root`.
std::string broadcast(MPI_Comm comm, std::string text, int root = 0);

// Collective: the texts of all ranks, on rank 0; none elsewhere.
std::vector<std::string> gather(MPI_Comm comm, const std::string& text);

}  // namespace plaq
