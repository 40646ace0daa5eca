"""python -m plaq: the program."""
from .command import main

main()
