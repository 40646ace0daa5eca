// Files of modes of the Laplacian beside what files of every kind do (tests/io/stored_field_test.cpp).
#include "io/laplacian_modes/laplacian_mode_scidac.hpp"
#include "tests/io/laplacian_modes/laplacian_mode_files.hpp"
#include "tests/support/errors.hpp"

namespace plaq::laplacian_mode_file_test {
namespace {

const Extents extents{4, 2, 6, 3};

LaplacianModeFileInfo some_file() {
  LaplacianModeFileInfo file;
  file.extents = extents;
  file.modes = test::some_laplacian_mode_count;
  file.info = test::some_laplacian_info(extents);
  return file;
}

TEST(LaplacianModeText, ComesBackAsItWas) {
  LaplacianModeFileInfo file = some_file();
  file.precision = Precision::half_precision;
  const LaplacianModeFileInfo back = laplacian_mode_info_from_text(to_text(file), "here");
  EXPECT_EQ(back.extents, file.extents);
  EXPECT_EQ(back.modes, file.modes);
  EXPECT_EQ(back.precision, file.precision);
  test::expect_same_laplacian_info(back.info, file.info);
}

TEST(LaplacianModeText, RefusesWhatNoModesHave) {
  const auto refuses = [](const std::string& key, const auto& change) {
    LaplacianModeFileInfo file = some_file();
    change(file);
    try {
      laplacian_mode_info_from_text(to_text(file), "here");
      ADD_FAILURE() << key;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input_file);
      EXPECT_NE(std::string(error.what()).find(key), std::string::npos) << error.what();
    }
  };
  refuses("modes", [](auto& file) { file.modes = 0; });
  refuses("eigenvalues", [](auto& file) { file.info.values.pop_back(); });
  refuses("eigenvalues", [](auto& file) { std::swap(file.info.values[1], file.info.values[2]); });
  refuses("error_bounds", [](auto& file) { file.info.bounds.push_back(1); });
  refuses("lattice", [](auto& file) { file.extents[2] = 0; });
}

TEST(LaplacianModeText, HasRoomForTheModesOfManySlices) {
  LaplacianModeFileInfo file = some_file();
  file.extents = {32, 32, 32, 256};
  file.modes = most_modes_of_slices / file.extents[3];
  file.info.values.clear();
  for (int i = 0; i < most_modes_of_slices; ++i)
    file.info.values.push_back((1 + i % file.modes) * 1.2345678901234567e-5 / 3);
  file.info.bounds.assign(file.info.values.size(), 1.2345678901234567e-9);
  const std::string head = frame_scidac_laplacian_modes(file, {ChecksumKind::scidac, 1, 2}).head;
  EXPECT_NE(head.find("<LaplacianModes>"), std::string::npos);
}

TEST(LaplacianModeFit, NamesWhatDiffers) {
  const LaplacianModeFileInfo file = some_file();
  auto entries = file.info.operator_entries;
  EXPECT_EQ(differences_of(file, extents, entries, file.info.links), "");
  entries[1].value = "1 1 1";
  EXPECT_EQ(differences_of(file, extents, entries, file.info.links),
            "boundary 1 1 -1 in the file, 1 1 1 here");
  EXPECT_NE(differences_of(file, {4, 2, 6, 4}, file.info.operator_entries, file.info.links).find("lattice"),
            std::string::npos);
  EXPECT_NE(differences_of(file, extents, file.info.operator_entries, {ChecksumKind::scidac, 1, 2})
                .find("checksum of the links"),
            std::string::npos);
}

}  // namespace
}  // namespace plaq::laplacian_mode_file_test
