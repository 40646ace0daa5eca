"""python -m plaq.report DATA.json OUTPUT.html: what plaq campaign report runs."""
import sys

from .command import main

sys.exit(main())
