"""plaq campaign report: DATA.json OUTPUT.html. Called by the program, as a folder."""
import os
import sys

# The folder is a package, which is found beside itself, whatever its name; so is analyse.
folder = os.path.dirname(os.path.abspath(__file__))
sys.path[0] = os.path.dirname(folder)
package = __import__(os.path.basename(folder) + ".report")
sys.exit(package.report.main(*sys.argv[1:]))
