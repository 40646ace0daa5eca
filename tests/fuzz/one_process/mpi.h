// MPI of one process, as far as reading files needs it. It stands before the MPI of the system when the
// targets are built for libFuzzer, so that a fuzzed reader starts no MPI library and every byte it touches is
// seen by the sanitizers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

using MPI_Comm = int;
using MPI_Op = int;
using MPI_Datatype = int;  // the size in bytes: nothing else matters to one process
using MPI_Status = int;
using MPI_Request = int;

constexpr int MPI_SUCCESS = 0, MPI_MAX_ERROR_STRING = 256, MPI_THREAD_FUNNELED = 1;
using MPI_Info = int;
constexpr MPI_Comm MPI_COMM_NULL = 0, MPI_COMM_WORLD = 1, MPI_COMM_SELF = 1;
constexpr MPI_Info MPI_INFO_NULL = 0;
constexpr int MPI_COMM_TYPE_SHARED = 0, MPI_ANY_SOURCE = -1, MPI_ANY_TAG = -1;
constexpr MPI_Op MPI_SUM = 0, MPI_MAX = 1, MPI_MIN = 2, MPI_BXOR = 3, MPI_LAND = 4;
constexpr MPI_Datatype MPI_DATATYPE_NULL = 0, MPI_BYTE = 1, MPI_CHAR = 1, MPI_INT = 4, MPI_UINT32_T = 4,
                       MPI_FLOAT = 4, MPI_DOUBLE = 8, MPI_INT64_T = 8, MPI_UINT64_T = 8;
constexpr MPI_Request MPI_REQUEST_NULL = 0;
constexpr const void* MPI_IN_PLACE = nullptr;
constexpr MPI_Status* MPI_STATUS_IGNORE = nullptr;

inline int MPI_Init_thread(int*, char***, int wanted, int* provided) {
  *provided = wanted;
  return MPI_SUCCESS;
}
inline int MPI_Finalize() { return MPI_SUCCESS; }
inline int MPI_Finalized(int* flag) {
  *flag = 0;
  return MPI_SUCCESS;
}
inline int MPI_Error_string(int, char* text, int* length) {
  *length = 0;
  *text = '\0';
  return MPI_SUCCESS;
}

inline int MPI_Comm_rank(MPI_Comm, int* rank) {
  *rank = 0;
  return MPI_SUCCESS;
}
inline int MPI_Comm_size(MPI_Comm, int* size) {
  *size = 1;
  return MPI_SUCCESS;
}
inline int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* copy) {
  *copy = comm;
  return MPI_SUCCESS;
}
inline int MPI_Comm_split(MPI_Comm comm, int, int, MPI_Comm* part) {
  *part = comm;
  return MPI_SUCCESS;
}
inline int MPI_Comm_split_type(MPI_Comm comm, int, int, MPI_Info, MPI_Comm* part) {
  *part = comm;
  return MPI_SUCCESS;
}
inline int MPI_Iprobe(int, int, MPI_Comm, int* flag, MPI_Status*) {
  *flag = 0;
  return MPI_SUCCESS;
}
inline int MPI_Comm_free(MPI_Comm* comm) {
  *comm = MPI_COMM_NULL;
  return MPI_SUCCESS;
}

inline int MPI_Type_contiguous(int count, MPI_Datatype of, MPI_Datatype* type) {
  *type = count * of;
  return MPI_SUCCESS;
}
inline int MPI_Type_commit(MPI_Datatype*) { return MPI_SUCCESS; }
inline int MPI_Type_free(MPI_Datatype* type) {
  *type = MPI_DATATYPE_NULL;
  return MPI_SUCCESS;
}

inline int MPI_Barrier(MPI_Comm) { return MPI_SUCCESS; }
inline int MPI_Bcast(void*, int, MPI_Datatype, int, MPI_Comm) { return MPI_SUCCESS; }
inline int MPI_Allreduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op, MPI_Comm) {
  if (from != MPI_IN_PLACE && count > 0)
    std::memcpy(to, from, static_cast<std::size_t>(count) * static_cast<std::size_t>(type));
  return MPI_SUCCESS;
}
inline int MPI_Gather(const void* from, int count, MPI_Datatype type, void* to, int, MPI_Datatype, int,
                      MPI_Comm comm) {
  return MPI_Allreduce(from, to, count, type, MPI_Op{}, comm);
}
inline int MPI_Allgather(const void* from, int count, MPI_Datatype type, void* to, int, MPI_Datatype,
                         MPI_Comm comm) {
  return MPI_Allreduce(from, to, count, type, MPI_Op{}, comm);
}
inline int MPI_Gatherv(const void* from, int count, MPI_Datatype type, void* to, const int*, const int*,
                       MPI_Datatype, int, MPI_Comm comm) {
  return MPI_Allreduce(from, to, count, type, MPI_Op{}, comm);
}
inline int MPI_Alltoallv(const void* from, const int* counts, const int* starts, MPI_Datatype type, void* to,
                         const int*, const int* to_starts, MPI_Datatype, MPI_Comm) {
  if (*counts > 0)
    std::memcpy(static_cast<char*>(to) + std::ptrdiff_t{*to_starts} * type,
                static_cast<const char*>(from) + std::ptrdiff_t{*starts} * type,
                static_cast<std::size_t>(*counts) * static_cast<std::size_t>(type));
  return MPI_SUCCESS;
}
inline int MPI_Sendrecv(const void* from, int count, MPI_Datatype type, int, int, void* to, int, MPI_Datatype,
                        int, int, MPI_Comm, MPI_Status*) {
  if (count > 0) std::memcpy(to, from, static_cast<std::size_t>(count) * static_cast<std::size_t>(type));
  return MPI_SUCCESS;
}
