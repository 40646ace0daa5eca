// One flipped bit anywhere in a file of any kind: noticed, unless it is where the format protects nothing.
// Prints how many were noticed in which part of the file.
#include "tests/io/gauge/flips.hpp"
#include "tests/io/stored_fields.hpp"

namespace plaq {
namespace {

using test::Part;
using test::Seen;

// Bit `bit` of byte `at` of a sound file.
struct Flip {
  const std::string& bytes;
  const test::StoredInfo& info;
  std::size_t at;
  int bit;

  bool in_links() const { return at >= info.data_offset && at < info.data_offset + info.data_bytes; }
  // By how much it changes the number of `size` bytes in which it is, the first one being at `begin`.
  double change(std::size_t begin, ByteOrder order) const {
    const std::size_t first = begin + (at - begin) / 8 * 8;
    std::byte number[8];
    std::memcpy(number, bytes.data() + first, 8);
    const double before = load<double>(number, order);
    number[at - first] ^= static_cast<std::byte>(1 << bit);
    return std::abs(load<double>(number, order) - before);
  }
};

Part nersc_part(const Flip& flip) {
  if (flip.in_links()) return {"links", Seen::refusal};
  const std::size_t end = flip.bytes.find('\n', flip.at);
  const std::size_t begin = flip.at == 0 ? 0 : flip.bytes.rfind('\n', flip.at - 1) + 1;
  const std::string line = flip.bytes.substr(begin, end - begin), key = line.substr(0, line.find(' '));
  const std::size_t value = begin + line.find("= ") + 2;
  if (key.ends_with("_HEADER") || key == "DATATYPE" || key == "FLOATING_POINT" ||
      key.starts_with("DIMENSION"))
    return {"header: what the links are", Seen::refusal};
  if (key == "CHECKSUM" && flip.at >= value && flip.at < end) {
    // a letter may become a capital
    const bool capital = flip.bytes[flip.at] >= 'a' && flip.bit == 5;
    return {capital ? "header: capitals of the checksum" : "header: checksum",
            capital ? Seen::nothing : Seen::refusal};
  }
  if (key == "PLAQUETTE" || key == "LINK_TRACE") {
    const std::size_t point = flip.bytes.find('.', begin);
    if (flip.at >= point && flip.at <= point + 5)
      return {"header: plaquette and link trace, 5 digits", Seen::refusal};
    if (flip.at >= value) return {"header: their other digits", Seen::nothing};
  }
  return {"header: optional keys, comments", Seen::nothing};
}

Part milc_part(const Flip& flip) {
  if (flip.in_links()) return {"links", Seen::refusal};
  if (flip.at < 20) return {"header: magic number and extents", Seen::refusal};
  if (flip.at < 84) return {"header: time stamp", Seen::nothing};
  return {flip.at < 88 ? "header: order of sites" : "header: checksums", Seen::refusal};
}

Part openqcd_part(const Flip& flip) {
  const ByteOrder order = flip.bytes[0] == 0 ? ByteOrder::big : ByteOrder::little;  // DDalphaAMG has both
  if (flip.at < 16) return {"header: extents", Seen::refusal};
  if (flip.at < 24)
    return flip.change(16, order) > 3.1e-6 ? Part{"header: plaquette, beyond 1e-6", Seen::refusal}
                                           : Part{"header: plaquette, below 1e-6", Seen::nothing};
  // A changed component x moves U U^dagger from 1 by at least half as much.
  return flip.change(24, order) > 2 * largest_deviation ? Part{"links, beyond 2e-5", Seen::refusal}
                                                        : Part{"links, below 2e-5", Seen::nothing};
}

Part lime_part(const Flip& flip) {
  return test::lime_part(flip.bytes, flip.info.data_offset, flip.info.data_bytes, flip.at, flip.bit);
}

Part milc_propagator_part(const Flip& flip) {
  const bool stamp = flip.at >= 20 && flip.at < 84;
  if (stamp) return {"header: time stamp", Seen::nothing};
  return {flip.in_links() ? "numbers and checksums" : "header, first checksum", Seen::refusal};
}

Part fnal_part(const Flip& flip) {
  if (flip.in_links()) return {"numbers", Seen::nothing};
  return {flip.at >= 4 && flip.at < 8 ? "header: time" : "header",
          flip.at >= 4 && flip.at < 8 ? Seen::nothing : Seen::refusal};
}

// Nothing in them is for others to edit.
Part own_part(const Flip& flip) {
  Part part = lime_part(flip);
  if (part.least == Seen::warning) part.least = Seen::refusal;
  return part;
}

Part hdf5_part(const Flip& flip) {
  if (flip.in_links()) return {"numbers", Seen::refusal};
  const std::size_t trailer = flip.bytes.rfind("plaqEDGE");
  // Without its first bytes there is no trailer, as in files of other programs.
  if (flip.at >= trailer && flip.at < trailer + 8) return {"trailer: its name", Seen::warning};
  return {flip.at > trailer ? "trailer" : "texts and structure of HDF5", Seen::refusal};
}

// One line for each format.
const std::map<std::string, Part (*)(const Flip&)> parts = {
    {"gauge nersc", nersc_part},
    {"gauge ildg", lime_part},
    {"gauge scidac", lime_part},
    {"gauge milc", milc_part},
    {"gauge openqcd", openqcd_part},
    {"propagator scidac", lime_part},
    {"propagator hdf5", hdf5_part},
    {"staggered scidac", lime_part},
    {"staggered hdf5", hdf5_part},
    {"transformation", lime_part},
    {"multigrid", own_part},
    {"eigenvectors", own_part},
    {"laplacian_modes", own_part},
    {"gauge ddalphaamg", openqcd_part},
    {"propagator milc", milc_propagator_part},
    {"staggered milc", milc_propagator_part},
    {"propagator fnal", fnal_part},
    {"staggered fnal", fnal_part},
};

class BitFlip : public testing::TestWithParam<test::StoredField> {};

// Staggered quarks need one order of the phases only, eigenvectors only color vectors.
std::vector<test::StoredField> kinds() {
  auto all = test::stored_fields({2, 4, 2, 2});
  std::erase_if(all, [](const auto& stored) {
    const bool lime_or_hdf5 = stored.contents.ends_with("scidac") || stored.contents.ends_with("hdf5");
    return (lime_or_hdf5 && stored.name.find("txyz") != std::string::npos) ||
           stored.name.starts_with("eigenvectors_five");
  });
  return all;
}
INSTANTIATE_TEST_SUITE_P(Kinds, BitFlip, testing::ValuesIn(kinds()),
                         [](const auto& info) { return info.param.name; });

TEST_P(BitFlip, IsNoticed) {
  const auto& stored = GetParam();
  const test::SharedDirectory directory(test::fast_directory());
  const std::string path = directory / "field";
  const ProcessGrid grid(MPI_COMM_WORLD, {1, 1, 1, 1});
  const auto geometry = grid.geometry(stored.extents);
  stored.write(path, grid, stored.field(geometry), {});
  const std::string sound = test::read_bytes(path);
  const auto info = stored.inspect(path);
  const auto look = [&] {
    try {
      Field back = stored.empty(geometry);
      stored.read(path, grid, back);
      return stored.inspect(path).warnings > info.warnings ? Seen::warning : Seen::nothing;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input_file) << error.what();
      return Seen::refusal;
    }
  };
  ASSERT_EQ(look(), Seen::nothing);

  test::FlipTable table;
  const auto try_flip = [&](const std::string& damaged, std::size_t at, int bit) {
    test::write_bytes(path, damaged);
    table.add(parts.at(stored.contents)({sound, info, at, bit}), look(), at, bit);
  };
  test::for_flips(sound, 1000, info.data_offset, info.data_bytes, try_flip);
  // The trailer is short: all of it.
  if (stored.contents.ends_with("hdf5"))
    for (std::size_t at = sound.rfind("plaqEDGE"); at < sound.size(); ++at)
      for (int bit = 0; bit < 8; ++bit) try_flip(test::with_flipped_bit(sound, at, bit), at, bit);
  table.print(stored.name);
}

}  // namespace
}  // namespace plaq
