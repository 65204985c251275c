"""A newcomer's story, for test_alone.py: in a Python with neither threads nor NumPy."""
# mypy: ignore-errors

import asyncio
import json
import sys
import threading
from pathlib import Path


async def inline(act, *given, **named):
    return act(*given, **named)


def refused(*_, **__):
    raise RuntimeError("can't start new thread")


async def ask(method, path, body=None):
    data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
    answer = await studio.ask(method, f"/api/{path}", data)
    kind = answer.headers["content-type"]
    said = json.loads(answer.body) if kind == "application/json" else answer.body
    return answer.status, said


async def good(*asked):
    status, said = await ask(*asked)
    assert status == 200, (asked, said)
    return said


async def solved(puzzle, **options):
    run = await good("POST", "runs", {"puzzle": puzzle, "problem": 0, "options": options})
    while run["state"] in ("starting", "running"):
        await asyncio.sleep(0)
        [run] = (await good("POST", "runs/of", {"puzzle": puzzle, "problem": 0}))["runs"]
    return run


async def story():
    home = await good("GET", "home")
    puzzle = (await good("GET", "puzzle?place=library/soma"))["puzzle"]
    checked = await good("POST", "problem/check", {"puzzle": puzzle, "problem": 0})
    turning = (await good("GET", "puzzle?place=library/turning-cube"))["puzzle"]
    twisted = await good("POST", "problem/shortcuts", {"puzzle": turning, "problem": 0})
    run = await solved(puzzle, disassemble=True)
    base = f"runs/{run['id']}"
    listed = await good("POST", f"{base}/page", {"order": "level", "min_level": 1})
    watched = await good("GET", f"{base}/solutions/1")
    forms = await good("GET", f"{base}/forms")
    scene = await good("GET", f"{base}/solutions/1/scene")
    picture = await good("GET", f"{base}/solutions/1/picture")
    statistics = await good("GET", f"{base}/statistics")
    states = await good("GET", f"{base}/solutions/1/states")
    turn = {"grid": puzzle["grid"], "shape": puzzle["shapes"][0], "how": "turn", "axis": "z"}
    puzzle["shapes"][0] = await good("POST", "shape/change", turn)
    drawn = {"grid": puzzle["grid"], "shape": puzzle["shapes"][0]}
    await good("POST", "shape/picture", drawn)
    await good("POST", "shape/facts", drawn)
    new = {"place": "folder/mine.kumitate.json", "version": "", "puzzle": puzzle}
    await good("PUT", "puzzle", new)
    again = await good("GET", "puzzle?place=folder/mine.kumitate.json")
    cards = (await good("GET", "home"))["folder"]
    own = await good("GET", cards[0]["picture"])
    files = {}
    order = {"puzzle": puzzle, "problem": 0, "run": run["id"], "number": 1}
    for to, show in WANTED:
        status, data = await ask("POST", "export", {**order, "to": to, "show": show})
        files[f"{show}{to}"] = "" if status == 200 else data["message"]
    _, data = await ask("POST", "export", {**order, "to": ".xmpuzzle", "show": ""})
    taken = await good("POST", "import?name=x.xmpuzzle", data)
    await good("DELETE", base)
    print(
        json.dumps(
            {
                "home": len(home["library"]),
                "check": checked["line"],
                "twist": len(twisted["shortcuts"]),
                "run": run,
                "listed": listed["total"],
                "poses": len(watched["poses"]),
                "forms": len(forms["forms"]),
                "scene": sorted(scene),
                "pictures": [picture.decode()[:4], own.decode()[:4]],
                "counted": statistics["counted"],
                "states": len(states["states"]),
                "again": again["puzzle"] == puzzle,
                "files": files,
                "taken": len(taken["puzzle"]["shapes"]),
                "nowhere": await ask("GET", "nothing"),
                "told": sorted({name for name, _ in told}),
            }
        )
    )


WANTED = [
    (".xmpuzzle", ""),
    (".kumitate.json", ""),
    (".html", ""),
    (".html", "booklet"),
    (".svg", "pieces"),
    (".svg", "assembly"),
    (".svg", "steps"),
    (".pdf", ""),
    (".txt", ""),
    (".glb", ""),
    (".stl", ""),
    (".png", ""),
    (".gif", ""),
]

if __name__ == "__main__":  # and not where the tests look for doctests
    for name in ("numpy", "PIL", "manifold3d", "resvg_py", "uvicorn", "click", "rich"):
        sys.modules[name] = None
    asyncio.to_thread = inline
    threading.Thread.start = refused

    from kumitate.studio.serve.alone import Alone

    told = []
    studio = Alone(Path(sys.argv[1]), lambda name, data: told.append((name, json.loads(data))))
    asyncio.run(story())
