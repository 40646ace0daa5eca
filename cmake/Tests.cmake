# Tests: one executable a room or folder of a room, of all *_test.cpp below it, and few tests of CTest that run it.
#
#   plaq_test_ranks("1 2 4" comms/halo/halo ...)   these files run on MPI ranks, on each of these numbers; others run on none
#   plaq_test_own_process(jobs/program/failure ...)  these have a test of CTest and a process of their own: what they do to
#                                                  signals, the environment or memory is not for others to see
#   plaq_test_in_sources(jobs/schema/schema ...)   likewise, and they run in the root of the sources
#   plaq_test_threads(1 solvers/krylov/gcr ...)    these run on so many threads where they run on one rank or none
#   plaq_test_slow(900 io/gauge/large_file ...)    these have a process of their own, the label slow and so many seconds
#   plaq_tests(comms KERNELS halo/number_faces.cpp)
#     the executable test_comms, and the tests comms (files without ranks), comms.np1, comms.np2, ..., and
#     comms/watchdog/device_waits.np2 for a file with a process of its own
#
# Files are named from tests/, without _test.cpp. A new one is compiled and run without being named here, on no ranks.
# KERNELS are compiled for both machines, as plaq_kernels does. A test of one rank or none runs on THREADS threads, each of
# several ranks on one: 2 when left out, and 1 in rooms whose lattices are too small to gain by a second one.
# tests/main.cpp says how one case is run alone.

set(test_environment
  OMP_WAIT_POLICY=passive  # tests share few cores: let nobody spin
  GTEST_COLOR=no           # mpirun looks like a terminal
  PLAQ_LOCK_SECONDS=0      # a file that another process holds is refused at once
  PLAQ_TUNING_FILE=${PROJECT_BINARY_DIR}/tuning.jsonl)  # that of a user may have thousands of entries, and takes 0.04 s to read
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
elseif(mpi_version MATCHES "HYDRA" AND NOT PLAQ_SANITIZE)  # MPICH, which has no setting for ranks that share cores
  add_library(plaq_yield_in_ucx MODULE ${CMAKE_CURRENT_SOURCE_DIR}/yield_in_ucx.cpp)
  target_link_libraries(plaq_yield_in_ucx PRIVATE ${CMAKE_DL_LIBS})
  target_compile_features(plaq_yield_in_ucx PRIVATE cxx_std_20)
  list(APPEND mpirun -genv LD_PRELOAD $<TARGET_FILE:plaq_yield_in_ucx>)
endif()
if(PLAQ_SANITIZE MATCHES address)
  list(APPEND test_environment ASAN_OPTIONS=detect_leaks=0)  # MPI keeps much, from components it has unloaded
endif()
string(REPLACE ";" " " mpirun_command "${mpirun}")

# For most tests, below. Warnings that follow values through calls are wrong about half-optimised code.
set(plaq_test_options -O1 -fno-tree-sra -Wno-array-bounds -Wno-maybe-uninitialized -Wno-mismatched-new-delete
  -Wno-stringop-overflow -Wno-stringop-overread)

# How those are compiled, and what all of them read, parsed once by plaq_test_headers.
set(plaq_half_optimised "$<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:GNU>>:${plaq_test_options}>")
set(plaq_test_precompiled
  <gtest/gtest.h> <algorithm> <array> <chrono> <cmath> <complex> <cstring> <filesystem> <fstream> <functional> <map>
  <memory> <optional> <random> <span> <string> <variant> <vector> <mpi.h> <fmt/format.h>)

# GCC 12 takes indices that an unrolled loop never has for ones out of bounds, and what it unrolls for not set.
function(plaq_fully_optimised target)
  foreach(warning array-bounds maybe-uninitialized)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-${warning}>)
  endforeach()
endfunction()

function(plaq_note_tests property value)
  foreach(file IN LISTS ARGN)
    if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${file}_test.cpp)
      message(FATAL_ERROR "plaq_test_${property}: there is no ${file}_test.cpp")
    endif()
    set_property(GLOBAL PROPERTY plaq_test_${property}_${file} ${value})
  endforeach()
endfunction()
function(plaq_test_ranks numbers)
  string(REPLACE " " ";" numbers "${numbers}")
  plaq_note_tests(ranks "${numbers}" ${ARGN})
endfunction()
function(plaq_test_own_process)
  plaq_note_tests(own ON ${ARGN})
endfunction()
function(plaq_test_in_sources)
  plaq_note_tests(own ON ${ARGN})
  plaq_note_tests(folder ${PROJECT_SOURCE_DIR} ${ARGN})
endfunction()
function(plaq_test_threads number)
  plaq_note_tests(threads ${number} ${ARGN})
endfunction()
function(plaq_test_slow seconds)
  plaq_note_tests(slow ${seconds} ${ARGN})
  plaq_note_tests(own ON ${ARGN})
endfunction()

function(plaq_tests program)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "THREADS" "KERNELS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "plaq_tests(${program}): what is ${arg_UNPARSED_ARGUMENTS}?")
  endif()
  string(REGEX REPLACE "/.*" "" room ${program})
  string(REPLACE "/" "_" target test_${program})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} ${program}/*_test.cpp)
  if(CMAKE_BUILD_TYPE STREQUAL "Debug")  # minutes even when optimised
    list(REMOVE_ITEM sources kernels/gauge/gauge_ensemble_test.cpp)
  endif()
  add_executable(${target} ${sources} main.cpp)
  plaq_join_tests(${target} ${sources})
  plaq_link(${target})
  target_link_libraries(${target} PRIVATE plaq_test_support plaq_reference GTest::gtest)
  if(room MATCHES "^(io|jobs)$")  # they read and write HDF5 without plaq
    target_link_libraries(${target} PRIVATE ${PLAQ_hdf5_LIBRARY})
  endif()

  # They take half of the time to compile so. Kernels of tests are compiled as the library.
  target_compile_options(${target} PRIVATE "${plaq_half_optimised}")
  target_precompile_headers(${target} REUSE_FROM plaq_test_headers)
  if(arg_KERNELS)
    list(TRANSFORM arg_KERNELS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/${program}/)
    add_library(${target}_kernels OBJECT ${arg_KERNELS})
    if(PLAQ_WITH_CUDA)
      plaq_as_cuda(device_kernels ${arg_KERNELS})
      target_sources(${target}_kernels PRIVATE ${device_kernels})
    endif()
    target_link_libraries(${target}_kernels PRIVATE plaq_flags plaq plaq_reference)
    plaq_fully_optimised(${target}_kernels)
    target_link_libraries(${target} PRIVATE ${target}_kernels)
  endif()

  if(NOT arg_THREADS)
    set(arg_THREADS 2)
    if(room MATCHES "^(comms|io|jobs|quarks|dynamics|observables|plaq)$")
      set(arg_THREADS 1)
    endif()
  endif()
  set(runs "")   # of files that share a process: their names
  set(table "")  # for main.cpp: which file is in which run
  foreach(source IN LISTS sources)
    string(REGEX REPLACE "_test[.]cpp$" "" file ${source})
    foreach(property ranks own folder threads slow)
      get_property(${property} GLOBAL PROPERTY plaq_test_${property}_${file})
    endforeach()
    if(NOT threads)
      set(threads ${arg_THREADS})
    endif()
    set(suffix "")
    if(NOT threads EQUAL arg_THREADS)
      set(suffix .omp${threads})
    endif()
    set(runs_of_file "")
    if(own)
      set(seconds 300)
      set(labels ${room})
      set(limit "")
      if(slow)
        set(seconds ${slow})
        set(limit --seconds=${slow})
        list(APPEND labels slow)
      endif()
      if(NOT ranks)
        plaq_register_test(${file} 0 ${threads} ${target} --file=${file} ${limit})
        set(names ${file})
      else()
        set(names "")
        foreach(number IN LISTS ranks)
          plaq_register_test(${file}.np${number} ${number} ${threads} ${target} --mpi --file=${file} ${limit})
          list(APPEND names ${file}.np${number})
        endforeach()
      endif()
      set_tests_properties(${names} PROPERTIES LABELS "${labels}" TIMEOUT ${seconds})
      if(folder)
        set_tests_properties(${names} PROPERTIES WORKING_DIRECTORY ${folder})
      endif()
    elseif(NOT ranks)
      set(runs_of_file plain${suffix})
    else()
      foreach(number IN LISTS ranks)
        if(number EQUAL 1)
          list(APPEND runs_of_file np1${suffix})
        else()
          list(APPEND runs_of_file np${number})
        endif()
      endforeach()
    endif()
    foreach(run IN LISTS runs_of_file)
      set(threads_of_${run} ${threads})
    endforeach()
    list(APPEND runs ${runs_of_file})
    list(JOIN runs_of_file " " words)
    string(APPEND table "    {\"${file}\", \"${words}\"},\n")
  endforeach()

  list(REMOVE_DUPLICATES runs)
  list(SORT runs COMPARE NATURAL)
  foreach(run IN LISTS runs)
    set(name ${program}.${run})
    string(REGEX REPLACE "[.]plain" "" name ${name})
    set(number 0)
    if(run MATCHES "^np([0-9]+)")
      set(number ${CMAKE_MATCH_1})
    endif()
    plaq_register_test(${name} ${number} ${threads_of_${run}} ${target} --run=${run})
    set_tests_properties(${name} PROPERTIES LABELS "${room}" TIMEOUT 1500)  # main.cpp ends a case that hangs
  endforeach()

  set(text "#include \"tests/test_files.hpp\"\n\nconst std::vector<plaq::test::TestFile> plaq::test::test_files = {\n")
  string(APPEND text "${table}};\n")
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${target}_files.cpp CONTENT "${text}" @ONLY)
  target_sources(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/${target}_files.cpp)
endfunction()

# A test of CTest: the executable `target` with these arguments on `ranks` ranks, or, 0, without MPI.
function(plaq_register_test name ranks threads target)
  set(command $<TARGET_FILE:${target}> ${ARGN})
  set(processors 1)  # also of two threads: most of the time goes into what one of them does
  if(ranks GREATER 1)
    set(command ${mpirun} -np ${ranks} ${command})
    set(processors ${ranks})
    set(threads 1)
  endif()
  add_test(NAME ${name} COMMAND ${command})
  set_tests_properties(${name} PROPERTIES PROCESSORS ${processors}
    ENVIRONMENT "${test_environment};OMP_NUM_THREADS=${threads}")
endfunction()
