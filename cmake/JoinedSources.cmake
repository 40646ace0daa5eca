# PLAQ_JOIN_SOURCES: sources are compiled together, so that the headers that all of them include are read once: less than
# half of the time. Names in the anonymous namespaces of a group must then differ.
#
# A group are the plain sources that one CMakeLists.txt of plaq names, at most `sources_at_once` of them.
set(sources_at_once 40)

# Marks the sources of one CMakeLists.txt that are compiled together.
function(plaq_join)
  if(NOT PLAQ_JOIN_SOURCES)
    return()
  endif()
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE folder)
  string(REPLACE "/" "_" name ${folder})
  foreach(file IN LISTS ARGN)
    get_property(count GLOBAL PROPERTY plaq_joined_count_${name})
    if(NOT count)
      set(count 0)
    endif()
    math(EXPR group "${count} / ${sources_at_once}")
    math(EXPR count "${count} + 1")
    set_property(GLOBAL PROPERTY plaq_joined_count_${name} ${count})
    set_source_files_properties(${file} TARGET_DIRECTORY ${plaq_target} PROPERTIES UNITY_GROUP ${name}_${group})
  endforeach()
endfunction()

# Kernel sources and what is generated are joined as well, those of kernels/ and all others, as C++ and as CUDA: most of
# the time of a small one goes into headers, which nvcc reads four times. `ending`: cpp or cu; absolute paths. Names in
# anonymous namespaces must differ here, too.
function(plaq_join_or_add ending)
  if(NOT PLAQ_JOIN_SOURCES)
    target_sources(plaq PRIVATE ${ARGN})
    return()
  endif()
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE room)
  set(group others)
  if(room STREQUAL kernels)
    set(group kernels)
  endif()
  foreach(file IN LISTS ARGN)
    plaq_include_name(name ${file})
    set_property(GLOBAL APPEND_STRING PROPERTY plaq_joined_${group}_${ending} "#include \"${name}\"\n")
  endforeach()
endfunction()

# After all rooms: the sources that include what was joined.
function(plaq_add_joined_kernels)
  foreach(group kernels others)
    foreach(ending cpp cu)
      get_property(text GLOBAL PROPERTY plaq_joined_${group}_${ending})
      if(text)
        set(source ${plaq_generated}/joined_${group}.${ending})
        file(CONFIGURE OUTPUT ${source} CONTENT "${text}" @ONLY)
        target_sources(plaq PRIVATE ${source})
      endif()
    endforeach()
  endforeach()
endfunction()

# Test files, those of a folder, a few at once: most of the time of a short one goes into headers. Names in anonymous
# namespaces of a folder must differ here, too.
set(tests_at_once 6)

function(plaq_join_tests target)
  if(NOT PLAQ_JOIN_SOURCES)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS ARGN)
    cmake_path(GET source PARENT_PATH folder)
    string(REPLACE "/" "_" name ${folder})
    if(NOT DEFINED number_${name})
      set(number_${name} 0)
    endif()
    math(EXPR group "${number_${name}} / ${tests_at_once}")
    math(EXPR number_${name} "${number_${name}} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${name}_${group})
  endforeach()
endfunction()
