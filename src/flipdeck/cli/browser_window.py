"""Opens an address in a browser with windows.

``webbrowser`` would start a text browser where there is no display, as over ssh: it takes the terminal, and can't show
the page, which needs JavaScript.
"""

from __future__ import annotations

import webbrowser
from pathlib import PurePath

TEXT_BROWSERS = frozenset(("www-browser", "links", "links2", "elinks", "lynx", "w3m"))


def open_window(link: str) -> bool:
    """Whether a browser opened.  Some block until they are closed: this is called in a thread."""
    try:
        browser = webbrowser.get()
        return not is_text_browser(browser) and browser.open(link)
    except (webbrowser.Error, OSError):
        return False


def is_text_browser(browser: webbrowser.BaseBrowser) -> bool:
    return PurePath(str(browser.name)).name in TEXT_BROWSERS
