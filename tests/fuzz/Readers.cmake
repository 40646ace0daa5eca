# Sources of the fuzz targets, compiled by GCC for CTest (CMakeLists.txt) and by clang++ for libFuzzer (libfuzzer/).
#
#   plaq_fuzz_readers(FLAGS...)   the library plaq_readers: every source of plaq below these folders, compiled for
#                                 sanitizers. Programs link it before plaq's own library, which has all else: a reader
#                                 that is new or has moved is here without being named.
set(reader_folders io jobs/results jobs/schema settings/schema settings/toml)
set(fuzz_header_targets eigenvectors laplacian_modes lime milc multigrid nersc openqcd propagator transformation)
set(fuzz_job_targets journal results_bytes tuning)
# Job files, files read whole, and HDF5: some milliseconds for an input.
set(fuzz_slow_targets job_file gauge_read multigrid_read propagator_read transformation_read results result_objects propagator_objects)
set(fuzz_targets ${fuzz_header_targets} ${fuzz_job_targets} ${fuzz_slow_targets})

cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH plaq_root)
cmake_path(GET plaq_root PARENT_PATH plaq_root)

function(plaq_fuzz_readers)
  list(TRANSFORM reader_folders APPEND /*.cpp)
  list(TRANSFORM reader_folders PREPEND ${plaq_root}/)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${plaq_root} ${reader_folders})
  add_library(plaq_readers SHARED)
  set_target_properties(plaq_readers PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS sources)
    target_sources(plaq_readers PRIVATE ${plaq_root}/${source})
    if(PLAQ_JOIN_SOURCES)
      string(REGEX REPLACE "/.*" "" room ${source})  # names in its anonymous namespaces differ
      set_source_files_properties(${plaq_root}/${source} PROPERTIES UNITY_GROUP ${room})
    endif()
  endforeach()
  target_compile_options(plaq_readers PUBLIC -fno-sanitize-recover=all -fno-omit-frame-pointer ${ARGN})
  target_compile_definitions(plaq_readers PUBLIC _GLIBCXX_ASSERTIONS)
endfunction()
