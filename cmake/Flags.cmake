# plaq_flags: how our own sources are compiled, library, program and tests alike.
#
# No product and sum is ever contracted into a fused multiply-add behind our back (-ffp-contract=off, -fmad=false):
# the algebra writes fma where it means it, so that two instantiations of one formula cannot round differently.
# -fno-math-errno only lets sqrt be one instruction.
add_library(plaq_flags INTERFACE)
target_compile_features(plaq_flags INTERFACE cxx_std_20)

set(host_flags -ffp-contract=off -fno-math-errno)
if(PLAQ_HOST_ISA)
  list(APPEND host_flags -march=${PLAQ_HOST_ISA})
endif()
# GCC gives up too early on the algebra: loops over 24 reals stay loops, and spinors are copied around in memory
# where they could be registers.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND host_flags --param=max-completely-peeled-insns=4000 --param=max-completely-peel-times=64
    --param=sra-max-scalarization-size-Ospeed=4096)
endif()
set(warnings -Wall -Wextra -Wno-unknown-pragmas -Wno-psabi $<$<BOOL:${PLAQ_WERROR}>:-Werror>)

# For C++, and for the host half of CUDA sources, which shares inline functions with the former.
foreach(flag IN LISTS host_flags warnings OpenMP_CXX_FLAGS)
  target_compile_options(plaq_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${flag}>)
  if(PLAQ_WITH_CUDA)
    target_compile_options(plaq_flags INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${flag}>)
  endif()
endforeach()
target_compile_options(plaq_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wpedantic>)
if(PLAQ_WITH_CUDA)  # CMake 3.25 does not know that nvcc knows C++20
  foreach(flag -std=c++20 -fmad=false $<$<NOT:$<BOOL:${PLAQ_QUICK_DEVICE_CODE}>>:-lineinfo> --expt-relaxed-constexpr $<$<BOOL:${PLAQ_WERROR}>:-Werror=all-warnings>)
    target_compile_options(plaq_flags INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:${flag}>)
  endforeach()
endif()
# The host half of a CUDA source launches and no more: a third less time for it, and the same code for devices. nvcc puts the
# -O of this variable behind all -Xcompiler=-O.
string(REPLACE "-O3" "-O1" CMAKE_CUDA_FLAGS_RELEASE "${CMAKE_CUDA_FLAGS_RELEASE}")
target_link_libraries(plaq_flags INTERFACE OpenMP::OpenMP_CXX)

if(PLAQ_SANITIZE)
  set(sanitize -fsanitize=${PLAQ_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # GCC says this of instrumented code without cause.
  target_compile_options(plaq_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${sanitize}>
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)
  target_link_options(plaq_flags INTERFACE ${sanitize})
endif()
