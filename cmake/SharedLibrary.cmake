# plaq_shared: the objects of plaq as a shared library, for the tests alone: an executable of theirs is then a few MB and
# linked in a moment. The program holds what it needs of the static library, as ever.
#   plaq_link_shared(test_core)
if(NOT PLAQ_TESTS)
  return()
endif()
set_target_properties(plaq PROPERTIES POSITION_INDEPENDENT_CODE ON)
# Nobody replaces our functions when a program starts, so the compiler may inline them, as it does in a program.
target_compile_options(plaq PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-semantic-interposition>)

# Two copies of CUDA's runtime in one process, of the library and of a test's kernels, would know nothing of each other.
function(plaq_share_cudart target)
  if(TARGET CUDA::cudart)
    set_target_properties(${target} PROPERTIES PLAQ_SHARES_CUDART ON CUDA_RUNTIME_LIBRARY Shared)
  endif()
endfunction()

file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/plaq_shared.cpp CONTENT "// All is in the static library.\n")
add_library(plaq_shared SHARED ${PROJECT_BINARY_DIR}/plaq_shared.cpp)
target_link_libraries(plaq_shared PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,plaq> INTERFACE plaq_dependencies)
target_include_directories(plaq_shared INTERFACE ${PROJECT_SOURCE_DIR})
set_target_properties(plaq_shared PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
target_link_options(plaq_shared PRIVATE LINKER:-Bsymbolic-functions)
plaq_share_cudart(plaq_shared)

function(plaq_link_shared target)
  target_link_libraries(${target} PRIVATE plaq_flags plaq_shared)
  set_target_properties(${target} PROPERTIES LINK_DEPENDS_NO_SHARED ON)
  plaq_share_cudart(${target})
endfunction()
