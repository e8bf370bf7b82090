"""``python -m subterra_env.play`` is the command ``subterra``."""

from subterra_env.play.cli import main

main()
