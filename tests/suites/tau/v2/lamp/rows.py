from typing_extensions import TypedDict


class Lamp(TypedDict):
    lamp_id: str
    bulb: str
    on: bool


class Bulb(TypedDict):
    name: str
    sent_to: list[str]
