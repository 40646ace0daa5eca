# Headers that most sources read, parsed once. CUDA does without. Every source still includes what it uses: the debug preset
# has no precompiled header and shows whether it does.
set(precompiled
  algorithm array chrono cmath cstdint cstring filesystem functional map memory optional span string string_view utility
  variant vector mpi.h fmt/format.h)
set(precompiled_plaq ${precompiled})
set(precompiled_plaq_control ${precompiled} fmt/ranges.h nlohmann/json.hpp)
foreach(target plaq plaq_control)
  list(TRANSFORM precompiled_${target} REPLACE "(.+)" "$<$<COMPILE_LANGUAGE:CXX>:<\\1$<ANGLE-R>>")
  target_precompile_headers(${target} PRIVATE ${precompiled_${target}})
  # GCC 12 and 13 take what comes from it for our own code, and see strings overrun that are not.
  if(NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
    foreach(warning array-bounds stringop-overread stringop-overflow)
      target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-${warning}>)
    endforeach()
  endif()
endforeach()
