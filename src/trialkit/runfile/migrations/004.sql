-- Long texts, each once and compressed. Where one belongs, in a reply, an event or an answer, stands {"$text":"HASH"}.
CREATE TABLE texts (
    id INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    zlib BLOB NOT NULL
);
