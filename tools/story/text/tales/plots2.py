# SPDX-License-Identifier: MIT
"""Plots: baking, seed, rainy day, lost way, warning, greedy, race, wishes, no sleep."""
from . import words as w
from .plotting import plot

# baking
plot("baking", "any", "{a_kind} who bakes {food} with {his} {a}", "fixing mistakes", """
{OPEN}

{DAY}, {N} and {his} {a} wanted to make {food}. [It was a surprise for {M}|They were hungry|It was {his} favorite food]. "[First we wash our {hands}|Can I help|What do we need]?" [asked|said] {N}.

"We need flour, eggs, milk, and [a little sugar|a spoon of butter|some love]," said {his} {a}. {N} [poured the flour|got the eggs|found the big spoon]. {He} [mixed and mixed|stirred and stirred|hummed a song as {he} worked]. [Flour flew everywhere! It got on {his} nose and on {his} {a}'s hair.|An egg rolled off the table and went splat!|Some milk spilled on the floor.] They both laughed.

[But then something went wrong.|Then {N} made a mistake.] {N} [put in salt and not sugar|put in a whole cup of salt|forgot the sugar|dropped the bowl]. {He} tasted a tiny bit. "Yuck!" {he} said and made a funny face. [{His} eyes filled with tears.|{He} felt bad.] "I ruined it."

"[Everyone makes mistakes|It is only a mistake]," said {his} {a}. "Do you know what good cooks do when [it goes wrong|they make a mistake]?"

{N} thought. "They try again?"

"[Yes|That is right]! They try again." So they washed the bowl and [started over|began again]. This time {N} [read every word on the bag|was very careful|tasted everything first]. [Into the oven it went.|They put it on the stove and waited.] Soon the whole house smelled [sweet|wonderful|so good].

[At last it was ready|Ding! It was done]. They sat down at the table and took a bite. "Mmm!" said {N}. "[This is the best in the world|It is perfect|It tastes like a warm hug]!"

[{M} came over and had some too.|They took some to {M}, who ate three helpings.] "[How did you make this|Who made this]?" asked {M}.

{N} [smiled proudly|grinned]. "I did. [The first time was terrible|We had to make it twice]!" And everyone laughed. {END}
""", lambda r, v: v.update(food=r.choice(w.FOODS)))

# seed
plot("seed", "any", "{a_kind} who plants a seed and has to wait", "being patient", """
{OPEN}

{DAY}, {his} {a} gave {him} a [tiny|small|little brown] seed. "[Plant this and take care of it|This seed has a secret inside]," {ahe} said. "[But you must be patient|It needs water, sun, and time]."

{N} [ran|hurried] to the garden. {He} dug a [little|small] hole, put the seed in, and covered it with soft earth. {He} [poured water on it|gave it a drink of water]. Then {he} sat down and watched. {He} watched and watched. Nothing happened.

"[Why is it so slow?|Maybe it is asleep.]" said {N}. "Wake up, little seed!" {He} [sang to it|jumped up and down next to it|told it a story]. Nothing happened.

{M} came by and laughed. "[Nothing will grow there|You are talking to dirt|That seed is no good]," {mhe} said. [{N} felt sad, but {he} did not give up.|But {N} shook {his} head. "You will see," {he} said.]

The next day, {N} watered the seed again. And the next day. And the next. [It rained, and the sun came out.|The sun shone, and the rain fell.] {N} [wanted to dig the seed up to look at it|almost forgot to water it once], but {his} {a} said, "[Be patient|Wait a little longer]. [Good things take time.|Under the ground, it is working hard.]"

Then, one [fine|bright|cool] morning, {N} saw something green. It was a tiny [sprout|leaf]! "{A}! {M}! Come and look!" {he} shouted. Every day the plant grew [taller|bigger]. It grew as high as {N}'s knees. Then it grew as high as {his} nose. And at last it [had a big yellow sunflower|was full of sweet red tomatoes|opened one huge pink flower|gave them a giant orange pumpkin|was covered with sweet strawberries].

"[Wow|It is beautiful]," said {M}. "I am sorry I laughed. [How did you do it?|Was it magic?]"

"[I just waited|I gave it water and I waited]," said {N}, and {he} gave {M} a tiny brown seed. "[Here is one for you|Now you try]. [But you must be patient|Don't forget to sing to it]!" {END}
""")

# rainy day
plot("rainy_day", "kid", "a rainy day and {a_kind} who is bored", "using your imagination", """
It was a rainy [day|morning|afternoon]. A [{trait} |]{kind} named {N} [looked out of the window|pressed {his} nose against the window] and sighed. [Drip, drop, drip, drop.|The rain went pitter-patter on the roof.] "I [wanted to go to the {place}|am so bored]," said {N}. "[There is nothing to do|Rain is no fun]."

{His} {a} smiled. "[Rain is a good time for imagination|You have a big box and a big imagination|I think I see an adventure]," {ahe} said, and {ahe} gave {N} [an old sheet|a big cardboard box|a pile of pillows|a blanket and two chairs].

{N} looked at it. [At first, {he} saw only {old}.|"What can I do with this?" {he} asked.] But then {he} had an idea. "It is a {craft}!" {he} said. {He} [climbed in|crawled under it|got to work]. {He} used [a spoon as a wheel|a pot as a hat|a broom as a flag|two socks as flags], and {his} [cat|little {sib}|teddy bear] was the {crew}.

"[All aboard|Hold on tight|Here we go]!" shouted {N}. The {craft} [flew over the mountains|sailed across the kitchen sea|zoomed past the moon|rolled into the deep jungle]. They saw [a sea monster that looked like the sofa|three green giants|a dragon who was very polite|a whale as big as a house]. "Do not be afraid," said {N} to the {crew}. "[I will save you|It only wants to play]!" [They gave it a cookie, and it became their friend.|They sang a song, and it fell asleep.|It waved its tail and swam away.]

They found [a treasure of golden buttons|an island made of pillows|a star that had lost its way]. [What an adventure it was!|They laughed so hard that their tummies hurt.]

Then {N} heard {his} {a} call, "[Lunch is ready|Look outside]! The rain has stopped. [Do you want to go to the {place} now|You can go out and play]?"

{N} [peeked out|thought for a moment]. There was a rainbow in the sky. "[In a minute|Maybe later]," {he} said. "[First I have to bring the {craft} home|We are almost at the moon]!" {His} {a} laughed. {END}
""", lambda r, v: v.update(craft=r.choice(["ship", "rocket", "castle", "submarine", "train", "pirate ship", "flying boat", "spaceship"]),
     crew=r.choice(["captain", "first mate", "brave helper", "copilot", "lookout"]), sib=r.choice(["brother", "sister"]), old=r.choice(["an old, boring thing", "something old and plain"])))

# lost in a place
plot("lost_way", "any", "{a_kind} who gets lost in the {place2}", "staying calm", """
{OPEN}

{DAY}, {N} went to the {place2} with {his} {a}. "Stay close to me," said {his} {a}. "[It is easy to get lost here|This is a big place]."

"I will," said {N}. But then {he} saw [a beautiful blue butterfly|a funny little dog|a shiny red balloon|a man with a drum|something sparkle]. {He} followed it [around a corner|a little way|past a big sign]. {He} only wanted to look for a moment. But when {N} turned around, {his} {a} was [gone|nowhere to be seen]. 

{N} looked left. {He} looked right. [Everything looked the same.|All {he} saw were strange faces.|Nothing looked right.] {His} [lip began to shake|eyes filled with tears|heart beat fast]. "{A}?" {he} called. Nobody answered.

[Then {N} remembered something.|{N} took a deep breath and tried to think.] {His} {a} always said, "If you are lost, [stay where you are and ask a kind helper|stop, breathe, and look for someone who can help|do not run. Stay in one place]." So {N} [stood still|sat down on a step] and looked for a helper.

{He} saw {a_helper}. "Excuse me," said {N} [bravely|in a small voice]. "I am lost. My name is {N}. I [can't find my {a}|was with my {a}]."

"You did the right thing," said the {helper}. "[Do not worry|We will find {ahim} together]. What does your {a} look like?"

"[My {a} has a {color} coat and a big smile|My {a} has a {color} scarf|My {a} wears a {color} hat]," said {N}. The {helper} lifted {N} up high so that {he} could see [over the crowd|far away]. And there, [far away|across the way], was a {color} [spot|dot].

"{A}!" shouted {N}. {His} {a} came running and [hugged {him} tight|picked {him} up]. "I looked for you everywhere! [I was so worried.|Are you all right?]"

"I am sorry I [walked away|did not stay close]," said {N}. "But I [stayed calm and asked for help|remembered what you told me]."

"That was very smart," said {his} {a}. They thanked the {helper}, and [all the way home {N} held {his} {a}'s {hand}|then they shared {treat}]. {END}
""", lambda r, v: v.update(place2=r.choice(["market", "forest", "big store", "zoo", "train station", "fair", "city", "woods", "museum", "harbor"]),
     helper=r.choice(["policeman", "baker", "old woman", "shopkeeper", "farmer", "ticket lady", "gardener", "fisherman", "wise old owl", "flower seller"]),
     color=r.choice(["red", "yellow", "green", "blue", "purple", "orange"])) or v.update(a_helper="a " + v["helper"]))

# didn't listen
plot("warning", "any", "{a_kind} who does not listen to a warning", "listening", """
{OPEN} {N} was a good {K}, but {he} did not always listen.

{DAY}, {his} {a} said, "{N}, please do not {bad}. {why}."

"Yes, {A}," said {N}. But {he} was not really listening. [{He} was thinking about the {place}.|{He} was already halfway out the door.] {He} [skipped|ran] outside to play. Soon {he} [forgot all about it|saw {M}]. "[I think I will do it anyway|It will be fine|Just a little bit will not hurt]," {he} said.

"[Are you sure|Didn't your {a} say no|Do you think that is a good idea]?" asked {M}.

"[Don't be a baby|Nothing will happen|I know what I am doing]," said {N}. So {N} {did_bad}. [At first it was fun.|It was fun for a minute.] But then {oops}! "[Help|Oh no|Help me]!" cried {N}.

{M} [ran as fast as {mhe} could|did not wait. {MHe} ran] to get {N}'s {a}. {His} {a} came [quickly|right away] and {fix}. {N} was [cold, tired, and very sorry|safe, but {his} {hands} were shaking]. 

"I am sorry," said {N}. "You told me not to {bad}, and I did not listen."

{His} {a} [wrapped {him} in a warm blanket|sat down beside {him}|wiped {his} face]. "I do not tell you these things to be mean," {ahe} said. "I tell you because I love you[ and I want you to be safe|]."

"I know that now," said {N}. {He} also [turned to|thanked] {M}. "[You were right|Thank you for getting help]. [You are a true friend.|I should have listened to you too.]"

The next day, when {his} {a} said, "{N}, please listen," {N} [stopped and looked up|listened with both ears]. {END}
""", lambda r, v: v.update(dict(zip(("bad", "why", "did_bad", "oops", "fix"), r.choice([
    ("walk on the ice", "The ice is too thin", "walked out onto the ice", "crack! The ice broke, and {his} legs went into the cold water", "pulled {him} out with a long branch"),
    ("go near the beehive", "The bees do not like visitors", "poked the beehive with a stick", "buzz! The bees came out, and one of them stung {him} on the nose", "put cold mud on {his} sore nose"),
    ("eat the berries by the road", "They will make your tummy hurt", "ate a whole handful of berries", "{his} tummy began to hurt, and it hurt very badly", "gave {him} some warm tea and put {him} to bed"),
    ("climb the old tree", "The branches are weak", "climbed higher and higher", "snap! A branch broke, and {he} hung by one {hand}", "caught {him} in {ahis} arms"),
    ("play near the river", "The water is fast today", "jumped from stone to stone", "splash! {He} slipped and the water carried {him} away", "reached out and grabbed {him} by the collar"),
    ("touch the hot pot", "It can burn you", "reached up to taste what was inside", "ouch! {He} burned the tip of {his} finger", "held {his} finger under cold water"),
    ("leave the gate open", "The chickens will run away", "left the gate wide open", "all the chickens ran out and flapped across the road", "helped {him} catch the chickens, one by one"),
    ("go into the dark cave", "You could get lost", "walked deep into the cave", "{he} turned around, and {he} could not see the way out", "came with a bright light and led {him} out"),
    ("run in the house", "The floor is wet", "ran down the hall as fast as {he} could", "whoops! {He} slipped and bumped {his} head", "put some ice on the bump"),
    ("eat all the cake", "It is for the party, and it is too much for one tummy", "ate one piece, and then another, until the plate was empty", "{his} tummy felt as big as a drum, and it ached", "rubbed {his} sore tummy"),
    ("stay out after dark", "It is easy to get lost at night", "played on and on until the stars came out", "{he} could not find the path home", "came with a lantern and called {his} name"),
    ("swim past the rocks", "The waves are strong there", "swam past the rocks", "a big wave pushed {him} under the water", "pulled {him} back to the shore"),
])))) or v.update(MHe=v["mhe"].capitalize()))

# greedy
plot("greedy", "any", "a greedy {K} who wants all the {yum}", "not being greedy", """
{OPEN} But {N} was also a little bit greedy. When there was something good to eat, {N} wanted all of it.

{DAY}, {N} found [a big basket|a whole pile|a sack full] of {yum} [{atplace}|under a tree|by the side of the path]. "[Yum|Lucky me|What a treat]!" said {N}. "[I will eat them all by myself|These are all mine]!"

{M} came along. "[Those look delicious|I have not eaten all day|I am hungry]," {mhe} said. "May I have [one|just one|a few]?"

"No," said {N}. "[I need them all|There are not enough|Find your own]." And {he} [turned {his} back and ate|put {his} arms around the pile].

{N} ate one. {He} ate two. {He} ate three, four, five! [{He} did not stop.|{He} ate faster and faster.] Soon {his} tummy was as round as a [ball|pumpkin|drum]. [{He} wanted to stand up, but {he} could not.|{He} tried to walk, but {he} just rolled over.] "Ooooh," {he} [groaned|moaned]. "My tummy hurts so much."

{M} heard {him} and came back. {N} thought {M} would laugh. But {M} did not laugh. {MHe} [brought some cool water|sat down and rubbed {N}'s back|made some mint tea]. "[Rest here|Drink this slowly]," {mhe} said. "[You will feel better soon.|I will stay with you.]"

"Why are you so nice to me?" asked {N}. "I did not give you even one."

"[Because you are my friend|Because that is what friends do]," said {M}.

{N} felt [ashamed|very sorry]. [When {he} felt better|The next day], {he} [took the basket|gathered all the {yum} that were left] and brought it to {M}. "Please take these," said {N}. "[I should have shared|I was greedy, and I am sorry]."

{M} [took half and gave half back|smiled and put the basket between them]. "Let's eat them together," {mhe} said. And do you know what? The {yum} tasted [much sweeter|twice as good] that way. {END}
""", lambda r, v: v.update(yum=r.choice(["cookies", "berries", "apples", "nuts", "honey cakes", "plums", "cherries", "muffins", "pears", "carrots", "candies", "pies", "bananas", "peaches"]), MHe=v["mhe"].capitalize()))

# race
plot("race", "race", "a race between {a_kind} and {m_kind}", "being a good winner", """
In a [green|wide|quiet] {wood} there lived a {K} named {N} and a {MK} named {M}. {N} was [very slow|small and slow], and {M} was [very fast|the fastest of all]. "[Nobody can beat me|I am the fastest in the whole {wood}]!" {M} said [every day|to everyone]. [The other animals were tired of hearing it.|The others rolled their eyes.]

{DAY}, {N} said, "I will race you to the [big oak tree|old bridge|top of the hill|{spot}]."

{M} laughed [and laughed|until {mhe} fell over]. "You? Race me? [That is the funniest thing I ever heard|You are so slow]! All right. Let's race!"

All the animals came to watch. "Ready, set, go!" called the [owl|old goose|crow]. {M} ran off [like the wind|in a cloud of dust]. {N} started too, one step at a time.

Soon {M} was far ahead. {MHe} looked back and could not even see {N}. "[I have so much time|This is too easy]," said {M}. "[I will take a little nap|I will stop for a snack|I will pick some flowers]." And {mhe} [lay down under a tree|sat down in the shade].

But {N} did not stop. Step by step, {he} kept going. "[Slow and steady|One step, and one more step]," {he} said to {himself}. {He} passed the [fence|stream|bush]. {He} passed the tree where {M} was [snoring|sleeping|eating]. [{He} did not make a sound.|{He} just smiled and went on.]

[Then {M} woke up with a jump.|Suddenly {M} heard the crowd cheer.] {MHe} ran and ran [as fast as {mhe} could|faster than ever]. But it was too late. {N} was [already there|just crossing the line]!

"{N} wins! {N} wins!" shouted the animals. {M} was [so surprised|out of breath] and [hung {mhis} head|looked at the ground]. "[I should not have laughed at you|I was too proud]," {mhe} said. "[You won fair and square|You are a real champion]."

{N} [smiled|was not mean about it]. "You are still the fastest," {he} said. "[Would you like to be on my team next time|Maybe you can teach me to run, and I can teach you not to stop]?" {M} laughed, and [they shook {hands}|they were good friends from then on]. {END}
""", lambda r, v: v.update(wood=r.choice(["forest", "valley", "meadow", "jungle", "wood"]), MHe=v["mhe"].capitalize()))

# wishes
plot("wishes", "any", "{a_kind} who finds a magic {magic} with three wishes", "being content", """
{OPEN}

{DAY}, {N} was [digging in the sand|walking {atplace}|looking for pretty stones] when {he} found [an old|a dusty|a strange] {magic}. {He} [rubbed it|picked it up|cleaned it with {his} sleeve], and poof! A tiny [fairy|genie|wizard|elf] came out.

"[Hello|Thank you for finding me|Achoo]!" said the tiny [person|fellow]. "I can give you three wishes. [But choose well|Be careful what you wish for]!"

{N} [jumped up and down|could not believe it]. "I wish for [a mountain of candy|a hundred toys|a cake as big as a house]!" {he} said. Poof! There it was. {N} [was so happy|laughed and danced]. But soon [there was no room to walk|{he} felt sick of it|{he} did not know what to do with so much]. [{He} could not even find {his} own bed.|It blocked the door, and no one could get in.]

"My second wish," said {N}, "is to be [as big as a tree|able to fly|a king|invisible]." Poof! It happened. [At first it was exciting.|It was fun for a short time.] But {M} came by and [did not know {him}|was afraid and ran away|could not play with {him} anymore]. {N} felt [very lonely|sad]. "[This is not what I wanted|I miss my friend]," {he} said.

[{N} sat down and thought for a long time.|Now {N} had only one wish left.] {He} could ask for [gold|a castle|anything]. But {he} said, "I wish that everything was [just like before|the way it was this morning]."

"Are you sure?" asked the tiny [person|fellow].

"Yes," said {N}. Poof! {N} was just {N} again, [standing {atplace}|with sand on {his} {hands}]. And there was {M}, waving. "Do you want to play?" called {M}.

"[More than anything|Yes, I do]!" said {N}. [They played until dark, and it was a perfect day.|{He} ran to {M} and smiled. {He} already had what {he} wanted.] {END}
""", lambda r, v: v.update(magic=r.choice(["lamp", "bottle", "shell", "ring", "box", "acorn", "mirror", "teapot", "whistle", "coin", "key"])))

# cannot sleep
plot("no_sleep", "any", "{a_kind} who cannot sleep", "going to bed", """
It was late, and the [moon|stars] shone over the {place}. Everyone was asleep. Everyone but {N}. {N} was a {trait} {kind}, and tonight {he} just could not sleep.

{He} turned to the left. {He} turned to the right. {He} [counted sheep|closed {his} eyes very tight|lay very still]. But {his} eyes popped open again. "{A}," {he} called, "I can't sleep."

{His} {a} [brought {him} a cup of warm milk|tucked {him} in|sat down on the edge of the bed]. "[Think of something soft|Listen to the night|Try to think of your favorite things]," {ahe} [said|whispered].

So {N} listened. {He} heard [the clock going tick, tock|the wind in the trees|{psound}, far away]. {He} heard [an owl say hoo, hoo|a frog say good night to another frog]. "[Who else is awake|I wonder who else can't sleep]?" thought {N}. {He} [looked out of the window|got up and peeked outside]. There was the moon, [round and white|big and bright].

"Hello, Moon," said {N}. "Can't you sleep either?"

"[I am not sleepy at night|It is my job to stay awake]," the moon seemed to say. "[I watch over everyone|I keep a light on for you]. I watch over the [birds in their nests|fish in the lake|rabbits in their holes]. And I watch over you."

{N} [smiled|felt warm inside]. {He} waved to the moon and [went back to bed|climbed back under the covers]. One by one, {he} said good night to everything. "Good night, [chair|lamp|window]. Good night, [tree|stars|little mouse]. Good night, Moon."

{His} eyes got [heavy|heavier and heavier]. [{He} yawned a big yawn.|The blanket was soft and warm.] And before {he} could say good night to {himself}, {N} was [fast asleep|asleep].
""")
