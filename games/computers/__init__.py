"""Computer players, which see only what their seat may see."""

from games.computers.strategies import strategy

__all__ = ["strategy"]
