// Files of eigenvectors beside what files of every kind do (tests/io/stored_field_test.cpp).
#include "core/system/error.hpp"
#include "io/eigenvectors/eigenvector_scidac.hpp"
#include "tests/io/eigenvectors/eigenvector_files.hpp"

namespace plaq {
namespace {

using namespace test;

EigenvectorFileInfo some_file() {
  EigenvectorFileInfo file;
  file.extents = {4, 4, 4, 8};
  file.modes = 2;
  file.info = some_eigenvectors();
  return file;
}

TEST(EigenvectorText, ComesBackAsItWas) {
  EigenvectorFileInfo file = some_file();
  file.Ls = 12;
  file.precision = Precision::half_precision;
  const EigenvectorFileInfo back = eigenvector_info_from_text(to_text(file), "here");
  EXPECT_EQ(back.extents, file.extents);
  EXPECT_EQ(back.modes, 2);
  EXPECT_EQ(back.Ls, 12);
  EXPECT_EQ(back.precision, file.precision);
  expect_same_eigenvectors(back.info, file.info);
}

TEST(EigenvectorText, RefusesWhatNoModesHave) {
  const auto expect = [](const std::string& key, const std::function<void(EigenvectorFileInfo&)>& change) {
    EigenvectorFileInfo file = some_file();
    change(file);
    try {
      eigenvector_info_from_text(to_text(file), "here");
      ADD_FAILURE() << key;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input_file);
      EXPECT_EQ(std::string(error.what()).find("here: '" + key + "': expected"), 0u) << error.what();
    }
  };
  expect("eigenvalues", [](auto& file) { file.info.values.pop_back(); });
  expect("eigenvalues", [](auto& file) { file.info.values[0] = 0; });
  expect("error_bounds", [](auto& file) { file.info.bounds.push_back(1); });
  expect("modes", [](auto& file) { file.modes = 0; });
  expect("spins", [](auto& file) { file.spins = 2; });
}

TEST(EigenvectorFit, NamesWhatDiffers) {
  const EigenvectorFileInfo file = some_file();
  const auto here = file.info.operator_entries;
  EXPECT_EQ(differences_of(file, file.extents, here, file.info.links), "");
  const LinkChecksum links{ChecksumKind::scidac, 1, 2};
  const Extents lattice{4, 4, 4, 4};
  EXPECT_EQ(differences_of(file, lattice, here, links),
            "lattice 4x4x4x8 in the file, 4x4x4x4 here; checksum of the links " + file.info.links.text() +
                " in the file, " + links.text() + " here");
  auto other = here;
  other[1].value = "-0.14";
  other.push_back({"xi", "2"});
  EXPECT_EQ(differences_of(file, file.extents, other, file.info.links),
            "mass -0.1375 in the file, -0.14 here; xi none in the file, 2 here");
  other = {here[0], here[1]};
  EXPECT_EQ(differences_of(file, file.extents, other, file.info.links),
            "form even-odd in the file, none here");
}

}  // namespace
}  // namespace plaq
