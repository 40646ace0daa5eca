// One flipped bit anywhere in what jobs keep: results and checkpoints. (Journals:
// tests/jobs/results/journal_test.cpp.)
#include "jobs/chain/chain_resume.hpp"
#include "jobs/generate/generate_schema.hpp"
#include "jobs/results/output_file.hpp"
#include "jobs/results/result_file.hpp"
#include "tests/io/gauge/flips.hpp"
#include "tests/io/gauge/format_cases.hpp"
#include "tests/jobs/schema/job_file_helpers.hpp"

namespace plaq::jobs::test {
namespace {

using plaq::test::FlipTable;
using plaq::test::for_flips;
using plaq::test::Part;
using plaq::test::Seen;

constexpr int flips = 1000;

TEST(StoredFlip, OfResults) {
  const plaq::test::SharedDirectory directory(plaq::test::fast_directory());
  const std::string path = directory / "out.h5";
  {
    OutputFile file(path, false);
    file.attribute("/", "plaq_version", std::string("0.1.0"));
    file.attribute("/", "job_type", std::string("propagator"));
    file.attribute("/", "job", propagator_text);
    file.dataset("/correlators/pion", std::vector<double>(64, 1.0 / 3), {64}, {{"units", std::string("1")}});
    file.commit();
  }
  const std::string sound = plaq::test::read_bytes(path);
  const auto look = [&] {
    try {
      return read_result_file(path).objects.size() == 3 ? Seen::nothing : Seen::warning;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input_file) << error.what();
      return Seen::refusal;
    }
  };
  ASSERT_EQ(look(), Seen::nothing);
  const std::size_t trailer = sound.size() - trailer_bytes;
  FlipTable table;
  for_flips(sound, flips, 0, trailer, [&](const std::string& damaged, std::size_t at, int bit) {
    plaq::test::write_bytes(path, damaged);
    table.add({at < trailer ? "HDF5" : "trailer", Seen::refusal}, look(), at, bit);
  });
  table.print("results");
}

// What a run that goes on makes of it: the sweep it was written after with its links, or nothing.
TEST(StoredFlip, OfCheckpoints) {
  const plaq::test::SharedDirectory directory(plaq::test::fast_directory());
  const Extents global{2, 4, 2, 2};
  std::string text = generate_text;
  text.replace(text.find("\"field\""), 7, "\"" + directory / "field" + "\"");
  const JobFile job = JobFile::parse(text + "measure_every = 1\n", "job.toml");
  const ChainPlan plan(job, generate_chain(job));
  std::vector<ChainEvent> events;
  for (std::int64_t sweep = 0; sweep < std::min<std::int64_t>(plan.first, 100); ++sweep)
    events.push_back({ChainEvent::Kind::measured, sweep, {}, {}, 0});

  const ProcessGrid grid(MPI_COMM_WORLD, {1, 1, 1, 1});
  auto links = plaq::test::random_links(global, 11);
  const double plaquette = reference::average_plaquette(links).all, trace = reference::link_trace(links);
  const Field original = plaq::test::field_of(grid, links, Precision::double_precision);
  constexpr std::int64_t sweep = 6;
  GaugeWriteOptions way;
  way.metadata.ensemble_id = "test";
  way.metadata.sequence_number = sweep;
  way.metadata.entries = {{seed_key, "7"}, {sweep_key, std::to_string(sweep)}, {chain_key, plan.chain}};
  const std::string path = plan.checkpoint_name();
  write_gauge_file(path, grid, original, way, plaquette, trace);
  const std::string sound = plaq::test::read_bytes(path);
  const GaugeFileInfo info = inspect_gauge_file(path);

  const auto look = [&] {
    const auto states = find_states(plan, events);
    if (states.empty()) return Seen::refusal;
    EXPECT_EQ(states.front().sweep, sweep) << "the links of another sweep";
    try {
      Field back = plaq::test::make_field(grid, global, Precision::double_precision);
      const auto report = read_gauge_file(path, grid, back);
      verify_gauge_file(report, plaquette, trace);
      EXPECT_EQ(plaq::test::difference(back, links), 0);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input_file) << error.what();
      return Seen::refusal;
    }
    return Seen::nothing;
  };
  ASSERT_EQ(look(), Seen::nothing);
  FlipTable table;
  const auto try_flip = [&](const std::string& damaged, std::size_t at, int bit) {
    plaq::test::write_bytes(path, damaged);
    const bool in_links = at >= info.data_offset;
    const std::size_t begin = at == 0 ? 0 : sound.rfind('\n', at - 1) + 1;
    const std::string line = sound.substr(begin, sound.find('\n', begin) - begin);
    const bool decides = line.starts_with(sweep_key) || line.starts_with("SEQUENCE_NUMBER");
    // A blank may become another kind of blank; a line end that turns into a character joins lines.
    const bool in_value = at >= begin + line.find("= ") + 2 && at < begin + line.size();
    if (in_links)
      table.add({"links", Seen::refusal}, look(), at, bit);
    else if (decides && in_value)
      table.add({"header: sweep", Seen::refusal}, look(), at, bit);
    else
      table.add({"header: the rest", Seen::nothing}, look(), at, bit);
  };
  for_flips(sound, flips, info.data_offset, info.data_bytes, try_flip);
  for (std::size_t at = 0; at < info.data_offset; ++at)  // every bit of the header
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = sound;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      try_flip(damaged, at, bit);
    }
  table.print("checkpoint");
}

}  // namespace
}  // namespace plaq::jobs::test
