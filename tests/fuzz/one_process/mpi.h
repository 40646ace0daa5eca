// What the library names of MPI, for targets that are built for libFuzzer: a process alone calls none of it, and a call that
// is reached ends the program. It stands before the MPI of the system, so that no MPI library is needed.
#pragma once

#include <cstdlib>

using MPI_Comm = int;
using MPI_Op = int;
using MPI_Datatype = int;
using MPI_Request = int;

constexpr int MPI_SUCCESS = 0, MPI_MAX_ERROR_STRING = 256, MPI_UNDEFINED = -1;
constexpr MPI_Comm MPI_COMM_NULL = 0, MPI_COMM_WORLD = 1;
constexpr int MPI_INFO_NULL = 0, MPI_COMM_TYPE_SHARED = 0, MPI_ANY_SOURCE = -1, MPI_ANY_TAG = -1;
constexpr MPI_Op MPI_SUM = 0, MPI_MAX = 1, MPI_MIN = 2, MPI_BXOR = 3;
constexpr MPI_Datatype MPI_DATATYPE_NULL = 0, MPI_BYTE = 1, MPI_INT32_T = 2, MPI_UINT32_T = 3, MPI_INT64_T = 4,
                       MPI_UINT64_T = 5, MPI_FLOAT = 6, MPI_DOUBLE = 7;
constexpr MPI_Request MPI_REQUEST_NULL = 0;
constexpr void* MPI_IN_PLACE = nullptr;
constexpr int* MPI_STATUS_IGNORE = nullptr;

#define PLAQ_NEVER_CALLED(name) \
  template <class... Any>       \
  int name(Any&&...) {          \
    std::abort();               \
  }
PLAQ_NEVER_CALLED(MPI_Finalized)
PLAQ_NEVER_CALLED(MPI_Error_string)
PLAQ_NEVER_CALLED(MPI_Comm_rank)
PLAQ_NEVER_CALLED(MPI_Comm_size)
PLAQ_NEVER_CALLED(MPI_Comm_dup)
PLAQ_NEVER_CALLED(MPI_Comm_split)
PLAQ_NEVER_CALLED(MPI_Comm_split_type)
PLAQ_NEVER_CALLED(MPI_Comm_free)
PLAQ_NEVER_CALLED(MPI_Type_contiguous)
PLAQ_NEVER_CALLED(MPI_Type_commit)
PLAQ_NEVER_CALLED(MPI_Type_free)
PLAQ_NEVER_CALLED(MPI_Barrier)
PLAQ_NEVER_CALLED(MPI_Bcast)
PLAQ_NEVER_CALLED(MPI_Allreduce)
PLAQ_NEVER_CALLED(MPI_Allgather)
PLAQ_NEVER_CALLED(MPI_Gatherv)
PLAQ_NEVER_CALLED(MPI_Alltoallv)
PLAQ_NEVER_CALLED(MPI_Send)
PLAQ_NEVER_CALLED(MPI_Recv)
PLAQ_NEVER_CALLED(MPI_Sendrecv)
PLAQ_NEVER_CALLED(MPI_Irecv)
PLAQ_NEVER_CALLED(MPI_Ibarrier)
PLAQ_NEVER_CALLED(MPI_Iallgather)
PLAQ_NEVER_CALLED(MPI_Iprobe)
PLAQ_NEVER_CALLED(MPI_Test)
#undef PLAQ_NEVER_CALLED
