"""plaq analyse: numbers with errors of result files. Called by the program, as a folder; needs h5py and numpy."""
import os
import sys

# The folder is a package, which is found beside itself, whatever its name.
folder = os.path.dirname(os.path.abspath(__file__))
sys.path[0] = os.path.dirname(folder)
package = __import__(os.path.basename(folder) + ".command")
sys.exit(package.command.main())
