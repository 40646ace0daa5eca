# How plaq is linked with HDF5.
#
#   plaq_hdf5_libraries    what libplaq is linked with; PLAQ_hdf5_LIBRARY, which was found, is for tests
#   plaq_hdf5_is_carried   whether an installed tree may carry them
#
# Some distributions (Debian, Ubuntu) build HDF5 with a driver for S3, which loads curl, OpenSSL, Kerberos and LDAP into
# every process, 30 libraries that plaq never calls. Their archive lies beside: what is linked of it leaves the driver out.
# Where there is none that can be part of a shared library, HDF5 is linked as it was found and not carried.
set(network "^lib(curl|ssl|crypto|gnutls|gssapi|krb5|ldap|ssh|nghttp|hdfs|jvm)")
set(plaq_hdf5_libraries ${PLAQ_hdf5_LIBRARY})
set(plaq_hdf5_is_carried ON)

# In `result`: the shared libraries that `file` needs, and those that they need, but for the C library; paths.
function(plaq_library_closure result file)
  set(list ${PROJECT_BINARY_DIR}/CMakeFiles/closure.txt)
  file(REMOVE ${list})
  execute_process(COMMAND ${CMAKE_COMMAND} -DFILE=${file} -DLIST=${list} -P ${PROJECT_SOURCE_DIR}/cmake/LibraryClosure.cmake)
  set(paths "")
  if(EXISTS ${list})
    file(STRINGS ${list} paths)
  endif()
  set(${result} "${paths}" PARENT_SCOPE)
endfunction()

if(PLAQ_hdf5_LIBRARY MATCHES "[.]so")
  plaq_library_closure(closure ${PLAQ_hdf5_LIBRARY})
  set(names "${closure}")
  list(TRANSFORM names REPLACE ".*/" "")
  list(FILTER names INCLUDE REGEX "${network}")
  if(NOT names)
    list(APPEND plaq_hdf5_libraries ${closure})  # all of them in libplaq: RUNPATH is for direct ones alone
  else()
    set(plaq_hdf5_is_carried OFF)
    string(REGEX REPLACE "[.]so[.0-9]*$" ".a" archive "${PLAQ_hdf5_LIBRARY}")
    # Libraries that HDF5 needs, and libraries that those need.
    set(libraries "")
    execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${PLAQ_hdf5_LIBRARY} OUTPUT_VARIABLE header ERROR_QUIET)
    string(REGEX MATCHALL "NEEDED +[^ \n]+" direct "${header}")
    foreach(path IN LISTS closure)
      cmake_path(GET path FILENAME name)
      if("${direct}" MATCHES "NEEDED +${name}(;|$)" AND NOT name MATCHES "${network}")
        plaq_library_closure(more ${path})
        list(APPEND libraries ${path} ${more})
      endif()
    endforeach()
    list(REMOVE_DUPLICATES libraries)
    set(streams ${PROJECT_SOURCE_DIR}/cmake/hdf5_streams.cpp)
    set(wrap LINKER:--wrap=stdout,--wrap=stderr)
    if(EXISTS ${archive} AND NOT DEFINED PLAQ_HDF5_ARCHIVE_SERVES)
      set(probe ${PROJECT_BINARY_DIR}/CMakeFiles/hdf5_probe.cpp)
      file(CONFIGURE OUTPUT ${probe} CONTENT "#include <hdf5.h>
long open_file(const char* path) { return H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT); }\n" @ONLY)
      try_compile(PLAQ_HDF5_ARCHIVE_SERVES SOURCES ${probe} ${streams}
        CMAKE_FLAGS -DINCLUDE_DIRECTORIES=${PLAQ_hdf5_INCLUDE}
        COMPILE_DEFINITIONS -fPIC
        LINK_OPTIONS -shared LINKER:-z,defs LINKER:--exclude-libs,ALL ${wrap}
        LINK_LIBRARIES ${archive} ${libraries} ${CMAKE_DL_LIBS} m)
    endif()
    if(PLAQ_HDF5_ARCHIVE_SERVES)
      set(plaq_hdf5_libraries ${archive} ${libraries})
      set(plaq_hdf5_is_carried ON)
      target_sources(plaq PRIVATE ${streams})
      cmake_path(GET archive FILENAME archive_name)
      target_link_options(plaq PRIVATE ${wrap} LINKER:--exclude-libs,${archive_name})
    endif()
  endif()
endif()
if(plaq_hdf5_is_carried)
  message(STATUS "plaq: HDF5 of libplaq: ${plaq_hdf5_libraries}")
else()
  message(STATUS "plaq: HDF5 needs network libraries (${names}): an installed tree carries none of them. "
    "HDF5_ROOT may name one without (-DHDF5_ENABLE_ROS3_VFD=OFF)")
endif()
target_link_libraries(plaq PRIVATE ${plaq_hdf5_libraries})
