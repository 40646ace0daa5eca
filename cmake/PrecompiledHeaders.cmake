# What most sources read, parsed once. CUDA does without. Every source still includes what it uses: the debug preset
# has no precompiled header and shows whether it does.
set(precompiled
  algorithm array chrono cmath cstdint cstring filesystem functional map memory optional span string string_view utility
  variant vector mpi.h fmt/format.h)
list(TRANSFORM precompiled REPLACE "(.+)" "$<$<COMPILE_LANGUAGE:CXX>:<\\1$<ANGLE-R>>")
target_precompile_headers(plaq PRIVATE ${precompiled})
# GCC 12 and 13 take what comes from it for our own code, and see strings overrun that are not.
if(NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
  foreach(warning array-bounds stringop-overread stringop-overflow)
    target_compile_options(plaq PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-${warning}>)
  endforeach()
endif()
