"""python -m plaq.plots: the command plaq plot."""
import sys

from .command import main

sys.exit(main())
