// What the text of a stored propagator says of it: read back whole, in foreign
// texts, and of files that say nonsense.
#include <gtest/gtest.h>

#include "jobs/schema/job_file.hpp"
#include "observables/quark/quarks_together.hpp"
#include "settings/quark/note_text.hpp"

namespace plaq::jobs {
namespace {

PropagatorNote full_note() {
  PropagatorNote note;
  note.gauge_file = "field.lime";
  note.gauge_format = "ILDG";
  note.gauge_checksum = "1 2";
  note.source = 3;
  note.source_type = "z2";
  note.seed = 77;
  note.dilution = "spin";
  note.position = Extents{1, 2, 3, 5};
  note.derivative = "xz";
  note.action = "wilson";
  note.mass = 0.125;
  note.twisted_mass = -0.0625;
  note.boundary = 1;
  return note;
}

TEST(PropagatorNote, IsReadBackWhole) {
  EXPECT_EQ(note_in(note_text(full_note())), full_note());
  EXPECT_EQ(note_in("job = \"propagator\"\n" + note_text(full_note()) + "\n[other]\nboundary = -1\n"),
            full_note());
  PropagatorNote little;
  little.boundary = -1;
  EXPECT_EQ(note_in(note_text(little)), little);
}

TEST(PropagatorNote, IsFoundInTextsThatAreNoToml) {
  EXPECT_EQ(note_in("made by hand: [sic\n" + note_text(full_note())), full_note());
  EXPECT_EQ(note_in("see [stored_propagator]\n" + note_text(full_note())), full_note());
  EXPECT_EQ(note_in("see [stored_propagator] elsewhere"), PropagatorNote());
  EXPECT_FALSE(has_note("see [stored_propagator] elsewhere"));
  EXPECT_TRUE(has_note(note_text(full_note())));
}

TEST(PropagatorNote, MembersOfOtherTypesAreNotSaid) {
  const PropagatorNote note = note_in(
      "[stored_propagator]\nsource = 99999999999\nposition = [0, 1, 2.5, 3]\nmass = inf\ntwisted_mass = "
      "true\nboundary = "
      "7\naction = 3\n");
  EXPECT_EQ(note, PropagatorNote());
}

TEST(PropagatorNote, OfASumIsWhatBothSay) {
  PropagatorNote a = full_note(), b = full_note();
  b.boundary = -1;
  b.position.reset();
  a.action.clear();
  b.twisted_mass = 0.0625;
  const PropagatorNote sum = common_note(a, b);
  EXPECT_FALSE(sum.boundary);
  EXPECT_EQ(sum.position, a.position);
  EXPECT_EQ(sum.action, "wilson");
  EXPECT_EQ(sum.mass, a.mass);
  EXPECT_FALSE(sum.twisted_mass);
}

TEST(QuarksTogether, TwoSignsInTime) {
  PropagatorNote periodic = full_note(), antiperiodic = full_note(), silent = full_note();
  antiperiodic.boundary = -1;
  silent.boundary.reset();
  EXPECT_FALSE(mismatch_of_boundaries({{"a", &periodic}, {"b", &silent}, {"c", &periodic}}));
  const auto why = mismatch_of_boundaries({{"a", &silent}, {"b", &periodic}, {"c", &antiperiodic}});
  ASSERT_TRUE(why);
  EXPECT_TRUE(why->starts_with("c: its quark has the sign -1")) << *why;
}

TEST(QuarksTogether, OtherNoise) {
  const PropagatorNote one = full_note();
  PropagatorNote seed = one, dilution = one, sample = one;
  EXPECT_FALSE(mismatch_of_sources({{"a", &one}, {"b", &seed}}));
  seed.seed = 78;
  sample.source = 4;
  dilution.dilution.clear();
  for (const PropagatorNote* other : {&seed, &sample, &dilution}) {
    const auto why = mismatch_of_sources({{"a", &one}, {"b", other}});
    ASSERT_TRUE(why);
    EXPECT_TRUE(why->starts_with("b: its source is other noise than that of a")) << *why;
  }
}

TEST(QuarksTogether, ASourceOutsideTheLattice) {
  PropagatorNote note = full_note();
  EXPECT_FALSE(misplaced_source(note, "q.h5", {4, 4, 4, 8}));
  EXPECT_TRUE(misplaced_source(note, "q.h5", {4, 4, 3, 8}));
  note.position = Extents{0, 0, 0, -1};
  EXPECT_TRUE(misplaced_source(note, "q.h5", {4, 4, 4, 8}));
}

}  // namespace
}  // namespace plaq::jobs
