BEGIN TRANSACTION;
CREATE TABLE events (
	table_id VARCHAR NOT NULL, 
	seq INTEGER NOT NULL, 
	at VARCHAR NOT NULL, 
	"key" VARCHAR, 
	body JSON NOT NULL, 
	ruling JSON, 
	PRIMARY KEY (table_id, seq), 
	UNIQUE (table_id, "key"), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
INSERT INTO "events" VALUES('kitchen',1,'2026-01-02T03:04:05.000+00:00','start','{"event": "started", "game": "three-card-showdown", "players": ["Aki", "\u30d9\u30f3"], "deck": "52D2", "options": {}}','null');
INSERT INTO "events" VALUES('kitchen',2,'2026-01-02T03:04:05.000+00:00','tap-1','{"event": "acted", "action": {"kind": "lay", "seat": 0, "cards": ["5S", "6H", "7C"], "args": {}}, "source": "tap", "evidence": null}','{"verdict": "legal", "violations": [], "proven": []}');
INSERT INTO "events" VALUES('kitchen',3,'2026-01-02T03:04:05.000+00:00',NULL,'{"event": "acted", "action": {"kind": "lay", "seat": 1, "cards": ["9S", "9S", "KD"], "args": {}}, "source": "tap", "evidence": null}','{"verdict": "legal", "violations": [], "proven": []}');
INSERT INTO "events" VALUES('kitchen',4,'2026-01-02T03:04:05.000+00:00',NULL,'{"event": "acted", "action": {"kind": "lay", "seat": 1, "cards": ["9S", "9S", "9S"], "args": {}}, "source": "tap", "evidence": null}','{"verdict": "foul", "violations": [{"code": "wrong-phase", "clause": "", "cards": [], "params": {"action": "lay"}, "verdict": "foul"}], "proven": []}');
INSERT INTO "events" VALUES('kitchen',5,'2026-01-02T03:04:05.000+00:00',NULL,'{"event": "took-back", "seq": 3}','null');
INSERT INTO "events" VALUES('club',1,'2026-01-02T03:04:05.000+00:00',NULL,'{"event": "started", "game": "hexa-card", "players": ["A", "B", "C"], "deck": "52D1", "options": {}}','null');
CREATE TABLE evidence (
	"key" VARCHAR NOT NULL, 
	mime VARCHAR NOT NULL, 
	body BLOB NOT NULL, 
	PRIMARY KEY ("key")
);
INSERT INTO "evidence" VALUES('6b991458eea2bc723f9117bb58ea546c','image/jpeg',X'70696374757265');
CREATE TABLE tables (
	id VARCHAR NOT NULL, 
	game VARCHAR NOT NULL, 
	created VARCHAR NOT NULL, 
	meta JSON NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "tables" VALUES('kitchen','three-card-showdown','2026-01-02T03:04:05.000+00:00','{"name": "\u53f0\u6240"}');
INSERT INTO "tables" VALUES('club','hexa-card','2026-01-02T03:04:05.000+00:00','{}');
PRAGMA user_version = 0;
COMMIT;
