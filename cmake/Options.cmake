# What a user may choose, with the defaults.
option(PLAQ_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(PLAQ_WERROR "Treat warnings as errors: for those who change plaq" OFF)

option(PLAQ_CARRY_LIBRARIES "Install the shared libraries that plaq needs and that another machine may lack, beside it" ON)

set(static ON)
if(SKBUILD)  # a wheel is for Python alone
  set(static OFF)
endif()
option(PLAQ_STATIC "Install libplaq.a beside libplaq.so" ${static})

option(PLAQ_JOIN_SOURCES "Compile plain sources folder by folder: a first build is faster, one after a change slower" OFF)

set(PLAQ_PYTHON_DIRECTORY lib/python/plaq CACHE STRING "Where the Python package is installed, in the tree")
mark_as_advanced(PLAQ_PYTHON_DIRECTORY)

set(PLAQ_CUDA AUTO CACHE STRING "Build for GPUs: ON, OFF, or AUTO (when the CUDA toolkit is there)")
set_property(CACHE PLAQ_CUDA PROPERTY STRINGS AUTO ON OFF)

option(PLAQ_QUICK_DEVICE_CODE "Do not optimise device code: for builds that show whether it compiles, by nvcc 12.9 or newer" OFF)
mark_as_advanced(PLAQ_QUICK_DEVICE_CODE)

set(PLAQ_SANITIZE "" CACHE STRING "Sanitizers of the host compiler, such as address,undefined; none when empty")

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  set(default_isa x86-64-v3)
endif()
set(PLAQ_HOST_ISA "${default_isa}" CACHE STRING
  "Instruction set of the host, as in -march= (native: this machine's own; empty: the compiler's default)")

get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(NOT multi_config AND NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, RelWithDebInfo or Debug" FORCE)
endif()

set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)

find_program(PLAQ_CCACHE ccache DOC "Compiler cache, used when found")
mark_as_advanced(PLAQ_CCACHE)
if(PLAQ_CCACHE)
  foreach(language C CXX CUDA)
    if(NOT DEFINED CMAKE_${language}_COMPILER_LAUNCHER)
      # Sources that include a precompiled header: its own contents are part of what the cache compares.
      set(CMAKE_${language}_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros ${PLAQ_CCACHE})
    endif()
  endforeach()
endif()
