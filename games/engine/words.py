"""Numbers and dice in plain English, for the sentences of refusals."""

_NUMBERS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
_FACES = ("ones", "twos", "threes", "fours", "fives", "sixes")


def number_words(number: int) -> str:
    """A number in words up to twelve, then in figures."""
    return _NUMBERS[number] if 0 <= number < len(_NUMBERS) else str(number)


def face_words(face: int, quantity: int = 2) -> str:
    """The name of a face, in the plural unless the quantity is one: `fours`, `four`."""
    if quantity == 1:
        return _NUMBERS[face]
    return _FACES[face - 1]


def quantity_words(quantity: int, face: int) -> str:
    """A quantity of a face: `four fives`, `one six`."""
    return f"{number_words(quantity)} {face_words(face, quantity)}"


def sentence(text: str) -> str:
    """The same words with a capital letter in front."""
    return text[:1].upper() + text[1:]
