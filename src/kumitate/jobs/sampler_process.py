"""A worker process of a search for puzzles: python -m kumitate.jobs.sampler_process COLLECTION"""

import sys

from kumitate import store
from kumitate.jobs.design import family_of
from kumitate.jobs.samplers import serve

if __name__ == "__main__":
    with store.open_collection(sys.argv[1]) as collection:
        family, asked = family_of(collection.puzzle, collection.search), collection.search
    serve(family, asked)
