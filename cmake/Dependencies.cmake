# plaq_dependencies: every library outside this repository that plaq is compiled or linked against.
# Found in the system, under CMAKE_PREFIX_PATH, or (headers) in CPATH.
add_library(plaq_dependencies INTERFACE)
set(missing "")  # Debian's names of the packages that were not found

set(extra_includes $ENV{CPATH} $ENV{CPLUS_INCLUDE_PATH})
string(REPLACE ":" ";" extra_includes "${extra_includes}")
set(extra_libraries $ENV{LIBRARY_PATH})
string(REPLACE ":" ";" extra_libraries "${extra_libraries}")

# A library of one header directory and, with NAMES, one library file. SUFFIXES: where distributions hide them.
# INSIDE: the library file is for plaq itself to link, not for all that link plaq.
function(plaq_find name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "INSIDE" "HEADER;PACKAGE" "NAMES;SUFFIXES;HINTS")
  find_path(PLAQ_${name}_INCLUDE ${arg_HEADER} HINTS ${arg_HINTS} ${extra_includes}
    PATH_SUFFIXES include ${arg_SUFFIXES})
  set(found PLAQ_${name}_INCLUDE)
  if(arg_NAMES)
    find_library(PLAQ_${name}_LIBRARY NAMES ${arg_NAMES} HINTS ${arg_HINTS} ${extra_libraries}
      PATH_SUFFIXES lib ${arg_SUFFIXES})
    list(APPEND found PLAQ_${name}_LIBRARY)
  endif()
  mark_as_advanced(${found})
  add_library(plaq_${name} INTERFACE IMPORTED)
  foreach(variable IN LISTS found)
    if(NOT ${variable})
      set(missing ${missing} ${arg_PACKAGE} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  target_include_directories(plaq_${name} INTERFACE ${PLAQ_${name}_INCLUDE})
  if(NOT arg_INSIDE)
    target_link_libraries(plaq_${name} INTERFACE ${PLAQ_${name}_LIBRARY})
  endif()
  target_link_libraries(plaq_dependencies INTERFACE plaq_${name})
  message(STATUS "plaq: ${name}: ${PLAQ_${name}_INCLUDE} ${PLAQ_${name}_LIBRARY}")
endfunction()

# A package with a CMake configuration of its own.
macro(plaq_find_package name target package)
  find_package(${name} QUIET)
  if(TARGET ${target})
    target_link_libraries(plaq_dependencies INTERFACE ${target})
    message(STATUS "plaq: ${name}: ${${name}_VERSION}${${name}_C_VERSION} ${${name}_DIR}")
  else()
    list(APPEND missing ${package})
  endif()
endmacro()

plaq_find_package(MPI MPI::MPI_C "libopenmpi-dev openmpi-bin")
target_compile_definitions(plaq_dependencies INTERFACE OMPI_SKIP_MPICXX=1 MPICH_SKIP_MPICXX=1)  # C interface only
plaq_find_package(fmt fmt::fmt libfmt-dev)
plaq_find_package(spdlog spdlog::spdlog libspdlog-dev)
find_package(OpenMP COMPONENTS CXX QUIET)
if(NOT OpenMP_CXX_FOUND)
  list(APPEND missing "g++ or libomp-dev")
endif()

plaq_find(hdf5 INSIDE HEADER hdf5.h NAMES hdf5 hdf5_serial SUFFIXES hdf5/serial PACKAGE libhdf5-dev
  HINTS ${HDF5_ROOT} $ENV{HDF5_ROOT} $ENV{HDF5_DIR})
plaq_find(boost HEADER boost/multiprecision/cpp_bin_float.hpp PACKAGE libboost-dev)  # dynamics/rational/remez.cpp
plaq_find(cli11 HEADER CLI/CLI.hpp PACKAGE libcli11-dev)
plaq_find(json HEADER nlohmann/json.hpp PACKAGE nlohmann-json3-dev)
plaq_find(pugixml HEADER pugixml.hpp NAMES pugixml PACKAGE libpugixml-dev)
plaq_find(random123 HEADER Random123/philox.h PACKAGE librandom123-dev)
plaq_find(tomlplusplus HEADER toml++/toml.h PACKAGE libtomlplusplus-dev)
target_compile_definitions(plaq_tomlplusplus INTERFACE TOML_HEADER_ONLY=1)
plaq_find(zlib HEADER zlib.h NAMES z PACKAGE zlib1g-dev)

# For the few sources that name it (solvers/CMakeLists.txt).
find_path(PLAQ_eigen_INCLUDE Eigen/Eigenvalues HINTS ${extra_includes} PATH_SUFFIXES include eigen3 include/eigen3)
mark_as_advanced(PLAQ_eigen_INCLUDE)
if(PLAQ_eigen_INCLUDE)
  message(STATUS "plaq: eigen: ${PLAQ_eigen_INCLUDE}")
else()
  list(APPEND missing libeigen3-dev)
endif()

if(PLAQ_TESTS)
  find_package(GTest QUIET)
  if(NOT TARGET GTest::gtest)
    list(APPEND missing libgtest-dev)
  endif()
endif()

# Only its header: the library is loaded when a job starts (comms/placement/hwloc_library.hpp).
find_path(PLAQ_hwloc_INCLUDE hwloc.h HINTS ${HWLOC_ROOT} $ENV{HWLOC_ROOT} $ENV{HWLOC_HOME} ${extra_includes}
  PATH_SUFFIXES include)
mark_as_advanced(PLAQ_hwloc_INCLUDE)
set(hwloc_version 0)
if(PLAQ_hwloc_INCLUDE)
  file(STRINGS ${PLAQ_hwloc_INCLUDE}/hwloc.h hwloc_version REGEX "^#define HWLOC_API_VERSION ")
  string(REGEX MATCH "0x[0-9a-fA-F]+" hwloc_version "${hwloc_version}")
  math(EXPR hwloc_version "${hwloc_version} >> 8")  # 2 * 256 + 1 is 2.1
endif()
if(hwloc_version GREATER_EQUAL 513 AND hwloc_version LESS 768)
  target_include_directories(plaq_dependencies SYSTEM INTERFACE ${PLAQ_hwloc_INCLUDE})
  target_compile_definitions(plaq_dependencies INTERFACE PLAQ_WITH_HWLOC=1)
  message(STATUS "plaq: hwloc: ${PLAQ_hwloc_INCLUDE}")
else()
  message(STATUS "plaq: without hwloc: no hwloc.h of 2.1 or newer 2.x found (Debian: libhwloc-dev)")
endif()

find_package(Threads REQUIRED)
target_link_libraries(plaq_dependencies INTERFACE Threads::Threads ${CMAKE_DL_LIBS})
if(PLAQ_WITH_CUDA)
  # plaq holds the runtime. Where there are tests they share one with it (cmake/SharedLibrary.cmake).
  target_link_libraries(plaq_dependencies INTERFACE
    $<IF:$<BOOL:$<TARGET_PROPERTY:PLAQ_SHARES_CUDART>>,CUDA::cudart,CUDA::cudart_static>)
  target_compile_definitions(plaq_dependencies INTERFACE PLAQ_WITH_CUDA=1)
  # Only its header: the library is loaded when a job wants it (comms/gpus/nccl_library.hpp).
  find_path(PLAQ_nccl_INCLUDE nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS} $ENV{NCCL_HOME} $ENV{NCCL_ROOT} ${extra_includes}
    PATH_SUFFIXES include)
  mark_as_advanced(PLAQ_nccl_INCLUDE)
  if(PLAQ_nccl_INCLUDE)
    target_include_directories(plaq_dependencies SYSTEM INTERFACE ${PLAQ_nccl_INCLUDE})
    target_compile_definitions(plaq_dependencies INTERFACE PLAQ_WITH_NCCL=1)
    message(STATUS "plaq: nccl: ${PLAQ_nccl_INCLUDE}")
  else()
    message(STATUS "plaq: without NCCL: no nccl.h found")
  endif()
  # Likewise (gaugefix/fourier/cufft_library.hpp), for the few sources that name PLAQ_WITH_CUFFT.
  find_path(PLAQ_cufft_INCLUDE cufft.h HINTS ${CUDAToolkit_INCLUDE_DIRS} ${extra_includes} PATH_SUFFIXES include)
  mark_as_advanced(PLAQ_cufft_INCLUDE)
  if(PLAQ_cufft_INCLUDE)
    message(STATUS "plaq: cufft: ${PLAQ_cufft_INCLUDE}")
  else()
    message(STATUS "plaq: without cuFFT: no cufft.h found")
  endif()
  # And multigrid/bottom/cusolver_inverse.cpp, with PLAQ_WITH_CUSOLVER.
  find_path(PLAQ_cusolver_INCLUDE cusolverDn.h HINTS ${CUDAToolkit_INCLUDE_DIRS} ${extra_includes} PATH_SUFFIXES include)
  mark_as_advanced(PLAQ_cusolver_INCLUDE)
  if(PLAQ_cusolver_INCLUDE)
    message(STATUS "plaq: cusolver: ${PLAQ_cusolver_INCLUDE}")
  else()
    message(STATUS "plaq: without cuSOLVER: no cusolverDn.h found")
  endif()
endif()

if(missing)
  list(REMOVE_DUPLICATES missing)
  list(JOIN missing " " missing)
  message(FATAL_ERROR "plaq: libraries are missing. On Debian or Ubuntu:\n"
    "  apt-get install ${missing}\n"
    "Elsewhere, install them and name where in CMAKE_PREFIX_PATH.\n")
endif()
