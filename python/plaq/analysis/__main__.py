"""python -m plaq.analysis: the command plaq analyse."""
import sys

from .command import main

sys.exit(main())
