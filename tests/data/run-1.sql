-- A run as kumitate 0.1.0 wrote it, version 1 of the tables: two solutions, and a limit.
PRAGMA application_id = 1802857833;
PRAGMA user_version = 1;
BEGIN TRANSACTION;
CREATE TABLE assembly (
    first INTEGER PRIMARY KEY,
    amount INTEGER NOT NULL,
    length INTEGER NOT NULL,
    names BLOB NOT NULL
);
CREATE TABLE rank (
    level INTEGER NOT NULL,
    moves INTEGER NOT NULL,
    amount INTEGER NOT NULL,
    PRIMARY KEY (level, moves)
) WITHOUT ROWID;
INSERT INTO "rank" VALUES(1,1,1);
INSERT INTO "rank" VALUES(1,2,1);
CREATE TABLE run (
    puzzle TEXT NOT NULL,
    puzzle_hash TEXT NOT NULL,
    problem INTEGER NOT NULL,
    options TEXT NOT NULL,
    kumitate TEXT NOT NULL,
    search TEXT NOT NULL,
    placements BLOB NOT NULL,
    width INTEGER NOT NULL,
    started REAL NOT NULL,
    saved REAL NOT NULL,
    turn INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL DEFAULT 'paused',
    stop_after INTEGER,
    fraction REAL NOT NULL DEFAULT 0,
    seconds REAL NOT NULL DEFAULT 0,
    assemblies INTEGER NOT NULL DEFAULT 0,
    solutions INTEGER NOT NULL DEFAULT 0,
    given_up INTEGER NOT NULL DEFAULT 0,
    rigid INTEGER NOT NULL DEFAULT 0,
    stuck INTEGER NOT NULL DEFAULT 0,
    kept INTEGER NOT NULL DEFAULT 0
);
INSERT INTO "run" VALUES('{
  "kumitate": 1,
  "title": "Small box",
  "shapes": [
    {
      "name": "box",
      "drawing": [
        "###",
        "###"
      ]
    },
    {
      "name": "L",
      "drawing": [
        "##",
        "#."
      ]
    },
    {
      "name": "bar",
      "drawing": ["##"]
    }
  ],
  "problems": [
    {
      "goal": "box",
      "pieces": [{"shape": "L", "count": [0, 2]}, {"shape": "bar", "count": [0, 3]}]
    }
  ]
}
','45ff0949898173aa7aa135ac9fdbeab3ec7e2b5b4ab488868a419ed520f839e9',1,'{"mirrors": false, "rotations": false, "thorough": false, "distinct_copies": false, "disassemble": true, "fine": false, "coordinate": false, "max_states": null, "max_moves": null, "keep": "all"}','0.1.0','c462e17d63898fe590843218040900c317a65a133cfae72c999c575c1db49663',X'929F9500000000009500000100009500020200009500020300009500030002019500030102019500060202009500060302009501000000009501000001009501000100009501000101009501020100009501020200009501020300009291009101',1,1.79474529462859487541e+09,1.79474529474391460417e+09,1,'limit',2,0.25,1.05088072999933501705e-01,2,2,0,0,0,2);
CREATE TABLE solution (
    number INTEGER PRIMARY KEY,
    assembly_number INTEGER NOT NULL,
    solution_number INTEGER NOT NULL,
    names BLOB NOT NULL,
    level INTEGER NOT NULL,
    moves INTEGER NOT NULL,
    nth INTEGER NOT NULL,
    tree BLOB
);
INSERT INTO "solution" VALUES(1,1,1,X'0007',1,1,1,X'959193910193010000C0C0C00190');
INSERT INTO "solution" VALUES(2,2,2,X'08090E',1,2,1,X'959193910293010000C0959193910093010000C0C0C00190C00190');
CREATE TABLE tally (
    levels TEXT PRIMARY KEY,
    amount INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO "tally" VALUES('1',2);
CREATE TABLE task (
    id INTEGER PRIMARY KEY,
    state BLOB NOT NULL,
    known INTEGER NOT NULL,
    share REAL NOT NULL,
    done INTEGER NOT NULL,
    nodes INTEGER NOT NULL,
    found INTEGER NOT NULL,
    rotations INTEGER NOT NULL
);
INSERT INTO "task" VALUES(1,X'0200000000000000010000000000000002000000000000000000000000000000FFFFFFFF00000000FFFFFFFF01000000',1,0.75,0,2,1,2);
CREATE UNIQUE INDEX by_rank ON solution (level, moves, nth);
COMMIT;
