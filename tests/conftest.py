"""In CI random tests draw the same examples every time: what fails there has failed before.

Elsewhere they draw fresh ones, and keep those that failed.
"""

import os

from hypothesis import settings

settings.register_profile("same", derandomize=True, database=None)
if os.environ.get("CI"):
    settings.load_profile("same")
