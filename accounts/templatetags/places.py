"""Where somebody is signed in, in words."""

from django import template

register = template.Library()

# The first that is named in what a browser says of itself; some name their forebears too.
BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("Chrom", "Chrome"),
    ("CriOS", "Chrome"),
    ("Safari", "Safari"),
)
DEVICES = (
    ("iPhone", "an iPhone"),
    ("iPad", "an iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Macintosh", "a Mac"),
    ("CrOS", "a Chromebook"),
    ("Linux", "Linux"),
)


@register.filter
def browser_words(user_agent: str) -> str:
    """A browser by what it says of itself: `Firefox on Windows`."""
    browser = next((name for sign, name in BROWSERS if sign in user_agent), "")
    device = next((name for sign, name in DEVICES if sign in user_agent), "")
    if browser and device:
        return f"{browser} on {device}"
    return (
        browser or device.capitalize() or user_agent[:60].strip() or "A browser that does not say what it is"
    )
