# SPDX-License-Identifier: MIT
"""Plots: treasure, trade, be self, messy room, gift, built, vehicle, star, left out, tooth, snow."""
from . import words as w
from .plotting import ch, plot, s_small, s_toy

# treasure map
plot("treasure", "any", "{a_kind} who finds a treasure map", "friendship", """
{OPEN}

{DAY}, {N} found an old [piece of paper|map] [in a bottle|under a stone|inside a book|behind a loose board]. It had [lines and dots and a big red X|a drawing of the {place} and a big X]. "It is a treasure map!" [shouted|cried] {N}. {He} ran to {his} friend {M}. "[Let's find the treasure|Come with me]!"

{M}'s eyes grew wide. "[Let's go|What are we waiting for]!" {mhe} said. They packed [a bag with sandwiches|some water and two apples|a rope and a lamp] and started to walk.

The map said, "Go to the [crooked tree|old bridge|big gray rock]." So they went. The map said, "Take [twenty|thirty|fifty] steps toward the [sun|river|hill]." They counted every step out loud. [Once {M} lost count, and they had to go back.|{N} took big steps, and {M} took small ones, so they had to try again.] Then the map said, "[Look behind the waterfall|Cross the stream|Crawl through the hollow log|Climb over the wall]." [It was hard, but they helped each other.|{M} was a bit scared, but {N} held {mhis} {hand}.]

At last they came to the [spot|place] with the X. They dug and dug. Clunk! [They hit something hard.|There was something under the dirt!] It was a [small|rusty|wooden] box. [Their hearts beat fast.|{N} brushed off the dirt.] "Open it, open it!" said {M}.

{N} opened the box. Was it full of gold? No. Inside there was [a note and two little wooden cups|a note and two friendship bracelets|a letter and two shiny coins]. {N} read the note out loud: "[The real treasure is the friend who came with you|If you came here alone, go back and bring a friend. If you came with a friend, you are already rich|Whoever finds this box has walked a long way. I hope you had a friend beside you]."

{N} and {M} looked at each other and [smiled|laughed]. They [each took one|shared what they found]. Then they [wrote a new note and put it in the box for the next finder|put their own treasure in the box: a {color} {toy} and a funny drawing]. [Then they buried it again.|"Somebody else will find it one day," said {M}.] {END}
""", s_toy)

# trading chain
plot("trade", "any", "{a_kind} who trades one thing for another", "helping others", """
{OPEN} {N} wanted to give {his} {a} a [nice|special] present, but {he} had no money. All {he} had was a {color} [button|pebble|feather|ribbon].

{DAY}, {N} put it in {his} pocket and walked down the road. {He} met a {w1}. "[What a pretty little thing|That is just what I need]!" said the {w1}. "[I lost one just like it|I need it for my hat]. Will you trade it for [this loaf of bread|this ball of string|this red apple]?"

"Yes," said {N}, because {he} [liked to help|saw how happy it made the {w1}].

[A little later|Farther along the road], {he} met a {w2} who [was very hungry|looked tired|was sitting on a stone]. "[I have not eaten all day|I need help]," said the {w2}. {N} gave {him2} what {he} had. "{THANKS}!" said the {w2}. "Take [this little bell|this warm scarf|this jar of honey|this blue cup] in return."

{N} walked on. Near the {place}, {he} met {M}, who was [crying|cold and sad]. "[I have nothing to give my mother today|I lost my present for my mother|My mother is sick]," said {M}. {N} looked at what {he} was holding. {He} really wanted to keep it. But {M} was so sad. "[Here, take this|You can have it]," said {N}. "[It will make her smile|I hope it helps]."

{M} hugged {him}. "[I have nothing to give you back.|How can I thank you?]" {mhe} said. Then {mhe} [picked three wild flowers from the side of the road|bent down and picked some wild flowers] and gave them to {N}.

So {N} came home with [only a few wild flowers|a bunch of wild flowers], and {he} told {his} {a} the whole story. {His} {a}'s eyes [shone|were wet]. "[You helped three people in one day|This is the best present of all]," {ahe} said. "[A kind heart is worth more than gold|These flowers are worth more than a diamond ring]." {AHe} put the flowers in a [glass|cup] of water, and [they made the whole room bright|the whole room smelled sweet]. {END}
""", lambda r, v: v.update(w1=r.choice(["tailor", "farmer", "woman with a cart", "painter", "baker", "sailor"]), w2=r.choice(["traveler", "old man", "young soldier", "postman", "shepherd"]),
                          color=r.choice(["red", "blue", "golden", "silver", "green"]), him2="him", AHe=v["ahe"].capitalize()))

# be yourself
plot("be_self", "pet", "{a_kind} who wants to be like the others", "being yourself", """
{OPENP} But {N} was not happy. "[I don't like my {body}|I wish I did not have {this_body}|Why do I have {this_body}]?" {he} said. "[I want to be like {M}|Look at {M}. {M} is so lucky|I wish I was a {MK}]."

{M} was a {MK} with [a fine|a lovely] {mbody}. So {N} tried to be like {M}. {He} [tried to make the sound of a {MK}|tried to walk like a {MK}|painted {himself} with mud]. {He} even ate {mfood}. [It tasted terrible.|{He} did not like it at all.] The other animals [stared|giggled]. [{N}'s face felt hot.|{N} ran away and hid.]

{DAY}, there was trouble {atplace}. [A big storm came|The river rose and rose|A fire started in the dry grass|A little {tiny} fell into a hole]. "[Help|Who can help]!" everyone cried. {M} tried to help, but {mhe} could not. [It was the wrong job for a {MK}.|The {mbody} did not help at all.] 

Then {N} had an idea. [{He} was just the right size.|{He} knew what to do.] With {his} {body}, {he} [did what no one else could do|reached the place that no one else could reach|was able to help]. {He} worked [hard|all night long|without a rest] until everyone was safe.

"Hooray for {N}!" the animals cheered. "[We are so lucky that you are a {K}|Only a {K} could have done that]!"

{M} came up to {N}. "[I always wished I had your {body}|I wish I was more like you]," {mhe} said.

{N} was surprised. "You did? But I wished I was like you!" They looked at each other and [laughed|began to laugh].

"[Let's make a deal|I think]," said {M}. "[You be you, and I will be me|It is good that we are different]." {N} looked at {his} {body}. ["I like being me," {he} said.|For the first time, {he} was happy to be a {K}.] {END}
""", lambda r, v: v.update(tiny=r.choice(["chick", "mouse", "bunny", "lamb", "duckling", "kitten"])))

# messy room
plot("messy_room", "kid", "{a_kind} with a very messy room", "cleaning up", """
{OPEN} But there was one thing {N} did not like at all. {He} did not like to clean {his} room.

{His} room was [a big mess|so messy that you could not see the floor]. There were [socks on the lamp|books under the bed|crumbs on the pillow], [blocks everywhere|toys in every corner], and [one shoe on the window|an old apple in a hat]. "Please clean your room, {N}," said {his} {a}.

"[Later|Tomorrow|I am busy]," said {N}.

{DAY}, {N} wanted to play with {his} {color} {toy}. But {he} could not find it. {He} looked under [a pile of clothes|the bed|a mountain of toys]. {He} found [half a sandwich|a lost library book|three socks], but no {toy}. {M} was waiting outside. "[Are you coming|Hurry up]!" called {M}.

"I can't find my {toy}!" said {N}. [{He} was almost crying.|{He} threw a pillow.] 

{M} came in and looked around. "[I am not surprised|I think a storm came through here]," {mhe} said. "[Let's clean up, and then we will find it|I will help you]. [We can make it a game|We can sing while we work]!"

So they [put the books on the shelf|picked up the blocks]. They [put the clothes in the basket|lined up the shoes]. They [threw away the trash|made the bed]. {M} [counted the toys like a shopkeeper|pretended to be a robot], and {N} laughed. [It did not take very long.|Cleaning was almost fun.]

And then, [at the bottom of the last pile|under the last sock|behind the curtain], {N} saw something {color}. "My {toy}!" {he} shouted. "It was here all the time!"

{His} {a} looked in and [gasped|smiled]. "[Is this the right room|What happened here]?" {ahe} [asked|joked]. "It looks [wonderful|so nice]!"

"[Everything has a place now|Now I can find everything]," said {N} [proudly|]. And [from that day on|every evening after that], {he} put {his} things away before bed. [Well, almost every evening.|{He} never lost {his} {toy} again.]
""", s_toy)

# gift for adult
plot("gift", "any", "{a_kind} who makes a present for {his} {a}", "love", """
{OPEN}

Tomorrow was a special day. It was {his} {a}'s birthday. {N} wanted to give {ahim} a present, but {he} had [no money|only two small coins]. "What can I do?" {N} asked {M}.

"[You could buy a golden ring|You could buy a big cake]," said {M}.

"That costs too much," said {N}.

"[Then make something|You are good at making things]," said {M}. "[Presents from the heart are the best|My grandma says that the best gifts are made by hand]."

{N} thought and thought. Then {he} had an idea. {He} went to the {place} and gathered [smooth stones|pretty shells|yellow leaves|soft feathers|pine cones|wild flowers]. {He} found [some string|a bit of paint|an old piece of wood|a sheet of paper]. All [day|afternoon] {he} [worked|cut and tied and painted|worked at the table]. [It was not easy.|Once it fell apart, and {he} had to start again.] {His} {hands} got [sticky|dirty|tired]. But at last, {he} had made a {made}.

[It was a bit crooked.|It was not perfect.|One side was longer than the other.] {N} began to worry. "[What if {ahe} does not like it?|It is not as nice as the things in the store.]" {he} thought.

The next morning, {N} [held the present behind {his} back|put the present on the table]. "Happy birthday, {A}," {he} said [shyly|softly]. "I made it myself."

{His} {a} [looked at it for a long time|opened it slowly]. {AHe} did not say a word. Then {ahe} [had tears in {ahis} eyes|smiled the biggest smile]. "This is [the most beautiful {made} I have ever seen|the best present I ever got]," {ahe} said. "[I can see how hard you worked|You put your heart in it]."

{AHe} [hung it by the window|put it in the very best place in the house] where everyone could see it. And whenever {ahe} looked at it, {ahe} [smiled and thought of {N}|felt warm inside]. {END}
""", lambda r, v: v.update(made=r.choice(["necklace", "picture", "little boat", "bird house", "picture frame", "wind chime", "basket", "crown of flowers", "card", "candle holder", "small drum", "bookmark", "puppet"]), AHe=v["ahe"].capitalize()))

# sandcastle / building ruined
plot("built", "any", "{a_kind} who builds a {build} that falls down", "trying again", """
{OPEN}

{DAY}, {N} and {M} went to the {bplace}. "Let's build the biggest {build} in the world!" said {N}. They [worked and worked|used buckets and sticks|worked all morning]. {N} [made the walls|carried the heavy parts], and {M} [made a tall tower|made the door and the windows|put a leaf on top as a flag].

At last it was done. It was [tall and beautiful|taller than {M}]. "[It is perfect|We should show everyone]," said {M}.

But then [a big wave came|the wind began to blow|a dog ran by, chasing a bird|it started to rain|a ball came flying through the air]. Whoosh! Crash! The {build} [fell down|broke apart|was gone]. There was only [a pile of mess|a little heap] left.

"Nooo!" cried {M}. {MHe} [sat down and put {mhis} head in {mhis} {hands}|began to cry]. "[All our work is gone|We worked so hard]."

{N} was sad too. {He} [looked at the heap|kicked the ground]. [Then {he} thought about how much fun it was to build it.|Then {he} looked at {M}, and {he} had a thought.] "{M}," {he} said, "[what was the best part of today|did you have fun before it fell]?"

{M} wiped {mhis} nose. "[I liked making the tower|The best part was building it with you]."

"Me too," said {N}. "[So now we get to do it again|The fun is not gone. We can build another one]!"

{M} began to [smile|laugh]. "[And this time we will build it better|This time, we will build it farther back|And this time we will make it even bigger]!"

So they [started again|got back to work]. [Some other {kids} came to help.|They dug a deep ditch around it.] The new {build} was [even better than the first|a little funny and very strong]. [When the next trouble came, it did not fall.|When the sun set, it was still standing.] "[What a day|We are great builders]," said {N}. {END}
""", lambda r, v: v.update(dict(zip(("build", "bplace"), r.choice([("sandcastle", "beach"), ("snow fort", "hill"), ("tower of stones", "river"), ("fort of branches", "forest"), ("dam of sticks", "stream"), ("tower of blocks", "playroom"), ("mud castle", "pond"), ("tree house", "backyard"), ("snowman", "park"), ("raft", "lake")])))) or v.update(MHe=v["mhe"].capitalize()))
# small vehicle, big job
BAD = [("One cold night", "A tree fell across the big road", "dark"), ("One stormy evening", "The big bridge was broken", "storm"),
       ("One snowy morning", "Snow blocked the big road", "snow"), ("One rainy night", "Rocks and mud blocked the big road", "rain")]
plot("vehicle", "thing", "a little {veh} who does a big job", "being useful", """
[Once upon a time, there was|In a busy town by the sea, there lived|There once was] a little {color} {veh} named {N}. {N} was the smallest {veh} of all. {He} had [round headlights like two eyes|a shiny bell|a small but very loud horn]. Every day {he} [went up and down the same road|carried small boxes from here to there|waited for somebody to call {him}].

The big {vehs} laughed at {N}. "[You are too small!|You are just a toy!|What can such a little {veh} do?]" they said. "[Leave the big jobs to us|Go home, little one]." {N} felt [sad|small]. "[One day I will do something important|I want to help too]," {he} said.

{badtime}, something bad happened. {badthing}, and {need}. The big {vehs} tried to go, but they were [too wide for the narrow path|too heavy for the small bridge|stuck in the mud].

"I can do it!" said {N}. "[I am small, so I can fit|Let me try]!"

{He} [started {his} engine|turned on {his} lights] and went out into the {badw}. [The wind pushed {him}.|The path was steep.|{He} could hardly see the way.] "[I think I can do it|Do not stop, do not stop|A little more, a little more]," {N} said to {himself}. {He} went [up the hill and down the hill|around the rocks|through the narrow gap]. {His} [wheels slipped|engine coughed], but {he} did not give up.

And at last {he} got there! [Everyone cheered.|The people ran out with lamps and shouted with joy.] "[You saved us|You came|Thank you, little {veh}]!" they said.

When {N} came back, the big {vehs} were waiting. [They did not laugh.|They were very quiet.] "[We were wrong about you|You are small, but you are strong and brave]," said the biggest one. "[Will you show us that little path?|We are proud of you.]" {N} [rang {his} bell|honked {his} horn|blinked {his} lights] with joy. From that day on, {he} was [the hero of the town|called whenever there was an important job].
""", lambda r, v: (v.update(dict(zip(("badtime", "badthing", "badw"), r.choice(BAD)))), ch(("veh", ["train", "truck", "tractor", "bus", "van", "fire truck", "car", "snow plow"]),
        ("need", ["the sick children needed medicine", "an old woman was all alone without food", "a baby was about to be born far up the hill", "the school children could not get home", "the lighthouse had no oil for its lamp"]),
        ("color", w.COLORS))(r, v), v.update(vehs=v["veh"] + ("es" if v["veh"].endswith("s") else "s"))))

# star falls
plot("star", "any", "{a_kind} who finds a fallen star", "letting go", """
{OPEN} [Every night|Before bed], {he} looked up at the stars and [waved to them|counted them|gave them names].

One night, {N} saw something bright fall from the sky. It fell [down, down, down|with a long tail of light], right into the {place}. {N} [put on {his} coat|grabbed a lamp] and ran to look. There, [in the grass|behind the {spot}|under a bush], was a tiny star. It was [shaking|crying little drops of light|glowing softly].

"[Don't be afraid|Hello, little star]," said {N}. "[Are you hurt|What happened]?"

"I [leaned over too far to look at you|was dancing and I slipped|wanted to see the world]," said the star, "and I fell. [Now I am cold|Now I cannot get home|My mother will be so worried]."

{N} [held the star in {his} {hands}|put the star in {his} warm hat]. It felt [warm|like a tiny heartbeat]. [{He} wanted to keep it forever.|"You can live with me," said {N}. "You can be my night light."] {He} took it home and put it [on the table|by {his} bed]. But the star did not shine much. Every hour its light got [weaker|smaller]. [It looked out of the window at the sky and sighed.|It was homesick.]

{N} understood. "[You belong in the sky|You miss your family]," {he} said. [It made {him} sad, but {he} knew it was right.|{He} wiped away a tear.] "I will take you home."

But how? {N} asked {his} friend {M}. "[We need to go up very high|Let's climb the highest hill]," said {M}. So {N} and {M} climbed all the way to the top. {N} tied the star to [a kite|a big balloon]. "Hold on tight," {he} said. Up it went, [higher and higher|past the clouds], until it was back with the other stars.

"Thank you!" called the star. "[I will shine for you every night|Look up, and I will wink at you]."

And it did. [If you look up tonight, you can see it too. It is the one that twinkles the most.|From that day on, when {N} looked up, one little star always winked at {him}.|{N} never felt alone at night again.]
""")

# left out / party
plot("left_out", "pet", "animals who forget to invite {a_kind}", "including everyone", """
The animals in the {wood} were [having a party|planning a big picnic|getting ready for a dance]. The {sp1} made [a cake with nuts|honey bread]. The {sp2} [hung lanterns in the trees|picked flowers for the table]. Everyone was invited. Everyone but {N}.

{N} was a {trait} {kind} who lived {inhome} at the edge of the {wood}. {He} was [so quiet that the others often forgot about {him}|new, and the others did not know {him} well]. From {his} window, {N} [heard music|saw the lights|could smell the cake]. "[Maybe they don't like me|I guess nobody wants me there]," {he} said. {He} [closed the curtain|sat in the dark and hummed to {himself}].

At the party, {M} the {MK} looked around. "[Somebody is missing|Wait a minute]," said {M}. {MHe} counted on {mhis} {mhands}. "Where is {N}?"

The animals looked at each other. "[I thought you invited {him}|I forgot]," said the {sp1}. "[So did we|We did too]," said the {sp2}. [Everyone felt bad.|Nobody wanted to dance anymore.]

"It is not too late," said {M}. "Come with me!" They [took the cake and the lanterns|picked up the whole party] and walked to {N}'s house. Knock, knock, knock!

{N} opened the door. {His} eyes grew [round|big]. All the animals were there!

"We are sorry, {N}," said {M}. "[We made a mistake|We forgot you, and that was wrong]. [If you cannot come to the party, the party will come to you|It is not a real party without you]!"

{N} [did not know what to say|began to smile]. "[Come in, come in|You brought the whole party]!" {he} said. And guess what? {N} could [play the fiddle better than anyone|tell the funniest stories|bake the best berry pie|dance like a leaf in the wind]. Everyone [clapped|laughed and danced] until the [moon was high|sun came up]. "[Why did you never tell us|We did not know that]!" they said.

"[Nobody ever asked|You never asked]," said {N} with a smile. From then on, the first invitation always went to {N}.
""", lambda r, v: v.update(wood=r.choice(["forest", "meadow", "valley", "wood", "jungle"]), MHe=v["mhe"].capitalize(), sp1=r.choice(["bear", "badger", "goose"]), sp2=r.choice(["squirrels", "robins", "moles"])))

# lost tooth
plot("tooth", "kid", "{a_kind} with a loose tooth", "growing up", """
{OPEN} One morning, {N} felt something [funny|strange] in {his} mouth. [Wiggle, wiggle.|It moved!] It was a loose tooth!

"{A}, {A}! My tooth is loose!" {he} shouted.

"[Let me see|How exciting]," said {his} {a}. "[You are getting big|Soon it will fall out]. [Do you want me to pull it?|Be careful when you eat.]"

"No!" said {N} and put a hand over {his} mouth. {He} was [a little bit scared|worried that it would hurt]. [So {he} ate only soup and soft bread.|So {he} did not want to eat an apple, and {he} did not want to brush {his} teeth.]

At school, {M} showed {him} the gap in {mhis} own teeth. "[It did not hurt at all|Mine came out in a sandwich|It only hurt a tiny bit]," said {M}. "[And now I can whistle through the hole. Listen|Look, I can stick a straw in it]!" {N} laughed.

{N} wiggled {his} tooth [on the way home|at lunch|while {he} did {his} homework]. {He} wiggled it [in the bath|while {he} watched the birds]. It got looser and looser. That evening {N} was [laughing at a joke|eating a piece of bread|playing with {his} dog], when pop! The tooth fell right into {his} hand. [It did not hurt at all.|It was so small and white.]

"It came out! It came out!" {N} [danced around the room|ran to the mirror]. There was a funny little hole in {his} smile. [{He} could stick {his} tongue through it.|{He} smiled at {himself} again and again.]

That night, {he} put the tooth under {his} pillow. [{He} tried to stay awake, but soon {he} was asleep.|"Good night, tooth," {he} said.] In the morning, the tooth was gone, and there was a [shiny coin|silver coin and a tiny note]. [The note said, "What a fine tooth! Love, the tooth fairy."|{N} held it up to the light.]

"[Now I am really big|I was not scared at all]," said {N}. Then {he} thought about it. "[Well, maybe just a little|Maybe a tiny bit]." {END}
""")

# snow day
plot("snow", "any", "{a_kind} who makes a snowman", "friendship", """
One winter morning, a [{trait} |]{kind} named {N} [looked out of the window|woke up] and [gasped|jumped out of bed]. [Everything was white.|It had snowed all night.] "Snow!" {he} shouted. {He} put on {his} [warm coat|thick boots], {his} {color} [hat|scarf], and [one red mitten and one blue mitten|two pairs of socks], and {he} ran outside.

{M} was there too. "Let's make a snowman!" said {M}. They rolled a big ball, a medium ball, and a small ball. [{N} found two black stones for the eyes.|They used two buttons for eyes.] {M} found a [carrot|pine cone] for the nose. [The arms were two long sticks.|They gave him stick arms that reached for the sky.]

"[He looks cold|He needs something to keep him warm]," said {N}. {He} took off {his} own {color} scarf and put it around the snowman's neck. "There. Now you look [very fine|just right]." [They named him Mr. Frost.|They called him Snowy.|They named him Old Bob.]

That night the wind blew. {N} [could not find the way home from the {place}|saw from the window that a little {pet} was lost in the snow|lay in bed and thought about the snowman]. And what do you think? [In a dream|In the moonlight], the snowman [lifted his stick arm and waved|took a step|smiled]! "[You gave me your scarf|You were kind to me]," he said in a soft, snowy voice. "[Now it is my turn to be kind|I will keep watch tonight]." [He held up his arms to stop the wind.|He stood in front of the house and kept the cold wind away.]

In the morning, {N} ran outside. The snowman was [standing in the same place|in his place], but {his} scarf was [folded neatly on the step|hanging on the door], and it was [warm|dry]. {N} told {M}, and they looked at each other with wide eyes. [Was it a dream? Nobody knows.|"Do you think...?" said {M}. "I think so," said {N}.]

When spring came, the snowman [melted into a little puddle|got smaller every day until he was gone]. "[Don't be sad|It is all right]," said {N}. "[He will come back next winter|He turned into water, and the water will help the flowers grow]." And in that spot grew [the prettiest flowers|a ring of white flowers].
""", lambda r, v: (s_small(r, v), v.update(color=r.choice(w.COLORS))))
