"""The viewer: run files in a browser, on this machine. Loaded only by `trialkit view`."""

from .app import build
from .guard import Guard
from .live import Following
from .render import run_address
from .serve import Address, open_browser, serve, server_of
from .shelf import Shelf

__all__ = ["Address", "Following", "Guard", "Shelf", "build", "open_browser", "run_address", "serve", "server_of"]
