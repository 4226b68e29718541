-- A database of version 1, as the last server of that version wrote it: one table that plays, one that waits, one whose
-- match is over, and the record of that match.  Both draws in the table that plays were of cards that did not fit.
-- At the table that plays, the token of Ann is secretsecretsecretsec2 and that of Ben secretsecretsecretsec3.
PRAGMA user_version = 3;
BEGIN TRANSACTION;
CREATE TABLE clocks (
    code TEXT PRIMARY KEY REFERENCES tables (code) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    left_ms INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO "clocks" VALUES('RVNN1NG1',6,59908);
CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO "counters" VALUES('check',0);
INSERT INTO "counters" VALUES('epoch',3);
CREATE TABLE entries (
    code TEXT NOT NULL REFERENCES tables (code) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (code, seq)
) WITHOUT ROWID;
INSERT INTO "entries" VALUES('F1N1SHED',1,CAST('{"what":"made","code":"F1N1SHED","settings":{"edition":"mild-wild","options":{"hand_size":1},"seats":2,"turn_seconds":0,"public":false,"watchers":true,"chat":true,"speed":"normal","grace_ms":1000,"next_round_seconds":30},"seed":"bc8daf5223adb447733b4ad85303bf8dc803a302e73854bc2f5055d6cf92a6cb","replay":"ffffffffffffffffffffffffff","host":"Ann"}' AS BLOB));
INSERT INTO "entries" VALUES('F1N1SHED',2,CAST('{"what":"sat","name":"Ann","token":"fc5cad8a36a63effe7e08072c23ba937a3f49ea24912c6493ca1f9cb2edc5c33","seat":0}' AS BLOB));
INSERT INTO "entries" VALUES('F1N1SHED',3,CAST('{"what":"sat","name":"Ben","token":"92537ca4c99cdca9e69ac19928988d148388967d5bf315d59737e7d0ecf50b85","seat":1}' AS BLOB));
INSERT INTO "entries" VALUES('F1N1SHED',4,CAST('{"what":"started","by":0,"cmd_id":"c14"}' AS BLOB));
INSERT INTO "entries" VALUES('F1N1SHED',5,CAST('{"what":"moved","move":"draw","number":112,"seat":0,"by":0,"cmd_id":"c15"}' AS BLOB));
INSERT INTO "entries" VALUES('F1N1SHED',6,CAST('{"what":"moved","move":"G7/PF","number":71,"seat":1,"by":1,"cmd_id":"c16"}' AS BLOB));
INSERT INTO "entries" VALUES('RVNN1NG1',1,CAST('{"what":"made","code":"RVNN1NG1","settings":{"edition":"classic","options":{"hand_size":2,"target":500},"seats":2,"turn_seconds":60,"public":false,"watchers":true,"chat":true,"speed":"normal","grace_ms":1000,"next_round_seconds":30},"seed":"1a2bc1ceee773df68190c2d9aee988a25afc157b9e2808d20ad0a5ca430923b2","replay":"rrrrrrrrrrrrrrrrrrrrrrrrrr","host":"Ann"}' AS BLOB));
INSERT INTO "entries" VALUES('RVNN1NG1',2,CAST('{"what":"sat","name":"Ann","token":"d2276dc1f96f6ec2793fd858ebed89a1e88dddbe9c719812020ff8c69b381c06","seat":0}' AS BLOB));
INSERT INTO "entries" VALUES('RVNN1NG1',3,CAST('{"what":"sat","name":"Ben","token":"8802578218014667f28981dd8dbfe660b68757a70b3a66c57120ee50ce73de77","seat":1}' AS BLOB));
INSERT INTO "entries" VALUES('RVNN1NG1',4,CAST('{"what":"started","by":0,"cmd_id":"c5"}' AS BLOB));
INSERT INTO "entries" VALUES('RVNN1NG1',5,CAST('{"what":"moved","move":"draw","number":112,"seat":0,"by":0,"cmd_id":"c6"}' AS BLOB));
INSERT INTO "entries" VALUES('RVNN1NG1',6,CAST('{"what":"moved","move":"draw","number":112,"seat":1,"by":1,"cmd_id":"c7"}' AS BLOB));
INSERT INTO "entries" VALUES('WA1T1NG1',1,CAST('{"what":"made","code":"WA1T1NG1","settings":{"edition":"classic","options":{},"seats":3,"turn_seconds":0,"public":false,"watchers":true,"chat":true,"speed":"normal","grace_ms":1000,"next_round_seconds":30},"seed":"3acb6c0465e11c80ec4342e5eef19677d0a04fb945c4167be1bdacbf41baf583","replay":"wwwwwwwwwwwwwwwwwwwwwwwwww","host":"Ann"}' AS BLOB));
INSERT INTO "entries" VALUES('WA1T1NG1',2,CAST('{"what":"sat","name":"Ann","token":"c0222fab09220cfe9eb23a4e7e9d895eef0183aa19711a49a3bd5b8e8ebd5582","seat":0}' AS BLOB));
CREATE TABLE replays (
    name TEXT PRIMARY KEY,
    record TEXT NOT NULL,
    names TEXT NOT NULL,        -- by seat, as JSON
    levels TEXT NOT NULL,       -- of bots, by seat, as JSON
    touched REAL NOT NULL
);
INSERT INTO "replays" VALUES('ffffffffffffffffffffffffff','flipdeck record 1
edition: mild-wild
players: 2
options: hand_size=1
seed: bc8daf5223adb447733b4ad85303bf8dc803a302e73854bc2f5055d6cf92a6cb
commitment: d2ace7c3a0f10cd0464034bbdb6ece64be07211738b9a5d6a33eff98a452cf36

round 1, dealer 1
hand 0: B9/T1
hand 1: G7/PF
open: G5/T3
0 draw [0: B6/TF]
1 G7/PF
out 1

end: won by 1
','["Ann", "Ben"]','[null, null]',1700000000.0);
CREATE TABLE tables (
    code TEXT PRIMARY KEY,
    epoch INTEGER NOT NULL,
    owner TEXT,                 -- nobody's after its release
    lease_until REAL NOT NULL,  -- wall clock seconds, and so is touched
    touched REAL NOT NULL       -- by its owner: when claimed, prolonged, released
) WITHOUT ROWID;
INSERT INTO "tables" VALUES('F1N1SHED',3,NULL,0.0,1700000000.0);
INSERT INTO "tables" VALUES('RVNN1NG1',1,NULL,0.0,1700000000.0);
INSERT INTO "tables" VALUES('WA1T1NG1',2,NULL,0.0,1700000000.0);
COMMIT;
