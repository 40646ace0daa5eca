# How a room names its files. Paths are relative to the CMakeLists.txt that calls.

function(plaq_absolute result)
  list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  set(${result} ${ARGN} PARENT_SCOPE)
endfunction()

# Plain C++.
function(plaq_sources)
  plaq_absolute(files ${ARGN})
  target_sources(plaq PRIVATE ${files})
  plaq_join(${ARGN})
endfunction()

# Kernel sources: compiled as C++ and, with CUDA, once more as CUDA (by cmake/device).
function(plaq_kernels)
  plaq_absolute(files ${ARGN})
  target_sources(plaq PRIVATE ${files})
  set_property(GLOBAL APPEND PROPERTY PLAQ_KERNELS ${files})
endfunction()

# Kernel sources of what devices alone have: compiled as CUDA only.
function(plaq_device_kernels)
  plaq_absolute(files ${ARGN})
  set_property(GLOBAL APPEND PROPERTY PLAQ_KERNELS ${files})
endfunction()

# CUDA only: left out of a build without it.
function(plaq_cuda_sources)
  if(PLAQ_WITH_CUDA)
    plaq_absolute(files ${ARGN})
    target_sources(plaq PRIVATE ${files})
  endif()
endfunction()
