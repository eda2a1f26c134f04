"""Forty tickets as a German Excel exports them: semicolons, Windows-1252, CRLF. `python tickets.py FILE`."""

import csv
import io
import sys
from pathlib import Path

#: Team → what its customers write.
_SAID = {
    "billing": (
        "Rechnung {n} ist doppelt abgebucht worden; bitte prüfen",
        "Why was I charged 49,90 € for order {n}?",
        "Für Auftrag {n} fehlt die Gutschrift über 12 €",
        'Invoice {n} says "paid", my bank says otherwise',
    ),
    "shipping": (
        "Paket {n} liegt seit fünf Tagen in Köln",
        "Where is parcel {n}? It should have come on Monday",
        "Die Sendung {n} ging an die alte Straße;\nbitte umleiten",
        "Can parcel {n} be left with a neighbour?",
    ),
    "returns": (
        "Rücksendung {n}: das Etikett lässt sich nicht öffnen",
        "I want to send back order {n}, the jumper is too small",
        "Artikel aus {n} ist kaputt, ich möchte ihn zurückgeben",
        "How long may I keep order {n} before I send it back?",
    ),
    "other": (
        "Wie ändere ich die Adresse im Konto {n}?",
        "Do you have a shop in Zürich? My account is {n}",
        "Newsletter für Konto {n} bitte abbestellen",
        "Love the café, customer {n}",
    ),
}


def tickets() -> list[dict[str, str]]:
    found = []
    for number in range(40):
        team = list(_SAID)[number % 4]
        text = _SAID[team][number // 4 % 4].format(n=10_001 + number)
        found.append({"Nr": str(number + 1), "Text": text, "Team": team})
    return found


def as_excel_writes_it() -> bytes:
    text = io.StringIO()
    table = csv.DictWriter(text, ["Nr", "Text", "Team"], delimiter=";", lineterminator="\r\n")
    table.writeheader()
    table.writerows(tickets())
    return text.getvalue().encode("cp1252")


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(as_excel_writes_it())
