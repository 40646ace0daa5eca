#include "python/bindings/bindings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "python/bindings/dirac.hpp"
#include "python/bindings/keywords.hpp"
#include "python/bindings/lattice.hpp"
#include "settings/action/action_table.hpp"
#include "settings/gauge/fixing_tables.hpp"
#include "settings/gauge/link_smearing.hpp"
#include "settings/solver/solver_table.hpp"

namespace nb = nanobind;

namespace plaq::python {
namespace {

using settings::Key;
using settings::Table;

std::string annotation_of(settings::Type type, const std::vector<std::string>& choices) {
  if (settings::is_list(type)) return fmt::format("Sequence[{}]", annotation_of(element_of(type), choices));
  switch (type) {
    case settings::Type::flag:
      return "bool";
    case settings::Type::integer:
      return "int";
    case settings::Type::real:
      return "float";
    default:
      break;
  }
  if (choices.empty()) return "str | PathLike[str]";
  std::vector<std::string> texts;
  for (const std::string& choice : choices) texts.push_back(settings::value_text(choice));
  return fmt::format("Literal[{}]", fmt::join(texts, ", "));
}

nb::tuple entry(const std::string& name, const std::string& annotation, const std::string& value) {
  return nb::make_tuple(nb::str(name.c_str()), nb::str(annotation.c_str()), nb::str(value.c_str()));
}

// Keys without a default are None where they are not given.
nb::tuple entry(const Key& key) {
  const std::string annotation = annotation_of(key.type, key.choices);
  if (!key.fallback) return entry(key.name, annotation + " | None", "None");
  return entry(key.name, annotation, call_wording().value(settings::value_text(*key.fallback)));
}

class List {
 public:
  // The keys but those that are arguments of their own.
  List& add(const std::vector<Key>& keys, const std::vector<std::string>& but = {}) {
    for (const Key& key : keys)
      if (std::find(but.begin(), but.end(), key.name) == but.end()) entries_.append(entry(key));
    return *this;
  }
  List& add_dict(const std::string& table) { return add_dict_of_keys(std::string(dict_of(table))); }
  List& add_dict_of_keys(const std::string& name) {
    entries_.append(entry(name, fmt::format("dict[str, Any] | {} | None", typed_dict(name)), "None"));
    return *this;
  }
  nb::list entries() const { return entries_; }

  static std::string typed_dict(const std::string& name) {
    std::string made = name + "Keys";
    made.front() = static_cast<char>(made.front() - 'a' + 'A');
    return made;
  }

 private:
  nb::list entries_;
};

nb::dict keyword_lists() {
  nb::dict all;
  const auto put = [&](const std::string& name, const List& list) {
    all[nb::str(name.c_str())] = list.entries();
  };
  const auto keys = [](const settings::Schema& schema, const char* table) {
    return schema.find(table)->keys;
  };

  List lattice;
  for (const Table& table : lattice_schema().tables) lattice.add(table.keys, {"extents", "location"});
  put("Lattice", lattice);
  put("read_gauge", lattice);

  put("Dirac", List().add(keys(dirac_schema(), "action"), {"type"}).add_dict("action_smearing"));
  for (const settings::Discretisation* one : settings::all_discretisations())
    put(function_of(one->name()),
        List().add(keys_of(*one, settings::MassKeys::one)).add_dict("action_smearing"));
  const List solver = List().add(keys(dirac_schema(), "solver")).add_dict("multigrid");
  put("Solver", solver);
  put("solve", List().add(keys(dirac_schema(), "solver"), {"columns"}).add_dict("multigrid"));

  put("GaugeField.smear", List().add(settings::link_smearing_table("").keys, {"type"}));
  List fix;
  for (const Table& table : settings::fixing_tables()) fix.add(table.keys, {"gauge", "groups"});
  for (const Table& table : settings::fixing_tables())
    if (!dict_of(table.name).empty()) fix.add_dict(table.name);
  put("GaugeField.fix", fix);

  put("HMC", List()
                 .add(keys(hmc_schema(), "gauge"))
                 .add(keys(hmc_schema(), "hmc"), {"flavours", "pseudofermions", "terms"})
                 .add_dict_of_keys("quarks")
                 .add_dict("action_smearing")
                 .add_dict_of_keys("rational")
                 .add_dict_of_keys("solver")
                 .add_dict("multigrid"));

  put("three_point",
      List().add(keys(three_point_schema(), "three_point"), {"smeared_sink", "operator_links"}));
  put("quark_loops", List().add(keys(quark_loops_schema(), "noise")).add_dict("dilution"));
  put("quark_propagator", List().add(keys(quark_propagator_schema(), "quark_propagator"), {"max_n"}));
  put("laplacian_modes", List().add(keys(laplacian_modes_schema(), "laplacian_modes")));
  put("low_modes", List().add(keys(low_modes_schema(), "eigenvectors")));
  put("gluon_propagator", List().add(keys(gluon_schema(), "gluon"), {"gauge"}));
  put("ghost_propagator",
      List().add(keys(ghost_schema(), "ghost"), {"momenta"}).add(keys(ghost_schema(), "gluon")));
  put("wilson_loops", List().add(keys(wilson_loops_schema(), "wilson_loops")));

  const auto put_dict = [&](const Table& table) {
    const std::string name(dict_of(table.name));
    if (!name.empty()) put("table " + List::typed_dict(name), List().add(table.keys));
  };
  put("table QuarksKeys",
      List()
          .add(keys(hmc_schema(), "action"))
          .add({*hmc_schema().find("hmc", "flavours"), *hmc_schema().find("hmc", "pseudofermions")}));
  put("table RationalKeys", List().add(keys(hmc_schema(), "rational")));
  put("table SolverKeys", List().add(keys(hmc_schema(), "solver")));
  for (const Table& table : dirac_schema().tables) put_dict(table);
  for (const Table& table : settings::fixing_tables()) put_dict(table);
  for (const Table& table : quark_loops_schema().tables) put_dict(table);
  return all;
}

}  // namespace

void bind_keyword_lists(nb::module_& module) {
  module.def("keyword_lists", &keyword_lists,
             "{function: [(name, annotation, default), ...]} of those that take keys of job files.");
}

}  // namespace plaq::python
