#include "dynamics/terms/hmc_terms.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <utility>

namespace plaq {
namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::vector<std::vector<std::string>> words_on_scales(const TermSettings& settings) {
  std::vector<std::vector<std::string>> words;
  if (settings.time_scales) {
    for (const std::string& scale : *settings.time_scales) words.push_back(words_of(scale));
    return words;
  }
  if (!settings.quarks.empty()) words.push_back({"quarks"});
  words.push_back({"gauge"});
  words.back().insert(words.back().end(), settings.own.begin(), settings.own.end());
  return words;
}

}  // namespace

std::vector<Term> terms_of(const TermSettings& settings) {
  const int ratios = static_cast<int>(settings.ratios());
  std::vector<Term> terms;
  for (std::size_t q = 0; q < settings.quarks.size(); ++q) {
    const SeaQuarks& quarks = settings.quarks[q];
    const std::string& name = quarks.name;
    if (quarks.has_pair()) {
      terms.push_back({name, Term::Kind::pair, q, 0});
      for (int k = 1; k <= ratios; ++k)
        terms.push_back({fmt::format("{}_ratio_{}", name, k), Term::Kind::pair, q, k});
    }
    const int steps = static_cast<int>(quarks.ladder(settings.heavier_masses).size());
    if (quarks.has_root())
      for (int k = 0; k < settings.factors + steps; ++k) {
        terms.push_back({k < settings.factors ? fmt::format("{}_rational_{}", name, k + 1)
                                              : fmt::format("{}_ratio_{}", name, k - settings.factors + 1),
                         Term::Kind::rational, q, k});
        terms.back().fields = quarks.pseudofermions;
      }
    if (quarks.has_exact()) terms.push_back({name + "_exact", Term::Kind::exact, q, 0});
    if (quarks.wilson() && quarks.wilson()->has_clover_determinant())
      terms.push_back({name + "_determinant", Term::Kind::determinant, q, 0});
  }
  terms.push_back({"gauge", Term::Kind::gauge});
  for (std::size_t k = 0; k < settings.own.size(); ++k)
    terms.push_back({settings.own[k], Term::Kind::own, 0, static_cast<int>(k)});
  int pseudofermions = 0;
  for (Term& term : terms)
    if (term.has_pseudofermion())
      term.pseudofermion = std::exchange(pseudofermions, pseudofermions + term.fields);
  return terms;
}

TermsOnScales terms_on_scales(const TermSettings& settings) {
  const auto terms = terms_of(settings);
  const auto words = words_on_scales(settings);
  TermsOnScales found{std::vector<std::vector<Term>>(words.size()), {}, {}};
  std::set<std::string> used;
  for (const Term& term : terms) {
    std::string longest;
    std::size_t scale = 0;
    for (std::size_t s = 0; s < words.size(); ++s)
      for (const std::string& word : words[s])
        if ((term.name == word || term.name.starts_with(word + "_")) && word.size() > longest.size()) {
          longest = word;
          scale = s;
        }
    if (longest.empty()) {
      found.mistakes.push_back(fmt::format("no time scale has the term {}", term.name));
    } else {
      used.insert(longest);
      found.scales[scale].push_back(term);
    }
  }
  std::vector<std::string> names;
  for (const Term& term : terms) names.push_back(term.name);
  for (const auto& of_scale : words) {
    if (of_scale.empty()) found.mistakes.push_back("one of them has no terms");
    found.names.insert(found.names.end(), of_scale.begin(), of_scale.end());
  }
  for (const std::string& word : found.names)
    if (!used.contains(word))
      found.mistakes.push_back(
          fmt::format("{} stands for no term; the terms are {}", word, fmt::join(names, ", ")));
  return found;
}

}  // namespace plaq
