// Sealed HDF5 files that libhdf5 itself wrote, of any structure: the input is read as orders to make groups,
// datasets, links (in circles too) and attributes of types and sizes that plaq does not write.
#include <array>
#include <cstring>

#include "io/bytes/file_seal.hpp"
#include "jobs/results/hdf5_handle.hpp"
#include "jobs/results/result_file.hpp"
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/memory_file.hpp"

namespace {

using namespace plaq;

// Bytes of the input one after the other, zeros behind its end.
class Orders {
 public:
  explicit Orders(std::string_view bytes) : bytes_(bytes) {}
  bool done() const { return bytes_.empty(); }
  unsigned next(unsigned below) {
    if (done()) return 0;
    const auto value = static_cast<unsigned char>(bytes_.front());
    bytes_.remove_prefix(1);
    return value % below;
  }
  std::string name() {
    static constexpr std::array names = {"a",           "plaq_version", "job_type", "b",
                                         "correlators", "axes",         "units",    "\xff\n"};
    return names[next(names.size())];
  }

 private:
  std::string_view bytes_;
};

hid_t type_of(Orders& orders) {
  switch (orders.next(11)) {
    case 0:
      return H5Tcopy(H5T_IEEE_F64LE);
    case 1:
      return H5Tcopy(H5T_STD_I64LE);
    case 2:
      return H5Tcopy(H5T_STD_U64BE);
    case 3:
      return H5Tcopy(H5T_STD_I8LE);
    case 4:
      return H5Tcopy(H5T_IEEE_F32BE);
    case 5:
    case 6: {  // a text of variable length
      const hid_t type = H5Tcopy(H5T_C_S1);
      H5Tset_size(type, H5T_VARIABLE);
      return type;
    }
    case 7: {  // of a fixed one
      const hid_t type = H5Tcopy(H5T_C_S1);
      H5Tset_size(type, 1 + orders.next(200));
      return type;
    }
    case 8: {
      const hid_t type = H5Tcreate(H5T_COMPOUND, 16);
      H5Tinsert(type, "re", 0, H5T_IEEE_F64LE);
      H5Tinsert(type, "im", 8, H5T_IEEE_F64LE);
      return type;
    }
    case 9: {
      const hsize_t three = 3;
      return H5Tarray_create2(H5T_STD_I32LE, 1, &three);
    }
    default:
      return H5Tcreate(H5T_OPAQUE, 1 + orders.next(30));
  }
}

hid_t space_of(Orders& orders) {
  const unsigned kind = orders.next(6);
  if (kind == 0) return H5Screate(H5S_NULL);
  if (kind == 1) return H5Screate(H5S_SCALAR);
  std::array<hsize_t, 3> sizes{};
  for (auto& size : sizes) size = orders.next(7);
  return H5Screate_simple(1 + static_cast<int>(kind) % 3, sizes.data(), nullptr);
}

void add_attribute(hid_t object, const std::string& name, Orders& orders) {
  const Hdf5Handle type(type_of(orders), H5Tclose), space(space_of(orders), H5Sclose);
  const Hdf5Handle attribute(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT),
                             H5Aclose);
  if (attribute < 0 || orders.next(2) == 0) return;  // without a value
  const auto points = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space));
  if (H5Tis_variable_str(type) > 0) {
    const std::string text = orders.name();
    std::vector<const char*> texts(points, text.c_str());
    H5Awrite(attribute, type, texts.data());
  } else {
    const std::vector<char> values(points * H5Tget_size(type), static_cast<char>(orders.next(256)));
    H5Awrite(attribute, type, values.data());
  }
}

std::string file_of(Orders orders) {
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_core(access, 1 << 14, false);
  const Hdf5Handle file(H5Fcreate("fuzz", H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
  std::vector<Hdf5Handle> objects;
  objects.emplace_back(H5Oopen(file, "/", H5P_DEFAULT), H5Oclose);
  const auto any = [&]() -> hid_t { return objects[orders.next(static_cast<unsigned>(objects.size()))]; };
  const auto keep = [&](hid_t object) {
    if (object >= 0) objects.emplace_back(object, H5Oclose);
  };
  while (!orders.done() && objects.size() < 200) {
    const unsigned order = orders.next(6);
    const hid_t at = any();
    const std::string name = orders.name();
    switch (order) {
      case 0:
        keep(H5Gcreate2(at, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        break;
      case 1: {
        const Hdf5Handle type(type_of(orders), H5Tclose), space(space_of(orders), H5Sclose);
        keep(H5Dcreate2(at, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        break;
      }
      case 2:
        H5Olink(any(), at, name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
        break;
      case 3:
        H5Lcreate_soft(orders.name().c_str(), at, name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
        break;
      case 4: {
        const Hdf5Handle type(type_of(orders), H5Tclose);
        H5Tcommit2(at, name.c_str(), type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        break;
      }
      default:
        add_attribute(at, name, orders);
    }
  }
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  std::string bytes(static_cast<std::size_t>(H5Fget_file_image(file, nullptr, 0)), '\0');
  H5Fget_file_image(file, bytes.data(), bytes.size());
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const Hdf5Silence silence;
  std::string sealed = file_of(Orders(fuzz::text_of(bytes, std::min<std::size_t>(size, 1000))));
  const auto seal = make_seal(std::as_bytes(std::span(sealed)));
  sealed.append(reinterpret_cast<const char*>(seal.data()), seal.size());
  const fuzz::MemoryFile file(sealed);
  return fuzz::fuzz_input(bytes, size, [&](const ByteSource&) { jobs::read_result_file(file.path()); });
}

std::vector<std::string> plaq::fuzz::fuzz_seeds() {
  // An order is its number, where (the number of an object), a name, and what it needs besides. All begin
  // with the attributes plaq_version and job_type of the root.
  const std::string root("\5\0\1\5\1\1\0\5\0\2\5\1\1\0", 14);
  std::vector<std::string> seeds = {root};
  for (const std::string& more : {
           std::string("\0\0\0\0\1\3\0\2\0", 9),                       // groups in groups
           std::string("\1\0\3\0\3\4\1\1\1\0\4\1\4\2\3\4", 16),        // datasets
           std::string("\0\0\0\2\1\3\1\2\1\4\1", 11),                  // a group in itself, twice
           std::string("\3\0\3\0", 4),                                 // a link to nowhere
           std::string("\5\0\5\7\20\1\1\41\5\0\6\0\2\3\1\1\1\0", 18),  // a text of fixed length, reals
           std::string("\4\0\3\10", 4),                                // a type with a name
       })
    seeds.push_back(root + more);
  return seeds;
}
