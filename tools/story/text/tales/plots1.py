# SPDX-License-Identifier: MIT
"""Plots: lost toy, sharing, hurt animal, truth, fear dark, fear thing, new friend, practice, stuck, birthday."""
from .plotting import plot, s_small, s_throw, s_toy

# lost toy
plot("lost_toy", "any", "{a_kind} who loses {his} {toy}", "asking for help", """
{OPEN} {His} favorite [thing|toy|treasure] [in the whole world|of all] was a {color} {toy}. {He} [took it everywhere|liked to {use} it every day|kept it close, even at night].

{DAY}, {N} [went to the {place}|took the {color} {toy} to the {place}]. {WEATHER} {N} [played and played|played with the {toy}|ran around and had lots of fun]. [But when it was time to go home|Then {he} stopped to rest, and when {he} looked around|But after a while], the {toy} was [gone|nowhere to be seen|not there]!

"Oh no! Where is my {toy}?" [cried {N}|{N} cried|said {N}]. {He} looked [under the bench|behind a tree|under a bush|in the tall grass]. {He} looked [behind a big rock|next to the path|inside an old basket|under some leaves]. But the {toy} was not there. {SAD}

[Just then|Soon|After a while], {M} came by. "[What is wrong|Why do you look so sad|What happened], {N}?" asked {M}.

"I lost my {color} {toy}," [said {N}|{N} said] [with tears in {his} eyes|in a small voice|and sniffed].

"Don't [worry|cry|be sad]," said {M}. "[We can look for it together|I will help you find it|Let's find it together]. [Where did you play first?|Where did you see it last?|Let's walk back the way you came.]"

[{N} thought hard.|{N} wiped {his} eyes.] "I [was near the {spot}|sat by the {spot}|stopped at the {spot}]," {he} said. So they [walked|went|hurried] to the {spot} [together|side by side]. {M} [looked high and {N} looked low|bent down and looked carefully]. [All of a sudden|Then], {M} saw something {color} [peeking out|shining in the light|behind the {spot}].

"[Look|There it is|I see it]!" {M} [shouted|called]. It was the {toy}! {N} [hugged it tight|picked it up and laughed|jumped up and down]. "{THANKS}, {M}! [You are a good friend.|I could not have found it without you.|You have sharp eyes!]"

"[It is easy to find things when two people look|Friends help each other|I am glad we found it]," said {M}. [Then they played with the {toy} together|They took turns with the {toy}] until the sun went down. {END}
""", s_toy)

# sharing
plot("sharing", "any", "{a_kind} who learns to share {his} {toy}", "sharing", """
{OPEN} {N} had a new {color} {toy}. It was a gift from {his} {a}. {N} thought it was the best {toy} in the world.

{DAY}, {N} took the {toy} to the {place}. {M} saw it and [came running|smiled|came over]. "[Wow, what a nice {toy}|That is a beautiful {toy}|I like your {toy}]! Can I [play with it too|try it|have a turn]?" asked {M}.

"No!" said {N}. "It is mine. [Only I can play with it.|I do not want to share.|You might break it.]" {N} [held the {toy} tight|hid the {toy} behind {his} back|turned away].

{M} looked [sad|down at the ground|hurt]. "Okay," said {M} [quietly|in a soft voice], and {mhe} went to [sit alone|play alone] by the {spot}.

{N} played with the {toy}. [At first it was fun.|It was fun for a little while.] But soon {N} felt [bored|lonely]. [There was nobody to laugh with.|There was no one to play with.|It was not fun to play alone.] {N} looked at {M} and [felt bad|felt a little ache in {his} heart|saw that {mhe} was alone too].

{N} [walked|went] over to {M}. "I am sorry I was [mean|not nice|selfish]," {he} said. "[Do you want to play with my {toy}|We can share the {toy}|You can have the first turn]?"

{M} [smiled|looked up and smiled]. "Really? [Thank you|Yes, please|I would love to]!" They [played together|took turns] all [afternoon|day]. {M} even [showed {N} a new game|taught {N} a funny trick|made up a silly song about the {toy}]. [It was much more fun with two.|{N} had never laughed so much.]

When {N} got home, {his} {a} asked, "Did you have a good day?"

"Yes," said {N}. "[Sharing makes everything more fun|I learned that sharing is fun|I shared my {toy}, and I made a friend]." {His} {a} gave {him} a [big|warm] hug. {END}
""", s_toy)

# hurt small animal
plot("hurt_animal", "any", "{a_kind} who helps a hurt {pet}", "kindness", """
{OPEN}

{DAY}, {N} was walking [through|near] the {place}. {WEATHER} [Suddenly|Then], {he} heard a [tiny|soft|sad] sound. "[Help|Please help me|Ouch]!" said [a little voice|a small voice].

{N} looked [down|around] and saw a little {pet}. [It had a hurt leg|It was stuck under a stick|It was caught in some string|It had fallen and could not get up]. {N} felt sorry for the {pet}. "[Don't be afraid|Do not worry, little {pet}|Stay still]," {he} said [softly|gently|in a kind voice]. "I will help you."

{N} [carefully|slowly|gently] [lifted the {pet} up|freed the {pet}|picked up the {pet}]. {He} [carried it home|held it close|made a soft bed of leaves]. [{His} {a} helped {him} find a little box|{N} found a small box and filled it with soft grass]. Every [day|morning], {N} brought the {pet} {petfood} and [fresh water|a little water]. [Every night {he} sang it a song.|{He} talked to it and told it stories.]

After [three days|a few days|one week|some time], the {pet} felt [better|much better|strong again]. [It moved around the box.|It looked at {N} with bright eyes.] {N} was [happy, but a little sad too|glad]. "{P_home} is your home," said {N}. "[It is time for you to go back|You must miss your family]."

{N} took the {pet} back to the {place}. "Thank you, {N}," said the {pet}. "[I will never forget you|You are the kindest friend I know|You saved me]." [Then it went home to its family.|Then the {pet} went on its way.]

A few days later, {N} [was sad because {he} was alone|was sitting by the {spot}|came back to the {place}]. [Guess who came to visit?|Then {he} heard a tiny sound.] It was the {pet}! [It had brought its whole family.|It brought a [shiny stone|pretty leaf|red berry] as a gift.] {N} [laughed with joy|clapped {his} {hands}|smiled]. [From that day on, they were best friends.|They played together all day long.] {END}
""", lambda r, v: (s_small(r, v), v.update(P_home=("The " + v["place"]))))

# broke something / truth
plot("truth", "kid", "{a_kind} who breaks a {thing} and tells the truth", "telling the truth", """
{OPEN} {His} {a} had a [beautiful|special|pretty] {thing} [on the shelf|on the table by the window|in the living room]. "[Please be careful with it|Please do not play near it]," {his} {a} always said.

{DAY}, it was raining, so {N} had to stay inside. {He} [bounced a ball|ran around the room|danced|jumped on the sofa|threw a pillow into the air]. [Bump! Crash!|Bang!|Then there was a loud crash!] The {thing} fell [down|on the floor] and broke.

{N}'s heart [beat fast|went thump, thump, thump]. {He} was [scared|worried]. "[What should I do?|Oh no!|{A} will be so angry!]" {he} [thought|whispered]. {He} [hid the pieces under the bed|hid the pieces behind the curtain|put the pieces in a box and closed the lid]. But {he} [did not feel good|had a bad feeling in {his} tummy|could not play anymore].

[At dinner|Later|When {his} {a} came in], {his} {a} asked, "[Have you seen my {thing}|Where is the {thing}|What happened to my {thing}]?"

{N} [looked at {his} feet|was quiet for a long time|took a deep breath]. {He} wanted to say, "The cat did it." But {he} knew that was not true. "I broke it," {he} said at last. "[I was playing inside and it fell|It was an accident]. I am very sorry. [And I am sorry that I hid it.|I was afraid to tell you.]"

{His} {a} was quiet for a moment. Then {ahe} [sat down next to {him}|knelt down|took {his} hand]. "I am [a little sad about|sorry about] the {thing}," {ahe} said. "But I am [very proud|happy|glad] that you told me the truth. [That was brave.|Telling the truth is hard sometimes.]"

{N} [felt much better|felt light again|gave {his} {a} a hug]. "Can we fix it?" {he} asked.

"Let's try," said {his} {a}. Together they [found all the pieces|got some glue] and [put them back together|glued it piece by piece]. The {thing} [had a few lines on it now|did not look new|was a bit crooked], but {N} liked it even more. [Every time {he} saw it, {he} remembered to be honest.|It told the story of the day {he} was brave.] {END}
""", lambda r, v: v.update(thing=r.choice(["vase", "blue vase", "teapot", "lamp", "clock", "picture frame", "glass bowl", "flower pot", "china cup", "little statue", "mirror", "music box", "plate", "piggy bank"])))

# fear of the dark etc.
plot("fear_dark", "any", "{a_kind} who is afraid of the dark", "being brave", """
{OPEN} {N} was not afraid of almost anything. [But there was one thing {he} did not like.|But {he} had one secret.] {N} was afraid of the dark.

[Every night|At bedtime|When the sun went down], {N} [pulled the blanket over {his} head|asked for one more story|hid under the covers]. "[What if there is something in the dark?|The dark is too big.|I think I hear a noise.]" {he} [would say|whispered].

One night, {N} heard a [strange sound|soft tap, tap, tap|scratching sound|long, low whoosh]. {He} sat up. {His} heart [beat fast|went boom, boom]. "{A}!" {he} called.

{His} {a} came in [with a little lamp|with a candle|and sat on the bed]. "What is it, {N}?"

"There is [something|a monster] [by the window|under the bed|in the corner]!" whispered {N}.

"[Let's look together|Let's find out what it is]," said {his} {a}. They held {hands} and [tiptoed|walked slowly] across the room. {N} was scared, but {he} [took one step, and then another|took a deep breath]. They looked [by the window|under the bed|in the corner]. And what did they see? It was only [a branch tapping on the glass|the wind playing with the curtain|a little mouse looking for crumbs|{his} own coat on a hook|a sleepy moth]!

{N} [laughed|giggled]. "That is not a monster at all!"

"No," said {his} {a}. "[The dark is just the day with its eyes closed|The same things are here in the dark and in the light|The night is full of small, friendly things]. [Listen. You can hear the owls.|Look, you can see the stars now. You can only see them in the dark.]"

{N} looked out at the [sky|stars]. There were so many! They [twinkled|sparkled] like [tiny lamps|drops of silver]. {N} [counted ten of them|made a wish|smiled a sleepy smile]. "[The dark is not so bad|Maybe the dark is my friend|I like the stars]," {he} said and yawned.

From then on, when {N} heard a sound at night, {he} [did not hide|was not so scared]. {He} [got up to look|remembered the stars|said good night to the dark]. And then {he} [closed {his} eyes|went to sleep] with a smile.
""")

plot("fear_thing", "any", "{a_kind} who is scared of the {scary} but tries anyway", "being brave", """
{OPEN} All of {his} friends loved the {scary} {atplace}. But {N} did not. {N} was afraid. [It was too high.|It looked so big.|It made {his} knees shake.]

{DAY}, {M} said, "Come on, {N}! [Let's try the {scary}|The {scary} is so much fun|Come with me]!"

"No, thank you," said {N}. "I [will just watch|have a sore foot|don't feel like it]." [But that was not true.|{N} looked away.] {He} watched {M} [laugh and shout with joy|have fun], and {he} wished {he} could do it too.

[{M} saw {N}'s face.|{M} sat down next to {N}.] "Are you scared?" {mhe} asked [kindly|softly].

{N} nodded. "A little bit."

"I was scared the first time too," said {M}. "[My legs shook like jelly.|I even cried!] Do you know what helped me? I [counted to three|held my friend's {hand}|sang a little song]. [Do you want to try it together?|I will stay right next to you.]"

{N} thought about it. {He} looked at the {scary}. It still looked [very big|scary]. But {M} was [smiling|right beside {him}]. "Okay," said {N}. "[Together|But don't let go]."

They [walked up slowly|went step by step|stood there, side by side]. "One... two... three!" they [said|shouted] together. And then [whoosh|away they went]! {N} felt the wind on {his} face. {He} [squeezed {his} eyes shut|held {his} breath]... and then {he} began to laugh. "[Wow|I did it|That was amazing]!" {he} [shouted|cried]. "Again, again!"

They did it again and again, until [the sun went down|they were too tired to stand]. "You were so brave," said {M}.

"I was still scared," said {N}. "[But I did it anyway|But you helped me]."

"That is what being brave means," said {M}. {END}
""", lambda r, v: v.update(scary=r.choice(["big slide", "tall swing", "rope bridge", "deep water", "high diving rock", "climbing wall", "tree house ladder", "rope swing", "steep hill", "waterfall", "long tunnel"])))

# new friend
plot("new_friend", "any", "{a_kind} who makes a new friend {atplace}", "friendship", """
{OPEN} But {N} [had just moved to a new town|had nobody to play with|was new here] and {he} felt [lonely|a little sad].

{DAY}, {N} went to the {place}. {WEATHER} There {he} saw {sight}. [Everyone was playing together.|All the others had friends already.] {N} [sat down by the {spot}|stood near the {spot} and watched]. "[I wish I had a friend|Nobody knows my name|What if no one likes me]," {he} thought.

[Then {he} noticed somebody else.|Just then, {he} saw someone.] It was a {mkind} named {M}, sitting all alone too. {M} was [drawing in the dirt with a stick|looking at a tiny bug|trying to build a tower of stones|folding a paper boat|humming a little tune].

{N} [took a deep breath|gathered all {his} courage] and walked over. "Hello," {he} said. "[What are you making?|That looks like fun.|Can I sit here?]"

{M} [looked up|blinked in surprise|smiled shyly]. "[Hi|Hello]! [I would like that|You can help me if you want|Nobody ever asks me that]."

So they [worked together|played together|sat side by side]. [First they made a small one. Then they made a bigger one.|They made up a game and laughed and laughed.|They found out that they both loved {treat}.] {N} [shared {his} snack|told a funny joke], and {M} [laughed so hard that {mhe} fell over|showed {him} a secret path].

[Soon the sun was low.|The day went by very fast.] "Will you come back tomorrow?" asked {M}.

"[Yes|Of course], I will!" said {N}. [{He} skipped all the way home.|On the way home, {his} heart felt light.] {His} {a} saw {his} happy face. "What happened today?"

"I made a friend," said {N}. "[All I had to do was say hello|I was scared, but I said hello]." {END}
""")

# practice a skill
plot("practice", "any", "{a_kind} who learns to {skill}", "not giving up", """
{OPEN} More than anything, {N} wanted to {skill}. {His} [big sister|big brother|friend {M}|cousin] could do it. [It looked so easy!|Everybody could do it but {him}.]

{DAY}, {N} tried for the first time. {He} {fail}. "Ouch," said {N}. {He} tried again. {He} {fail} again! "[I can't do it|It is too hard|I will never learn]," {he} said and [sat down|stamped {his} foot|kicked a stone].

{His} {a} [saw {him}|came over|sat down beside {him}]. "[Learning takes time|Nobody can do it the first time|I could not do it at first either]," {ahe} said. "[Try a little bit every day|Every try makes you a little better|Do not give up]."

So the next day, {N} tried again. {He} {almost}. [It was not perfect, but it was better.|That was a tiny bit better.] The day after that, {he} tried [five times|ten times|all morning]. [Some days were good, and some days were bad.|Sometimes {he} wanted to stop.] But {N} [kept going.|did not give up.|said to {himself}, "One more time."]

Then, [on a bright morning|one week later|at last], it happened. {N} [took a deep breath|tried very slowly|closed one eye]... and {he} {did_it}! "I can do it! I can do it!" {he} shouted. "{A}, look!"

{His} {a} clapped and [cheered|laughed|danced around]. "[You did it|I knew you could|Look at you]! [How did you learn?|I am so proud of you!]"

"I [tried and tried|did not give up|fell down many times]," said {N}, "[and I got up every time|and then I tried once more]."

[The next day, {N} saw a smaller {K} who {fail}.|Soon after, {N} saw little {M} trying too.] {N} [walked over|smiled]. "Don't worry," {he} said. "I can show you. [It just takes time|You only have to keep trying]." {END}
""", lambda r, v: v.update(dict(zip(("skill", "fail", "almost", "did_it"), r.choice([
    ("ride a bike", "wobbled and fell into the grass", "rolled for a moment before {he} tipped over", "rode all the way down the path"),
    ("swim", "splashed and swallowed some water", "floated for three seconds", "swam from one side to the other"),
    ("whistle", "blew and blew, but only air came out", "made a tiny squeaky sound", "whistled a whole song"),
    ("skate on the ice", "slipped and landed on {his} bottom", "slid a little way before {he} fell", "glided across the ice like a bird"),
    ("climb the big tree", "slid right back down", "got to the first branch", "climbed all the way to the top"),
    ("juggle", "dropped every apple on the floor", "kept two apples in the air", "juggled three red apples"),
    ("jump rope", "tripped on the rope", "jumped two times in a row", "jumped twenty times without a stop"),
    ("bake bread", "made a bread as hard as a stone", "made a bread that was only a little burned", "baked a soft, golden loaf"),
    ("play the flute", "made a sound like an angry goose", "played three notes of a song", "played a whole song, sweet and clear"),
    ("do a cartwheel", "fell over sideways", "almost landed on {his} feet", "did a perfect cartwheel"),
    ("catch a ball", "missed the ball", "touched the ball with {his} fingers", "caught the ball with both {hands}"),
    ("dance", "tripped over {his} own feet", "did three steps before {he} got mixed up", "danced round and round without a mistake"),
    ("tie a bow", "made a big, messy knot", "made one loop, but it came undone", "tied a neat little bow"),
    ("draw a horse", "drew something that looked like a potato", "drew four legs and a crooked head", "drew a horse that seemed to run off the page"),
    ("row a boat", "went around in circles", "went a little way before {he} bumped into the bank", "rowed all the way across the lake"),
    ("read", "mixed up all the letters", "read one short word", "read a whole page out loud"),
])))))

# stuck in tree
plot("stuck", "any", "a {toy} stuck in a tree and {a_kind} with a good idea", "working together", """
{OPEN} {His} best friend was {M}. [They did everything together.|They played together every day.]

{DAY}, {N} and {M} took a {color} {toy} to the {place}. {WEATHER} They [laughed and ran|played all morning|had so much fun]. But then [a strong wind came|{N} threw it too high|{M} threw it too hard], and the {toy} flew up, up, up. It landed in [the top of a tall tree|a high branch|the branches of an old tree].

"Oh no!" said {M}. "[How will we get it down|It is so high|Now it is stuck]?"

First, {N} [jumped as high as {he} could|tried to jump|stretched {his} arms]. But the branch was too high. Then {M} [shook the tree|pushed the tree|threw a small stick]. [A few leaves fell down, but the {toy} did not move.|The {toy} wiggled, but it did not fall.] [They were sad.|They sat down and thought.]

"I have an idea," said {N}. "[You are good at climbing, and I am tall|If you stand on my back, you will be higher|Let's find a long stick]. [We can do it together|Together we can reach it]!"

[So {M} climbed onto {N}'s back.|They worked as a team.] {He} held {mhim} [very still|tight]. {M} reached out... a little more... [just a little more|almost]... and poke! The {toy} [came loose|slipped out of the leaves] and fell [down into the soft grass|right into {N}'s {hands}].

"Hooray!" they [shouted|cheered]. "We did it!" They [hugged|did a happy dance|laughed]. "[I could not do it alone|One of us was too small|Alone, we were too small]," said {N}.

"But two of us were tall enough," said {M}. [After that, they played far away from the trees.|Then they ran to an open field, where there were no trees at all.] {END}
""", s_throw)

# birthday
plot("birthday", "any", "{a_kind} who thinks everyone forgot {his} birthday", "being loved", """
{OPEN} Today was a special day. It was {N}'s birthday!

{N} woke up [early|with a smile] and ran to the kitchen. "Good morning!" {he} said. {He} waited for someone to say "Happy birthday." But {his} {a} only said, "Good morning, {N}. [Please eat your breakfast.|Would you like some toast?|It is a busy day today.]"

{N} was surprised. [Did {his} {a} forget?|Maybe {ahe} forgot.] {He} went outside and saw {M}. "Hi, {M}! Do you know what day it is?"

"Hmm," said {M}. "It is [Tuesday|Friday|Saturday], I think. [I have to go now|I am very busy today. Bye]!" And {M} [ran off|hurried away].

{N} sat down by the {spot} {atplace}. "[Nobody remembers my birthday|Everyone forgot]," {he} said. A [big|small] tear rolled down {his} cheek. {He} [watched the clouds|threw pebbles|drew lines in the dirt] [all by {himself}|for a long time].

When the sun [got low|began to set], {N} walked home slowly. The house was [dark|very quiet]. {N} opened the door and...

"SURPRISE!" [The lights went on.|Everyone jumped out.] There was {M}, and {his} {a}, and all of {his} friends! There were [balloons|paper stars|colorful flags] [everywhere|on every wall], and on the table there was [a big cake with candles|a cake as tall as a hat|a huge cake with {N}'s name on it].

"Happy birthday, {N}!" they [sang|shouted]. "Did you think we forgot?"

{N} [laughed and cried at the same time|could not believe {his} eyes]. "Yes, I did," {he} said. "[You tricked me|This is the best surprise ever]!"

{M} gave {him} a [box|little box|present] with a ribbon. Inside was a {color} {toy}. "[I made it myself|I picked it just for you|I had to hurry home to wrap it]," said {M}. {N} [hugged {M} tight|blew out the candles and made a wish]. [{He} did not need to wish for anything else.|What did {he} wish for? That is a secret.] {END}
""", s_toy)
