// The numbers of a result that are worth knowing at a glance, with errors.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace plaq::jobs {

struct ResultValue {
  std::string name;
  double value = 0;
  double error = 0;     // NaN: there is none, as of one configuration
  std::string written;  // 0.59367(4), of fits with a second error, that of the choice of windows
  std::string unit;     // "a^2"; empty: none
  std::string tau;      // integrated autocorrelation time with its error; empty: not known
};

struct ResultValues {
  bool analysed = false;  // by the package of plaq analyse; else plain means with naive errors
  std::vector<ResultValue> values;
  std::vector<std::pair<std::string, std::string>> facts;  // name, text
  std::vector<std::string> notes;
};

// Serial. By Python where there is one with h5py and numpy; else, and where that fails, means over
// configurations of all datasets with one number each. Throws Error(input_file) as read_result_file does.
ResultValues values_of_results(const std::string& path);

// These means alone, with the standard deviation over the root of the number of rows as error.
ResultValues plain_means(const std::string& path);

}  // namespace plaq::jobs
