# How a room names its files. Paths are relative to the CMakeLists.txt that calls. Launches that are templates of storage
# and the like are named by plaq_instantiate (cmake/Instantiate.cmake).

function(plaq_absolute result)
  list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  set(${result} ${ARGN} PARENT_SCOPE)
endfunction()

# Plain C++. Rooms that compute nothing set plaq_target to plaq_text.
set(plaq_target plaq)
function(plaq_sources)
  plaq_absolute(files ${ARGN})
  target_sources(${plaq_target} PRIVATE ${files})
  plaq_join(${ARGN})
endfunction()

# Kernel sources: compiled as C++ and, with CUDA, once more as CUDA.
function(plaq_kernels)
  plaq_absolute(files ${ARGN})
  plaq_add_kernels(${files})
endfunction()

# CUDA only: left out of a build without it.
function(plaq_cuda_sources)
  if(PLAQ_WITH_CUDA)
    plaq_absolute(files ${ARGN})
    plaq_join_or_add(cu ${files})
  endif()
endfunction()

# Arguments are absolute paths. APART: not compiled together with others.
function(plaq_add_kernels)
  cmake_parse_arguments(PARSE_ARGV 0 arg APART "" "")
  set(files ${arg_UNPARSED_ARGUMENTS})
  if(arg_APART)
    target_sources(plaq PRIVATE ${files})
  else()
    plaq_join_or_add(cpp ${files})
  endif()
  if(PLAQ_WITH_CUDA)
    plaq_as_cuda(sources ${files})
    if(arg_APART)
      target_sources(plaq PRIVATE ${sources})
    else()
      plaq_join_or_add(cu ${sources})
    endif()
  endif()
endfunction()

set(plaq_generated ${PROJECT_BINARY_DIR}/instantiated)

# In `result`: CUDA sources that hold these C++ files.
function(plaq_as_cuda result)
  set(sources "")
  foreach(file IN LISTS ARGN)
    plaq_include_name(name ${file})
    string(REGEX REPLACE "[.]cpp$" ".cu" source ${plaq_generated}/${name})
    file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${name}\"\n" @ONLY)
    list(APPEND sources ${source})
  endforeach()
  set(${result} ${sources} PARENT_SCOPE)
endfunction()

# In `result`: by what name a generated source includes `file`.
function(plaq_include_name result file)
  foreach(folder ${PROJECT_SOURCE_DIR} ${plaq_generated})
    cmake_path(IS_PREFIX folder ${file} inside)
    if(inside)
      cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${folder} OUTPUT_VARIABLE name)
    endif()
  endforeach()
  set(${result} ${name} PARENT_SCOPE)
endfunction()
