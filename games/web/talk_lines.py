"""What each character may say at the table, by occasion. They speak of the game, and never of their dice."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

Lines: TypeAlias = Mapping[str, Sequence[str]]

LINES: Mapping[str, Lines] = {
    "quill": {
        "open": ("Let the record begin.", "A first clause, for you to amend."),
        "raise": ("Amended, and initialled.", "As stated, and one more.", "I append my own."),
        "leap": ("A bold clause. It stands.", "Skip a page with me."),
        "call_right": ("As I read it.", "The small print was clear enough."),
        "call_wrong": ("I misread that. It happens to readers.", "My mistake, and in ink."),
        "caught": ("Struck out. Fairly.", "Well, you read me."),
        "safe": ("Every word of it was true.", "Signed and witnessed."),
        "out": ("I put down the pen.", "That is my last page."),
        "won": ("Concluded. Thank you for your signatures.", "Filed under matches well played."),
    },
    "marl": {
        "open": ("On the scale it goes.", "Weigh that."),
        "raise": ("A little heavier.", "More clay.", "It can bear more."),
        "leap": ("A whole shovel, this time.", "Heavy? Lift it."),
        "call_right": ("Short weight. I thought so.", "I can tell from here."),
        "call_wrong": ("The scale disagrees with me.", "Hm. Honest weight."),
        "caught": ("You have a good hand for weights.", "Too light. I know."),
        "safe": ("Full measure.", "I do not sell air."),
        "out": ("The pit is empty.", "Nothing left to weigh."),
        "won": ("Sold, and paid for.", "That settles the account."),
    },
    "wick": {
        "open": ("First light of the evening.", "Somebody has to light one."),
        "raise": ("Up another rung.", "A little brighter.", "The lamps are on my side."),
        "leap": ("All of them at once.", "Seen from ten miles out, that one."),
        "call_right": ("A wreck, and I saw it coming.", "Not a light on in there."),
        "call_wrong": ("It burned after all.", "I looked straight into the glare."),
        "caught": ("Blown out.", "A gust. I allow it."),
        "safe": ("Still burning.", "Not a flicker."),
        "out": ("Good night, harbour.", "I shall see who is late tomorrow."),
        "won": ("Home by lamplight.", "The last lamp is mine."),
    },
    "tansy": {
        "open": ("Shall I tell you something lovely?", "Once upon a time there were these."),
        "raise": ("And then there was another.", "It gets better.", "I would never exaggerate."),
        "leap": ("You should have seen them, whole rows.", "Picked this very morning."),
        "call_right": ("A weed, dear.", "I know a story when I hear one."),
        "call_wrong": ("True? How disappointing.", "I expected more invention."),
        "caught": ("It was a good story, though.", "You might have waited for the end."),
        "safe": ("Even I am honest on market days.", "You see, no garnish at all."),
        "out": ("The garden is shut.", "To seed, then."),
        "won": ("And they believed me ever after.", "A sweet end, for once."),
    },
    "bramble": {
        "open": ("Mind the thorns.", "Here is where I stand."),
        "raise": ("I stay where I am, only taller.", "Push if you like.", "And again."),
        "leap": ("Over the hedge.", "The goat would follow me there."),
        "call_right": ("I remember you doing that before.", "Caught on a thorn."),
        "call_wrong": ("I shall remember that, too.", "Pricked my own thumb."),
        "caught": ("Pruned.", "It grows back."),
        "safe": ("Rooted.", "Told you to mind the thorns."),
        "out": ("Down to the stump.", "See to the goat."),
        "won": ("All hedge, as it should be.", "I told you that I stay."),
    },
    "ferrule": {
        "open": ("By my measure.", "To the nearest whole one."),
        "raise": ("One tick further.", "Measured twice.", "Within tolerance."),
        "leap": ("Several ticks, on purpose.", "The ruler is long enough."),
        "call_right": ("As measured.", "Off by more than the thickness of a line."),
        "call_wrong": ("My ruler was upside down.", "An error of mine. I have noted it."),
        "caught": ("Too long by a little.", "Cut to size."),
        "safe": ("It fits.", "Exactly as long as I said, or longer."),
        "out": ("Folded up.", "It has begun to rain."),
        "won": ("Everything in its place.", "I make that exactly one winner."),
    },
    "osier": {
        "open": ("Something small, to begin the weave.", "A thin one first."),
        "raise": ("I bend a little further.", "Over, under.", "With the water."),
        "leap": ("A wide basket, for once.", "The river is high today."),
        "call_right": ("There was a hole in it.", "It did not hold water."),
        "call_wrong": ("Tighter than it looked.", "A good weave. My respects."),
        "caught": ("Bent too far.", "It snapped. That is rare."),
        "safe": ("It holds.", "Close woven."),
        "out": ("I float away.", "Back to the river."),
        "won": ("Bent, and not broken.", "The basket is full."),
    },
    "pewter": {
        "open": ("After you. No? Then with pleasure.", "If I may begin."),
        "raise": ("If nobody minds, a little more.", "One more spoonful.", "I should not like to stop you."),
        "leap": ("Do forgive the appetite.", "A generous helping."),
        "call_right": ("I hardly liked to say it.", "One does notice, you see."),
        "call_wrong": ("I do beg your pardon.", "How rude of me to doubt it."),
        "caught": ("Quite right to ask.", "A stain. It will polish out."),
        "safe": ("No offence taken.", "It was all there, as served."),
        "out": ("Do carry on without me.", "Thank you, I have had plenty."),
        "won": ("Most kind of you all.", "Polished off."),
    },
}
"""For each character, what it says when it opens, raises, leaps (raises by more than it must), has called
rightly or wrongly, was caught, was called and had it, goes out, or wins."""
