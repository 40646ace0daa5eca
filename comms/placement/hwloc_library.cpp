#include "comms/placement/hwloc_library.hpp"

#if defined(PLAQ_WITH_HWLOC)
#include <optional>

#include "core/system/shared_library.hpp"

namespace plaq {
namespace {

std::optional<HwlocLibrary> load_library() {
  try {
    const SharedLibrary library("libhwloc.so.15", "hwloc", ErrorKind::device);  // 15: all of 2.x
    HwlocLibrary hwloc;
    library.find(hwloc.get_api_version, "hwloc_get_api_version");
    library.find(hwloc.init, "hwloc_topology_init");
    library.find(hwloc.destroy, "hwloc_topology_destroy");
    library.find(hwloc.set_components, "hwloc_topology_set_components");
    library.find(hwloc.set_flags, "hwloc_topology_set_flags");
    library.find(hwloc.set_io_types_filter, "hwloc_topology_set_io_types_filter");
    library.find(hwloc.set_xmlbuffer, "hwloc_topology_set_xmlbuffer");
    library.find(hwloc.load, "hwloc_topology_load");
    library.find(hwloc.get_type_depth, "hwloc_get_type_depth");
    library.find(hwloc.get_obj_by_depth, "hwloc_get_obj_by_depth");
    library.find(hwloc.bitmap_next, "hwloc_bitmap_next");
    if (hwloc.get_api_version() >> 16 == HWLOC_API_VERSION >> 16) return hwloc;
  } catch (const Error&) {  // not installed, or too old
  }
  return std::nullopt;
}

}  // namespace

const HwlocLibrary* HwlocLibrary::get() {
  static const std::optional<HwlocLibrary> hwloc = load_library();
  return hwloc ? &*hwloc : nullptr;
}

}  // namespace plaq
#endif
