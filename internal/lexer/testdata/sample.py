"""What a store does."""
from __future__ import annotations

import re
from dataclasses import dataclass, field

from .model import Item, parse as parse_item


@dataclass(frozen=True)
class Order:
    """An order of items."""

    number: int
    items: list[Item] = field(default_factory=list)

    def total(self, rate: float = 1.0) -> float:
        # everything, with taxes
        return sum(item.price * rate for item in self.items if item.price >= 0.5)

    def __str__(self) -> str:
        return f"order {self.number:>5}: {', '.join(str(i) for i in self.items)}"


def read(path: str) -> Order | None:
    with open(path, encoding="utf-8") as f:
        match = re.match(r"^(\d+)\s*:", f.readline())
    return Order(int(match[1]), [parse_item(line) for line in f]) if match else None
