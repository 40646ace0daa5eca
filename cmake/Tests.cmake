# plaq_test(ROOM/NAME [SOURCES a.cpp ...] [KERNELS k.cpp ...] [MPI] [RANKS 1 2 4] [THREADS n]
#           [ARGS ...] [LABELS ...] [TIMEOUT seconds] [WORKING_DIRECTORY dir])
#
# A GoogleTest executable of SOURCES (ROOM/NAME_test.cpp when left out) and KERNELS (compiled for both machines, as
# plaq_kernels does), registered as the test ROOM/NAME, labelled ROOM.
# MPI: uses tests/mpi_main.cpp, which starts MPI. RANKS (implies MPI): one test for each number of ranks,
# ROOM/NAME.np4. A test of one rank runs on THREADS threads, each of several ranks on one. When left out they are 2, and 1
# in comms, io and jobs, whose lattices are too small to gain by a second one.

set(test_environment
  OMP_WAIT_POLICY=passive  # tests share few cores: let nobody spin
  PLAQ_LOCK_SECONDS=0)     # a file that another process holds is refused at once
set(mpirun ${MPIEXEC_EXECUTABLE})
execute_process(COMMAND ${MPIEXEC_EXECUTABLE} --version OUTPUT_VARIABLE mpi_version ERROR_QUIET)
if(mpi_version MATCHES "Open MPI|OpenRTE|PRRTE")
  list(APPEND mpirun --oversubscribe --allow-run-as-root --bind-to none)
  list(APPEND test_environment
    OMPI_MCA_mpi_yield_when_idle=1
    OMPI_MCA_btl_vader_single_copy_mechanism=none  # containers forbid it, and it then says so at every message
    OMPI_MCA_plm=isolated                          # this machine only: needs no ssh and no batch system
    OMPI_MCA_odls_base_sigkill_timeout=0           # it waits a second or two after a run that fails, as many do
    OMPI_MCA_ess_singleton_isolated=1              # one rank without mpirun starts no daemon, which takes 0.2 s
    OMPI_MCA_pml=ob1 OMPI_MCA_btl=^ofi,openib,tcp) # asks for no networks: 0.3 s of each start otherwise
endif()
# For most tests, below. Warnings that follow values through calls are wrong about half-optimised code.
set(plaq_test_options -O1 -fno-tree-sra -Wno-array-bounds -Wno-maybe-uninitialized -Wno-mismatched-new-delete
  -Wno-stringop-overflow -Wno-stringop-overread)

# How those are compiled, and what all of them read, parsed once by plaq_test_headers.
set(plaq_half_optimised "$<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:GNU>>:${plaq_test_options}>")
set(plaq_test_precompiled
  <gtest/gtest.h> <algorithm> <array> <chrono> <cmath> <complex> <cstring> <filesystem> <fstream> <functional> <map>
  <memory> <optional> <random> <span> <string> <variant> <vector> <mpi.h> <fmt/format.h>)

function(plaq_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "MPI" "THREADS;TIMEOUT;WORKING_DIRECTORY" "SOURCES;KERNELS;RANKS;ARGS;LABELS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "plaq_test(${name}): what is ${arg_UNPARSED_ARGUMENTS}?")
  endif()
  if(NOT arg_SOURCES AND NOT arg_KERNELS)
    set(arg_SOURCES ${name}_test.cpp)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  string(REGEX REPLACE "/.*" "" room ${name})
  if(NOT arg_THREADS)
    set(arg_THREADS 2)
    if(room MATCHES "^(comms|io|jobs)$")
      set(arg_THREADS 1)
    endif()
  endif()

  string(REPLACE "/" "_" target test_${name})
  add_executable(${target} ${arg_SOURCES} ${arg_KERNELS})
  target_link_libraries(${target} PRIVATE plaq_flags)
  if(arg_KERNELS AND PLAQ_WITH_CUDA)
    plaq_absolute(kernels ${arg_KERNELS})
    plaq_as_cuda(device_kernels ${kernels})
    target_sources(${target} PRIVATE ${device_kernels})
  endif()
  target_link_libraries(${target} PRIVATE plaq plaq_reference)
  set(environment ${test_environment})
  if(arg_MPI OR arg_RANKS)
    target_link_libraries(${target} PRIVATE plaq_mpi_main)
    if(PLAQ_SANITIZE MATCHES address)
      list(APPEND environment ASAN_OPTIONS=detect_leaks=0)  # MPI keeps much, from components it has unloaded
    endif()
  else()
    target_link_libraries(${target} PRIVATE GTest::gtest_main)
  endif()

  # Tests of core and those with kernels of their own instantiate algebra, and compile it as the library would. The others
  # take 45% less time to compile so; GCC then sees less of what is initialised, and
  # GCC 12 fails on kernels/blas_test.cpp where it scalarises spinors at this level.
  if(NOT arg_KERNELS AND NOT room STREQUAL "core")
    target_compile_options(${target} PRIVATE "${plaq_half_optimised}")
    target_precompile_headers(${target} REUSE_FROM plaq_test_headers)
  else()  # GCC 12 takes indices that an unrolled loop never has for ones out of bounds, and what it unrolls for not set
    foreach(warning array-bounds maybe-uninitialized)
      target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-${warning}>)
    endforeach()
  endif()

  macro(register test ranks threads)
    set_tests_properties(${test} PROPERTIES
      LABELS "${room};${arg_LABELS}" TIMEOUT ${arg_TIMEOUT}
      ENVIRONMENT "${environment};OMP_NUM_THREADS=${threads}")
    math(EXPR processors "${ranks} * ${threads}")
    set_tests_properties(${test} PROPERTIES PROCESSORS ${processors})
    if(arg_WORKING_DIRECTORY)
      set_tests_properties(${test} PROPERTIES WORKING_DIRECTORY ${arg_WORKING_DIRECTORY})
    endif()
  endmacro()

  if(NOT arg_RANKS)
    add_test(NAME ${name} COMMAND ${target} ${arg_ARGS})
    register(${name} 1 ${arg_THREADS})
  endif()
  foreach(ranks IN LISTS arg_RANKS)
    add_test(NAME ${name}.np${ranks} COMMAND ${mpirun} -np ${ranks} $<TARGET_FILE:${target}> ${arg_ARGS})
    if(ranks EQUAL 1)
      register(${name}.np1 1 ${arg_THREADS})
    else()
      register(${name}.np${ranks} ${ranks} 1)
    endif()
  endforeach()
endfunction()
