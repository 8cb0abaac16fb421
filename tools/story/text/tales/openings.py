# SPDX-License-Identifier: MIT
"""First and last sentences of tales."""
from . import words as w

OPEN_KID = [
    "[Once upon a time|Once upon a time, in a [small|quiet|pretty|faraway] [town|village]], there was a {trait} {kind} named {N}. {HOB}",
    "Once upon a time, there lived a {kind} named {N}. {He} was {trait} and {trait2}. {HOB}",
    "There once was a {trait} {kind} named {N}. {HOB}",
    "{N} was a {trait} {kind}. {HOB}",
    "{N} was a {trait} {kind} who lived [in a [little|yellow|white|tall|brick] house|near the {place}|at the edge of the {place}|in a [small|busy|sleepy] town] with {his} {a}. {HOB}",
    "In a [small|little|quiet] [town|village] [by the sea|near the mountains|next to a river|far away], there was a {kind} named {N}. {HOB}",
    "Once there was a {kind} [called|named] {N}, who was very {trait}. {HOB}",
    "Long ago, [in a land far away|when the world was young], there lived a {trait} {kind} named {N}. {HOB}",
    "{N} [lived|lived with {his} {a}] in a [cozy|small|old] house near the {place}. {He} was a {trait} {kind}. {HOB}",
]
OPEN_NEW = [
    "One day, a {kind} named {N} {woke}. {He} was {trait} and {trait2}. {HOB}",
    "One {fine} day, a {trait} {kind} named {N} {woke}. {HOB}",
    "There was [once|] a {kind} who {lovedto}. {His} name was {N}.",
    "Once upon a time, there was a {trait} {kind} who {lovedto}. {His} name was {N}.",
    "Once upon a time, there was a {kind} who {lovedto}. [Everyone called {him} {N}.|{His} name was {N}.]",
    "[This is the story of|Have you heard of] {N}[, a {trait} {kind}.|, the {trait} {K}?] {HOB}",
    "Far away, [behind the hills|across the sea|beyond the mountains], there lived a {trait} {kind} named {N}. {HOB}",
    "{N} the {K} lived in {city}. {He} was {trait}. {HOB}",
    "Once upon a time, in {city}, there [lived|was] a {trait} {kind} named {N}. {HOB}",
    "There was a {kind} who lived in {city}. {His} name was {N}, and {he} was very {trait}. {HOB}",
    "{N} was not like every other {K}. {He} was {trait}, and {he} {lovedto}.",
    "A {trait} {kind} named {N} lived in {city}. {HOB}",
    "Once there was a {trait} {kind} who loved {lv}. {His} name was {N}.",
    "{N} was a {trait} {kind} who loved {lv}. {HOB}",
    "Once upon a time, there was a {kind} named {N} who loved {lv} more than anything [else|in the world].",
    "Once upon a time, a {trait} {kind} named {N} lived in {city}. {He} loved {lv}.",
]
OPEN_NEW += [
    "A {trait} {kind} [walked|ran|hurried|wandered] [along the road|through the {place}|down the street|over the hill]. {His} name was {N}. {HOB}",
    "The {trait} {K} [looked up at the sky|opened {his} eyes|sat by the window|stood at the door]. {His} name was {N}. {HOB}",
    "It was a {fine} [morning|day|evening]. A {kind} named {N} {woke}. {HOB}",
    "It was a {fine} [morning|day] in {city}. {N}, a {trait} {kind}, {woke}.",
    "{N} {woke}. It was a {fine} [morning|day]. {N} was a {trait} {kind}[ who loved {lv}|].",
    "\"[What a {fine} day|Good morning, world|Hooray|I have an idea|Oh my]!\" said {N}. {N} was a {trait} {kind} who lived in {city}.",
    "In {city} there was a {kind} who loved {lv}. {His} name was {N}, and everyone [knew|liked] {him}.",
    "Long, long ago, there was a {trait} {kind} [called|named] {N}. {HOB}",
    "Once there was a {kind}. {He} was {trait} and {trait2}, and {his} name was {N}. {HOB}",
    "There was once a {kind} named {N} who had [a secret|a dream|a big heart|no fear at all|many questions]. {HOB}",
    "On a {fine} [morning|day], {N} the {K} {woke}. {HOB}",
    "My friend {N} is a {K}. Let me tell you a story about {him}. {HOB}",
    "Do you know {N}? {N} is a {trait} {kind}. [This is {his} story.|One day, something happened to {him}.]",
]
OPEN_PAIR = [
    "{N} and {M} were best friends. {N} was a {trait} {kind}, and {M} was a {trait2} {mkind}. {HOB2}",
    "{N}, a {trait} {kind}, and {M}, a {mkind}, were [good|best] friends. They liked to {h1} together. {HOB2}",
    "Once upon a time, there were two friends named {N} and {M}. {N} was a {trait} {kind}, and {M} was a {mkind}. {HOB2}",
    "{N} was a {trait} {kind}. {M}, a {mkind}, lived next door. They [liked to {h1} together|played together every day]. {HOB2}",
    "{N} the {K} and {M} the {MK} [were friends|did everything together]. {HOB2}",
    "Once upon a time, a {kind} named {N} and a {mkind} named {M} lived in {city}. They were best friends. {HOB2}",
]
WOKE = ["woke up early", "looked out of the window", "was sitting in the sun", "was humming a song", "was walking along the road", "went for a walk", "had nothing to do", "was feeling a little lonely", "was very excited", "opened the door and looked outside"]
OPEN_PET = [
    "Once upon a time, there was a {trait} {kind} named {N}. {He} lived {inhome}. {HOB}",
    "[Once upon a time|Long ago], [in a [green|quiet|sunny|pretty] [forest|valley|land]|in a faraway land], there lived a {kind} named {N}. {HOB}",
    "{N} was a {trait} {kind} who lived {inhome}. {HOB}",
    "{Inhome}, there lived a {trait} {kind} named {N}. {HOB}",
    "There once was a {kind} [called|named] {N}. {He} had {a_body} and [a big heart|bright eyes|a kind smile|a happy laugh]. {HOB}",
    "{N} the {K} was {trait} and {trait2}. {HOB}",
    "Once there was a {trait} {kind}. {His} name was {N}, and {he} loved {petfood0}. {HOB}",
]
HOB = ["{He} [loved|liked] to {h1}.", "{He} [loved|liked] to {h1} and {h2}.", "[Every day|Every morning|All day long], {he} [loved|liked] to {h1}.",
       "{N} loved to {h1} more than anything.", "{He} liked to {h1}, but most of all {he} loved to {h2}.", "{His} favorite thing to do was to {h1}.", "", ""]
DAY = ["[One day|One day|One [sunny|warm|bright|cool|quiet|lovely|fine|busy|cold|hot] [day|morning|afternoon]|One morning|One afternoon|One [spring|summer|autumn|winter] [day|morning]|On [Monday|Tuesday|Saturday|Sunday] [morning|afternoon]]"]
SAD = ["{N} felt [sad|very sad|lost|like crying].", "{N} [began to cry|started to cry|sat down and cried].", "[Big tears|Tears] [rolled|ran] down {his} [cheeks|face].", "{N} was so [sad|upset] that {he} could not [speak|move].", "{His} heart felt heavy."]
THANKS = ["[Thank you|Thank you so much|Oh, thank you|Thanks]"]
END = ["", "", "", "[They all lived happily ever after.|And they lived happily ever after.]", "[That night|At bedtime], {N} [fell asleep with a smile|slept very well|dreamed [sweet|happy] dreams].",
       "It was [the best day ever|a very good day|a day {N} would never forget].", "{N} [smiled all the way home|went to bed happy|was very happy].", "[And from that day on|From then on], {N} and {M} were the best of friends.",
       "The end.", "{N} [felt|was] {good}.", "And {N} never forgot [that day|what {he} had learned]."]
FEEL = w.FEEL_GOOD
