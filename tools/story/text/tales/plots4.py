# SPDX-License-Identifier: MIT
"""Plots: manners, cloud, mystery, contest, moon trip, grumpy, small helps big, turnip, doctor."""
from . import words as w
from .plotting import ch, plot, s_toy

# please & thank you
plot("manners", "any", "{a_kind} who forgets to say please and thank you", "being polite", """
{OPEN} But {N} had one bad habit. {He} never said "please" and {he} never said "thank you."

"Give me {treat}!" {he} said at breakfast. "Move over!" {he} said {atplace}. "I want that!" {he} said to {M}. [Nobody liked it very much.|People began to frown when {he} came.]

{DAY}, {N} woke up, and something strange had happened. When {he} said, "Give me some milk!" no one [heard {him}|moved]. {His} {a} just [hummed and looked out of the window|went on reading]. "I said, give me some milk!" {N} shouted. [Nothing.|Still nobody heard.]

{He} went outside. "{M}, give me the ball!" {he} said. But {M} [did not turn around|kept playing]. [It was as if {N} was made of air.|{N} waved {his} {hands}, but nobody looked.] {He} felt [very lonely|a bit scared]. "[What is happening to me|Why can't anyone hear me]?"

[An old owl in the tree|A small voice behind {him}|A wise old turtle] spoke. "[They cannot hear you because you have lost your magic words|You have lost your magic words]."

"What magic words?" asked {N}.

"[You know them|Think hard]. [They are small, but they open every door.|One comes before, and one comes after.]"

{N} thought for a long time. Then {he} walked over to {M}. "May I play with you... please?" {he} asked [softly|].

{M} turned around right away. "[Oh, hello, {N}|There you are]! Of course you can."

"Thank you!" said {N}. [It felt good to say it.|The words felt warm in {his} mouth.] {He} ran home. "{A}, may I have some milk, please?"

"[Of course, my dear|Certainly]," said {his} {a}, and {ahe} [smiled|gave {him} a big glass].

"Thank you, thank you, thank you!" said {N}. {He} never forgot the magic words again. [Well, almost never. And when {he} did, {he} said, "I'm sorry." Those are magic words too.|And everyone was happy to hear {him} coming.]
""")

# cloud
plot("cloud", "thing", "a little cloud who wants to be useful", "everyone has a purpose", """
[High up in the sky|Far above the hills], there lived a little [white|gray] cloud named {N}. {N} was [small and fluffy|very shy|smaller than all the other clouds]. The big clouds [made thunder and lightning|made long shadows|rode on the strong wind]. {N} just floated.

"[What are you good for|You are too small to do anything]?" said [a big dark cloud|the north wind]. {N} did not know. {He} [drifted away|felt so sad that {he} almost fell apart].

{N} floated over the {place}. {He} saw {sight}. {He} floated over a [wide brown field|small village]. There {he} saw a {someone} who looked very sad. "What is the matter?" asked {N}.

"[It has not rained for weeks|There has been no rain all summer]," said the {someone}. "[My garden is dry|The flowers are thirsty|The corn is turning brown]. [If it does not rain soon, there will be nothing to eat.|I carry water every day, but it is not enough.]"

"I am [only a little cloud|very small]," said {N}. "But I can try." {He} [took a deep breath|flew to the lake and drank until {he} was round and heavy|puffed {himself} up]. {He} puffed and puffed. {He} turned [gray|dark blue]. And then... drip. One drop fell. Drip, drop. Two drops. [Then it rained|Then the rain came down], soft and cool, all over the field.

"[Rain! Rain|It is raining]!" The {someone} [danced|laughed and held out both hands]. The flowers lifted their heads. The frogs sang. [Children ran out and jumped in the puddles.|Every leaf was shining.]

{N} gave every drop {he} had. [{He} got smaller and smaller.|Soon {he} was only a tiny wisp.] "[I am almost gone|There is not much left of me]," {he} said, "but I am happy."

Then the sun came out. [It warmed the puddles, and the water rose up into the air again.|"Do not worry," said the sun, and it lifted the water back up to the sky.] {N} felt [{himself} grow|round and soft again]. And across the sky there was a [bright rainbow|ribbon of seven colors].

"[Look what you made|You made that]," said the sun. From then on, {N} [visited the field every week|never asked what {he} was good for]. {He} knew.
""", ch(("someone", ["old farmer", "little girl", "tired gardener", "boy with a bucket", "old woman"])))

# noise mystery
plot("mystery", "any", "{a_kind} who follows a strange sound", "being curious", """
{OPEN}

{DAY}, {N} heard a strange sound. {sound}! "What was that?" {he} said. {He} [stood still and listened|stopped and turned {his} head]. {sound}! There it was again.

"Did you hear that, {M}?" asked {N}.

"[Yes|I did]," said {M}. "[It sounds like a giant|It sounds like a ghost|It may be a dragon]. [Let's run away|Let's hide]!"

"[No, let's find out what it is|I want to know what it is]," said {N}. [{He} was a bit scared, but {he} was more curious than scared.|"A sound cannot bite," {he} said.] They followed the sound [past the {spot}|down the path|around the corner]. {sound}! It got louder. They followed it [over a fence|through the tall grass|behind the barn]. {sound}! It was very close now. {M} [held on to {N}|hid behind {N}].

{N} [pulled back the branches|peeked around the corner|opened the old door, which went creeeak]. And there was {maker}!

{N} [laughed|began to giggle]. "[It's only {maker2}|So it was you]!" {he} said. {M} [came out and laughed too|let out a long breath].

{ending} [It was not a giant at all.|There was no ghost.] "[I am glad we looked|Now we know]," said {N}.

"[Next time I will not be so afraid|You are a good detective]," said {M}. {END}
""", lambda r, v: v.update(dict(zip(("sound", "maker", "maker2", "ending"), r.choice([
    ("Thump, thump, thump", "an old woman beating the dust out of a rug", "a rug", "The old woman was glad to see them. She gave them each a cookie, and they helped her carry the rug."),
    ("Squeak, squeak, squeak", "a rusty gate, swinging in the wind", "a rusty gate", "They put a drop of oil on the gate. After that, it did not make a sound."),
    ("Tap, tap, tap", "a woodpecker making a hole in a tree", "a woodpecker", "The woodpecker was building a home. They sat and watched until it was done."),
    ("Whooo, whooo", "an empty bottle, and the wind was blowing over its top", "a bottle", "They picked it up and blew over it too. It made lovely music."),
    ("Plop, plop, plop", "an old plum tree, dropping ripe plums into a bucket", "plums", "They ate the sweet plums until they were full."),
    ("Snort, snuffle, snort", "a fat pig, sleeping in the sun", "a sleepy pig", "The pig opened one eye, and then it went back to sleep."),
    ("Clink, clank, clink", "a goat with a bell, caught in a bush", "a goat", "They freed the goat, and it licked their faces to say thank you."),
    ("Mew, mew, mew", "a box with three tiny kittens inside", "kittens", "The kittens were hungry, so they ran to get some milk. Soon the mother cat came and purred."),
    ("Ding, ding, ding", "a man with an ice cream cart", "the ice cream man", "The man gave them each a scoop of ice cream because they had found him first."),
    ("Boom, boom, boom", "a band with a big drum, getting ready for the parade", "a drum", "The drummer let them hit the big drum once. It was the best day ever."),
])))))

# music / contest
plot("contest", "any", "{a_kind} who enters a {cont} contest", "doing your best", """
{OPEN} 

{DAY}, there was a sign in the village square. It said, "Big {cont} contest on Saturday! [The prize is a golden cup|The winner gets a silver medal|First prize: a huge cake]!" {N} read it [twice|three times]. "[I want to try|I will enter]!" {he} said.

"[You|Really]?" said {M}. "[But the best {people} in the land will be there|You only started last month]."

"[I know|That is all right]," said {N}. "I just want to do my best." {He} practiced [every morning before breakfast|every day after school|until the moon came up]. Some days it went well. [Some days it went so badly that the neighbors closed their windows.|Some days {he} wanted to quit.] {M} [brought {him} snacks|sat beside {him} and cheered|gave {him} good advice].

On Saturday, {N}'s tummy was full of butterflies. [The first one was wonderful.|All the others were so good.] [The second one was even better.|They were bigger and older than {N}.] Then it was {N}'s turn. {He} walked up. {His} knees shook. {He} looked at the crowd and [forgot everything|could not move].

Then {he} saw {M}, who [smiled and nodded|waved from the front row|gave {him} a thumbs up]. {N} [took a deep breath|closed {his} eyes] and began. [At first it was shaky.|It was not perfect. {He} made one small mistake.] But {N} did not stop. {He} put {his} whole heart into it. [And then something lovely happened: people began to smile.|Little by little, it got better and better.] When {he} was done, everyone [clapped and cheered|stood up and clapped].

{N} did not win first prize. [It went to an old man with a gray beard.|It went to a girl from the next town.] But {N} won [a ribbon for trying so hard|a small prize for the bravest heart|third place and a bag of apples].

"[Are you sad|Are you sorry you did not win]?" asked {M}.

{N} thought about it. "[No|Not at all]," {he} said. "[I was scared, and I did it anyway|I did my best, and it was fun]. [And I know I will be even better next year!|That feels like winning.]" {END}
""", lambda r, v: v.update(dict(zip(("cont", "people"), r.choice([("singing", "singers"), ("dancing", "dancers"), ("baking", "bakers"), ("painting", "painters"), ("kite flying", "kite flyers"), ("storytelling", "storytellers"), ("music", "players"), ("jumping", "jumpers")])))))

# moon / space trip dream
plot("moon_trip", "any", "{a_kind} who flies to {planet}", "imagination", """
{OPEN} {N} [dreamed of the stars|always wanted to see {planet}|looked at {planet} every night].

{DAY}, {N} found [an old bathtub|a big box|a broken wagon|a barrel] in the {yard}. "This will be my rocket!" {he} said. {He} added [a pot for the nose|two brooms for wings], [a clock for the controls|a bicycle bell|seven buttons], and a {color} flag. {M} came by. "What are you doing?" {mhe} asked.

"I am going to {planet}. Do you want to come?"

"[Will we be back for dinner|Are there snacks]?" asked {M}.

"Yes," said {N}. So {M} got in. "Five, four, three, two, one... blast off!" [The rocket shook.|There was smoke and noise.] Up, up, up they went, [over the roof|past a very surprised bird], [through a cloud|over the hills], and into the dark blue sky. [The stars were as big as apples.|The stars went by like fireflies.]

Bump! They landed on {planet}. [Everything was silver and quiet.|The ground was soft like cake.] When {N} jumped, {he} went [as high as a house|up and up and came down slowly like a feather]. [They jumped and laughed.|{M} did three flips in the air.] Then they saw [a small green creature|somebody with three eyes|a round, fuzzy creature]. It looked [lonely|a little sad].

"Hello," said {N}. "[Do you live here all alone|Why are you sad]?"

"[Yes. Nobody ever visits me|It is very quiet here]," said the creature. "[I have not had a friend in a hundred years.|I have a ball, but nobody to throw it to.]"

"[We will be your friends|Let's play]!" said {M}. They played [tag among the rocks|catch with the creature's glowing ball|hide and seek], and they shared [their sandwiches|an apple]. [The creature had never tasted an apple before. It turned pink with joy.|The creature laughed, and it sounded like tiny bells.]

Then {N} heard a voice, far away. "{N}! {M}! Dinner!" "[We have to go|It is time to go home]," said {N}. "[But we will come back|But look for us on every clear night]."

The creature gave them a small shiny stone. [Whoosh! They flew home.|Down, down they went.] They sat down at the table just in time. "[Where have you been|What did you play today]?" asked {his} {a}.

"We went to {planet}," said {N}. {His} {a} [laughed|smiled]. But in {N}'s pocket, the little stone was [still shining|warm and bright].
""", lambda r, v: v.update(planet=r.choice(["the moon", "the moon", "Mars", "a far star", "a tiny planet"]), color=r.choice(w.COLORS), yard=r.choice(["backyard", "barn", "garage", "attic"])))

# bully to friend
plot("grumpy", "any", "{a_kind} and a grumpy neighbor", "kindness", """
{OPEN} Next to {N} lived {neigh}. {NHe} was always [grumpy|cross]. "[Go away|Too loud|Stay off my grass]!" {nhe} shouted whenever {N} walked by. [Everyone was afraid of {nhim}.|Nobody ever visited {nhim}.]

{DAY}, {N}'s {color} {toy} [flew over the fence|rolled under the fence|landed] in the neighbor's yard. "[Oh no|Now what]?" said {N}.

"[Don't go in there|You will never get it back]!" said {M}. "[{NHe} will be so angry|{NHe} eats toys for breakfast]."

But {N} wanted {his} {toy}. {He} [walked up to the door|opened the gate slowly]. {His} heart went [thump, thump|boom]. Knock, knock. The door opened. "What do you want?" said the neighbor [in a loud voice|with a frown].

"I am sorry," said {N}. "My {toy} is in your yard. [May I get it, please|Could I please have it back]?" Then {N} noticed something. [The house was dark and cold.|There was only one chair at the table.|The neighbor's hand was tied up in a cloth.] "Are you all right?" asked {N}.

The neighbor [looked surprised|was quiet]. "[Nobody has asked me that in a long time|I hurt my hand, and I cannot cook|I am only a bit lonely]," {nhe} said.

{N} got {his} {toy} and ran home. The neighbor [sighed|closed the door]. But soon there was another knock. It was {N} and {his} {a}, with [a pot of hot soup|a basket of warm bread|{treat}]! "[We made too much|We thought you might be hungry]," said {N}. "[May we come in|Would you like some company]?"

They [sat together|ate together] and talked. The neighbor knew [wonderful stories about the sea|funny songs|how to make a coin disappear]. [{N} laughed until {his} sides hurt.|{NHe} even smiled, and {nhis} whole face changed.]

After that, {N} visited every [week|Sunday]. {M} came too. And the neighbor did not shout anymore. [{NHe} waved from the window.|{NHe} fixed their toys and told them stories.] "[How did you do it|What is your secret]?" people asked {N}.

"[I just knocked on the door|{NHe} was not mean. {NHe} was only lonely]," said {N}.
""", lambda r, v: (s_toy(r, v), v.update(dict(zip(("neigh", "nhe", "nhim", "nhis", "NHe"), r.choice([("an old man called Mr. Gray", "he", "him", "his", "He"), ("an old woman called Mrs. Stone", "she", "her", "her", "She"), ("a big bear called Mr. Grumble", "he", "him", "his", "He"), ("an old goose called Mrs. Snap", "she", "her", "her", "She")]))))))

# lion & mouse style
plot("small_helps_big", "small", "a tiny {K} who helps a big {big}", "small friends can be great friends", """
{OPENP}

{DAY}, {N} was [looking for food|running home|playing in the grass] when {he} [bumped into|ran over the nose of|fell onto] a big {big} that was sleeping. The {big} woke up and [put a heavy paw on {N}'s tail|looked down with angry eyes]. "[Who dares to wake me|Who is that]?" the {big} roared.

"Please let me go!" [squeaked|cried] {N}. "I am [only a small {K}|so small]. [If you let me go, I will help you one day|Be kind to me, and I will be kind to you]."

The {big} [laughed so hard that the ground shook|laughed]. "You? Help me? [That is the best joke I have heard all year|How could you ever help me]? [But you made me laugh|But I am not hungry], so you may go." "Thank you," said {N}, and {he} ran [home|away] as fast as {he} could. [{He} did not forget {his} promise.|"I will keep my promise," {he} said.]

[Many days later|A few weeks later], {N} heard a terrible sound. It was the {big}. The {big} was {trap}. It pulled and pulled, but [it could not get free|it only got worse].

"[Do not move|Hold still]," said {N}. "I will help you."

"[You are too small.|How can you help me?]" said the {big} sadly.

But {N} [did not listen|set to work]. {save} [It took all night.|It took a long time.] And when the sun came up, the {big} was free!

The {big} [bowed its great head|looked at {N} in wonder]. "I laughed at you," it said. "[I was wrong|I am sorry]. [You are small, but your heart is big|Even the smallest friend can be a great friend]."

"[A promise is a promise|I told you so]," said {N} [with a grin|]. From that day on, {N} [rode on the {big}'s back|and the {big} were friends], and [nobody in the forest ever laughed at a small animal again|they looked after each other].
""", lambda r, v: (ch(("big", ["lion", "bear", "tiger", "wolf", "elephant", "bull"]))(r, v), v.update(dict(zip(("trap", "save"), r.choice([
    ("caught in a hunter's net", "{He} bit through the ropes, one by one."),
    ("caught in a strong net", "{He} ran and called all {his} little friends. Together they pulled at the knots and bit through the ropes."),
    ("stuck in deep mud", "{He} ran and called all {his} little friends. They carried sticks and leaves and built a path out of the mud."),
    ("trapped behind a pile of rocks", "{He} dug a tunnel under the rocks, and all {his} friends came to make it wider and wider."),
]))))))

# cumulative pulling
plot("turnip", "any", "{a_kind} who cannot pull up a giant {veg}", "working together", """
[Once upon a time|Long ago|One spring], {N} planted a {veg}. {N} was a {trait} {kind}. "Grow, little {veg}," {he} said. "Grow [big and strong|sweet and strong]." And the {veg} grew. It grew and grew, until it was [as big as a house|enormous|the biggest {veg} anyone had ever seen].

"It is time to pull it up," said {N}. {He} took hold of the {veg} and pulled. {He} pulled and pulled, but the {veg} did not come out.

So {N} called {M}. "Come and help me!" {M} held on to {N}, and {N} held on to the {veg}. They pulled and pulled, but it did not come out.

So {M} called the {x1}. The {x1} held on to {M}, {M} held on to {N}, and {N} held on to the {veg}. They pulled and pulled, but it still did not come out.

So the {x1} called the {x2}. The {x2} held on to the {x1}, the {x1} held on to {M}, {M} held on to {N}, and {N} held on to the {veg}. They pulled and pulled. [It moved a tiny bit!|It wiggled.] But it did not come out.

[They sat down to rest.|They were all tired.] Then a tiny {x3} came by. "Can I help?" asked the {x3}.

"[You are so small|What can you do]," said the {x1}. "[But why not|But we need everyone]."

So the {x3} held on to the {x2}, the {x2} held on to the {x1}, the {x1} held on to {M}, {M} held on to {N}, and {N} held on to the {veg}. "One, two, three, pull!" They pulled and pulled, and... pop! Out came the {veg}, and they all [fell down on top of each other|tumbled backward into the grass].

[Everyone laughed.|"We did it!" they shouted.] That night, they made a [big pot of soup|huge pie], and there was enough for everyone. "[Who was the strongest|Who pulled the hardest]?" asked the {x2}.

"[All of us together|Everybody]," said {N}, and {he} gave the first [bowl|piece] to the tiny {x3}.
""", lambda r, v: v.update(veg=r.choice(["turnip", "carrot", "radish", "beet", "pumpkin", "potato", "onion"]), x1=r.choice(["dog", "goat", "neighbor", "cow"]), x2=r.choice(["cat", "goose", "sheep", "rooster"]), x3=r.choice(["mouse", "ladybug", "chick", "ant", "bee"])))

# doctor visit
plot("doctor", "any", "{a_kind} who feels sick", "being brave", """
{OPEN} But {DAYL}, {N} did not feel like playing. {His} [head was hot|tummy hurt|throat hurt|nose was red and runny]. {He} lay in bed and [groaned|sighed].

{His} {a} put a cool {hand} on {his} head. "[You are as warm as toast|You have a fever]," {ahe} said. "[We should go and see the doctor|I will call the doctor]."

"No!" said {N} and pulled the blanket up to {his} nose. "[I don't like the doctor|Doctors are scary|It will hurt]."

"I will be with you the whole time," said {his} {a}. So they went. [In the waiting room, {N} sat very close to {his} {a}.|The doctor had a white coat and a kind face.] "Hello, {N}," said the doctor. "[Would you like to hear your own heart|Let me show you something]." {N} put the cold little tube to {his} ears. Thump, thump, thump. "Is that my heart?" said {N}. "[It sounds like a drum|It sounds like a rabbit running]!"

The doctor [looked into {his} ears|looked at {his} throat]. "Say ahh," said the doctor. "Aaaahhh!" said {N}. "[Very good|My, what a big ahh]! You need [to rest|lots of sleep], [warm tea|hot soup], and this [spoon of medicine|sweet syrup]." {N} looked at the spoon. [It smelled funny.|It was purple.] {He} [held {his} nose|closed {his} eyes] and swallowed. "[It is not so bad|It tastes like cherries|Yuck! But I did it]," {he} said.

"You were [very brave|a great patient]," said the doctor, and gave {him} a [shiny sticker|little paper star].

At home, {N} slept and slept. {M} came to the window and held up a sign that said "GET WELL SOON." [{M} left a funny drawing too.|{N} laughed, and laughing made {him} feel better.] After two days, {N} [jumped out of bed|woke up and felt fine]. "I am hungry!" {he} said.

{His} {a} laughed. "[That is the best sound in the world|Now I know you are well]," {ahe} said and made {treat}. {END}
""", lambda r, v: v.update(DAYL=r.choice(["one morning", "one day", "today", "on Monday morning"])))
