// What studies and benchmarks measure: one table of operators, methods and sweeps.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "jobs/rates/rated_action.hpp"
#include "jobs/study/measured.hpp"
#include "jobs/study/study_storage.hpp"

namespace plaq::jobs {

struct SubjectProblem {
  const RateProblem& rates;
  RatedAction* action = nullptr;  // null where there is gauge fixing alone
  int iterations = 100;           // of methods, in a sample
  int solves = 0;                 // samples of methods; 0: as many as of others, at least a few
  const MultigridOptions* multigrid =
      nullptr;  // of subjects that use it; null: as it is where nobody says how
  // Whether exchanges of faces are looked at, and bits of results are summed up.
  bool looks_closer = true;
};

enum class SubjectKind { dirac_operator, method, sweep };

struct Subject {
  std::string_view key;  // in job files
  SubjectKind kind;
  std::string_view meaning;
  // Collective over the grid; one for each storage. Each result is checked against double precision as
  // jobs/rates does. A sweep's right-hand sides are gauge copies.
  std::vector<Measured> (*measure)(const SubjectProblem& problem, std::string_view key,
                                   const std::vector<StudyStorage>& storages, int rhs);

  bool iterates() const { return kind == SubjectKind::method; }
  bool fixes_gauge() const { return kind == SubjectKind::sweep; }
  bool uses_multigrid() const;
  bool takes(const StudyStorage& storage) const;
};

const std::vector<Subject>& subjects();
const Subject& subject(std::string_view key);
// Of those that are methods, or of those that are not.
std::vector<std::string> subject_keys(bool iterates);
std::string subject_meanings(bool iterates);  // "hop (the hopping term), schur (...)"
// As tables and files call it: "wilson_hop", "clover_schur", "cg".
std::string subject_name(std::string_view key, const ActionPtr& parameters);

// Several subjects, each in several storages with several numbers of right-hand sides.
struct SubjectLists {
  std::vector<std::string> subjects;  // keys
  std::vector<StudyStorage> storages;
  std::vector<int> right_hand_sides;

  std::size_t size() const { return subjects.size() * storages.size() * right_hand_sides.size(); }
  // Where [subject][storage][right_hand_sides] is.
  std::size_t at(std::size_t subject, std::size_t storage, std::size_t rhs) const {
    return (subject * storages.size() + storage) * right_hand_sides.size() + rhs;
  }
  // visit(place, key, storage, rhs) in that order.
  void for_each(auto&& visit) const {
    std::size_t place = 0;
    for (const std::string& key : subjects)
      for (const StudyStorage& storage : storages)
        for (const int rhs : right_hand_sides) visit(place++, key, storage, rhs);
  }
};

// Collective over the grid. In the order of SubjectLists::at.
std::vector<Measured> measure_all(const SubjectProblem& problem, const ActionPtr& parameters,
                                  const SubjectLists& lists);

}  // namespace plaq::jobs
