# plaq, the library: its objects are compiled once, and the program, the Python module and the tests share them.
#   plaq_link(test_core)
set_target_properties(plaq PROPERTIES DEFINE_SYMBOL "" LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
# Nobody replaces our functions when a program starts, so the compiler may inline them, as it does in a program, and the linker
# binds calls.
foreach(target plaq plaq_control)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-semantic-interposition>)
endforeach()
target_link_options(plaq PRIVATE LINKER:-Bsymbolic-functions)
# Archives in it (CUDA's runtime, HDF5 in cmake/Hdf5.cmake) are for nobody else: by name, since a static C++ runtime must be one
# for the whole process. All that it is linked with it needs itself (cmake/Install.cmake).
target_link_options(plaq PRIVATE LINKER:--exclude-libs,libcudart_static.a LINKER:--no-as-needed)
set(visible_symbols ${CMAKE_CURRENT_LIST_DIR}/visible_symbols.map)
target_link_options(plaq PRIVATE LINKER:--version-script=${visible_symbols})
set_property(TARGET plaq APPEND PROPERTY LINK_DEPENDS ${visible_symbols})

# Tests have kernels of their own. Two copies of CUDA's runtime in one process would know nothing of each other.
function(plaq_share_cudart target)
  if(PLAQ_TESTS AND TARGET CUDA::cudart)
    set_target_properties(${target} PROPERTIES PLAQ_SHARES_CUDART ON CUDA_RUNTIME_LIBRARY Shared)
  endif()
endfunction()
plaq_share_cudart(plaq)

function(plaq_link target)
  target_link_libraries(${target} PRIVATE plaq_flags plaq)
  set_target_properties(${target} PROPERTIES LINK_DEPENDS_NO_SHARED ON)
  plaq_share_cudart(${target})
endfunction()
