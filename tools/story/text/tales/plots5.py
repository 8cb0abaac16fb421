# SPDX-License-Identifier: MIT
"""Plots: promise, school, boast, picnic, adopt, wind hat, what is it, lonely tree, shop, quarrel."""
from . import words as w
from .plotting import ch, plot, s_small, s_toy

# tidy finish: borrowed / promise
plot("promise", "any", "{a_kind} who keeps a promise", "keeping promises", """
{OPEN} {His} best friend was {M}.

{M} was going away for [a week|five days]. "{N}, will you take care of my {pet}?" asked {M}. "[It needs food every day|It must be fed every morning]. [Please do not forget.|It is very important.]"

"I promise," said {N}.

On the first day, {N} gave the {pet} {petfood} and [water|some fresh water]. On the second day, {he} did it again. [It was easy.|The {pet} seemed happy.] But on the third day, [the other {kids} came|there was a fair in the village]. "Come and play with us {atplace}!" they called. "[Hurry, or you will miss it|We are leaving right now]!"

{N} [ran to the door|wanted to go so much]. Then {he} stopped. {He} had not fed the {pet} yet. "[It can wait|Just this one time|Nobody will know]," {he} thought. But {he} also [heard {M}'s voice in {his} head|remembered what {he} had said]: "I promise."

"Go without me," {N} told them. "[I will come later|I have something important to do]."

"[You are no fun|Suit yourself]!" they said and ran off.

{N} went to {M}'s house. And it was good that {he} did! The {pet} was [stuck behind a shelf|caught under its water dish|shaking with cold because the window was open]. {N} [freed it|helped it] and held it until it was calm. "[Poor little thing|I am here now]," {he} said. "[What if I had not come|I am so glad I came]?" {He} stayed all afternoon and [read it a story|sang to it].

When {M} came home, {mhe} ran to the {pet} first. It was [fat and happy|safe and sound]. "[You took such good care of it|You kept your promise]!" said {M}. "[I knew I could count on you|You are the best friend anyone could have]."

{M} had brought back a present: a {color} {toy}. "[This is for you|To say thank you]," {mhe} said. But {N} thought that the best present was [the way {M} smiled|hearing {M} say those words]. {END}
""", lambda r, v: (s_small(r, v, ["kitten", "mouse", "bird", "chick", "turtle", "frog", "hedgehog", "rabbit", "puppy", "goldfish"]), s_toy(r, v)))

# first day of school
plot("school", "any", "{a_kind} on the first day of school", "trying new things", """
Today was {N}'s first day of school. {N} was a {trait} {kind}, and {he} [had a new {color} bag|wore {his} best {color} sweater]. But {he} did not want to go.

"[What if nobody plays with me|What if I get lost|What if the teacher is mean]?" {he} asked.

"[What if it is wonderful|What if you make a friend]?" said {his} {a}, and {ahe} [kissed {him} on the nose|put something in {his} pocket]. "[Here is a kiss for your pocket. You can take it out when you need it|I put a little stone in your pocket. When you feel scared, hold it, and think of me]."

The school was [big and noisy|full of new faces]. {N} stood by the door and [looked at {his} feet|held {his} bag tight]. The teacher was [a tall woman with a soft voice|an old owl with round glasses|a man with a funny tie]. "Welcome, {N}," said the teacher. "[You can sit here, next to {M}|There is a place for you by the window]."

{N} sat down. {M} did not say anything. [{M} was looking at the floor.|{M} had wet eyes.] {N} put {his} {hand} in {his} pocket, and it made {him} feel [braver|better]. Then {he} saw that {M} was [scared too|even more scared]. {N} leaned over. "Are you new too?" {he} whispered.

{M} nodded. "[I don't know anybody|I want to go home]," {mhe} said.

"[You know me now|I am {N}]," said {N}. "[I have two apples. Do you want one|Do you want to see my lucky pocket]?" {M} [smiled a tiny smile|wiped {mhis} eyes].

They [painted pictures|learned a song about the days of the week|counted to twenty] together. They [ate lunch side by side|played on the swings]. The day [flew by|was over before they knew it].

When the bell rang, {his} {a} was waiting at the gate. "How was it?" {ahe} asked.

"[Can I go again tomorrow|It was great]!" said {N}. "[I made a friend, and I did not even need the whole pocket|I gave half of my lunch to {M}, and {mhe} gave half to me]." {END}
""", ch(("color", w.COLORS)))

# boasting
plot("boast", "pet", "a boastful {K} who learns to be humble", "being humble", """
{OPENP} {N} was [very proud|full of pride]. "[Look at my {body}! Nobody has a finer {body}|I am the most beautiful {K} in the world|Nobody is as clever as I am]," {he} said to everyone {he} met.

"[That is nice|Good for you]," said {M} the {MK}. "[But can you help me carry this wood?|But it is going to rain. You should fix your roof.]"

"[I have no time for that|I do not want to get dirty]," said {N}. "I must [look at {myself} in the pond|comb my {body}|practice my bow]." And {he} [walked off with {his} nose in the air|stared at {himself} in the water].

{M} worked [all day|all week]. {MHe} [stored food for the winter|fixed {mhis} roof|piled up wood]. {N} laughed. "[You work too much|You are covered in mud]!"

Then the storm came. The wind [howled|blew], and the rain [poured down|fell for three days]. {N}'s home [had holes in the roof|was washed away]. {His} lovely {body} [got wet and muddy|got covered with leaves and mud]. {He} was cold, and {he} had [nothing to eat|nowhere to go]. [{He} was not so proud now.|Nobody could see how fine {he} was.]

{N} [knocked on {M}'s door|stood outside {M}'s window, shaking]. "[Will {mhe} laugh at me|{MHe} has every right to send me away]," {he} thought. The door opened. "{N}! [You are soaked|Come in, quick]!" said {M}. {MHe} gave {him} [a warm blanket|a seat by the fire] and {treat}.

"[Why are you kind to me|Why do you help me]?" asked {N}. "I only ever talked about myself."

"[I helped you because you needed help|A friend is a friend, wet or dry]," said {M}.

{N} looked at {his} muddy {body} and [started to laugh|smiled a small smile]. "[I was so silly|Looking fine does not keep the rain out]," {he} said. When the storm was over, {N} [was the first one to pick up a hammer|helped everyone fix their homes]. {He} worked [hard|until {his} {hands} were sore], and {he} did not [say one word about {his} {body}|look in the pond even once]. [And do you know what? Everyone thought {he} had never looked better.|The animals liked the new {N} much better.]
""", lambda r, v: v.update(MHe=v["mhe"].capitalize(), myself="myself"))

# cake for everyone / wait your turn / picnic rain
plot("picnic", "any", "a picnic with {a_kind} and {his} friends", "making the best of things", """
{DAY}, {N} and {M} planned a picnic. {N} was a {trait} {kind}, and {he} packed [the basket|a big basket]. {He} put in {treat}, [six red apples|a jar of jam], and [a blue blanket|two cups]. {M} brought [lemonade|a loaf of bread] and a {color} {toy}.

They walked to the {place}. {WEATHER} They [spread out the blanket|sat down in the soft grass]. "[This is perfect|What a lovely day]," said {N}.

But then {trouble1}. "[Oh dear|Never mind]," said {M}. "We still have the rest." They [moved to another spot|laughed about it]. But then {trouble2}. {N} [frowned|was a little upset]. "[Our picnic is ruined|This is the worst picnic ever]!" {he} said. And just then, {trouble3}!

They [grabbed the basket and ran|ran as fast as they could]. They ran and ran until they found [an old barn|a small cave|a hollow tree|a little bridge], and they crawled [inside|under it]. They were [wet|out of breath] and their hair was full of [leaves|grass].

{N} looked at {M}. {M} looked at {N}. [There was jam on {M}'s nose.|{M} had a leaf on {mhis} head like a hat.] And then they started to laugh. They laughed and laughed and could not stop.

"What is left?" asked {M}. {N} looked into the basket. "[Two squashed sandwiches and one apple|Half a pie and a lot of crumbs]," {he} said.

"[That is enough for two friends|Then let's have our picnic right here]," said {M}. So they sat in the dry straw and ate. [They told stories about the flood, the ants, and the terrible goat.|They listened to the sounds outside and told each other silly stories.] It was the [best|funniest] picnic they had ever had. "[Shall we do it again next week|Do you think the next one will be as good]?" asked {N}. "[I hope so|Yes, please]!" said {M}.
""", lambda r, v: (s_toy(r, v), v.update(trouble1=r.choice(["a long line of ants marched onto the blanket and carried off the cookies", "a goat came by and ate the blanket", "a squirrel took the biggest piece of cake"]), trouble2=r.choice(["the wind blew the napkins into a tree", "a ball came flying and knocked over the cups", "a bee fell into the jam, and they had to save it"]), trouble3=r.choice(["it began to rain", "there was a clap of thunder, and the rain came down", "a cow sat down on the pie, and then the rain came"]))))

# pet adoption
plot("adopt", "kid", "{a_kind} who wants a pet", "being responsible", """
{OPEN} More than anything, {N} wanted a [pet|dog|kitten]. "Please, please, please!" {he} said to {his} {a} every day.

"A pet is a lot of work," said {his} {a}. "[You have to feed it every day, even when you are tired|You have to take care of it, even when it rains]. [Can you do that?|It is not a toy.]"

"Yes!" said {N}. [But {his} {a} was not sure.|"We will see," said {his} {a}.] "[Take care of this plant for one month, and then we will talk|First, show me that you can take care of something small]," {ahe} said, and {ahe} gave {N} a [small green plant|round little cactus|pot with a bean in it].

So {N} took care of the plant. {He} gave it water, but not too much. {He} [put it in the sun|turned it so that every leaf got some light]. {He} [named it Fred|called it Spike|talked to it every morning]. [Once {he} forgot, and the leaves hung down. {N} felt terrible and never forgot again.|Even when {he} was sick, {he} asked for {his} plant.] After a month, it had [five new leaves|a tiny yellow flower].

{His} {a} looked at the plant and smiled. "[You did a good job|I think you are ready]," {ahe} said. "Put on your coat."

They went to [a farm|the animal shelter|an old house] where there were many animals without a home. [Some were loud and some were playful.|There were big ones and small ones.] In the corner sat a [small brown dog with one floppy ear|thin gray cat with green eyes|spotted puppy that nobody wanted]. It did not [bark|make a sound]. It just looked at {N}.

{N} [sat down on the floor|held out {his} hand] and waited. {He} did not grab. [{He} was patient, just like with the plant.|{He} sat very still.] Slowly, the little animal came closer. It sniffed {his} hand. Then it [put its head on {his} knee|licked {his} nose].

"[This one|I think it picked me]," {N} whispered.

[They took it home and named it Lucky.|They named it Biscuit.|They called it Pepper.] Every morning, {N} [got up early|was the first one up], filled the bowl, and watered the plant. "[I take care of you, and you take care of me|Now we are a family]," {he} said. {END}
""")

# wind takes hat chain
plot("wind_hat", "any", "{a_kind} whose hat blows away", "kindness", """
{OPEN} {N} had a new {color} hat. It was [soft and warm|a bit too big], and {he} wore it [everywhere|even in the bath].

{DAY}, a strong wind came. Whoosh! It took the hat right off {N}'s head. "My hat!" cried {N}. [{He} ran after it.|{He} jumped, but {he} could not reach it.] The hat flew over [the fence|the roof|the {spot}]. It rolled down the [road|hill]. {N} ran and ran.

{He} met a {k1}. "Did you see my hat?" {he} asked. "Yes," said the {k1}. "It flew toward the {place}." {N} ran on.

{He} met a {k2}. "Did you see my hat?" "[Yes|I think so]," said the {k2}. "It went [over the bridge|past the mill|into the trees]." {N} ran on, [puffing|out of breath].

At last, {he} saw {his} hat. It was [in a low bush|on the ground under a tree]. But when {N} came closer, {he} saw that [something was inside|it was not empty]. A mother {bird} was sitting in it! [Under her were three blue eggs.|And there were two tiny eggs under her wings.] The wind had [blown down her nest|broken her nest], and she had found the hat.

{N} wanted {his} hat back. [It was {his} favorite.|{His} ears were cold.] But {he} looked at the {bird}, and {he} looked at the little eggs. "[You need it more than I do|You can keep it]," {he} said softly. {He} [set the hat in a safe place, high up in the branches|tied the hat to the branch so that it could not fall].

{N} walked home with cold ears. When {his} {a} heard the story, {ahe} [hugged {him}|was quiet for a moment]. Then {ahe} took out [some wool|{ahis} needles] and began to knit. "[What color should the next one be|How about a green one this time]?" {ahe} asked.

Some weeks later, {N} walked by the tree in {his} new hat. Peep, peep, peep! Three [small heads|tiny beaks] looked out over the edge of the {color} hat. [{N} tipped {his} new hat to them.|"Nice hat," said {N}, and {he} laughed.] {END}
""", ch(("color", w.COLORS), ("k1", ["farmer", "goat", "boy on a bike", "milkman", "cow", "painter on a ladder"]), ("k2", ["girl with a basket", "sheep", "postman", "goose", "fisherman", "woman with a broom"]), ("bird", ["robin", "sparrow", "thrush", "blackbird", "wren"])))

# dialogue-rich small slices
plot("what_is_it", "any", "{a_kind} who asks many questions", "being curious", """
{OPEN} {N} asked questions all day long. "Why is the sky blue? [Why do cats purr?|Where does the sun go at night?|Do fish sleep?] [Who ties the shoes of the snails?|How do birds know the way?]"

"[You ask more questions than there are stars|My ears are tired]," said {his} {a} with a laugh.

{DAY}, {N} saw something strange {atplace}. It was [small and brown and it hung from a twig|round and green, and it did not move]. "What is it?" {he} asked.

"[It is a dead leaf|It is only a nut|It is nothing]," said {M}. "Come and play."

But {N} [wanted to know|looked closer]. "[A leaf does not have legs|I think it is alive|It is too soft for a nut]," {he} said. {He} asked {his} {a}. "Hmm," said {his} {a}. "[I am not sure|What do you think]? [If you wait and watch, it will tell you the answer.|Some questions can only be answered by waiting.]"

So {N} waited. {He} came [every day|each morning before breakfast] and looked. [On the first day, nothing happened. On the second day, nothing happened.|{He} drew a picture of it each day.] It rained, and {N} came with an umbrella. [{M} laughed at {him}.|"You are still looking at that thing?" said {M}.]

Then, on the [seventh|tenth] day, it [cracked|began to shake]! "{M}, come quick!" called {N}. They watched without a sound. Slowly, slowly, something came out. It was wet and [folded|wrinkled]. It opened, a little at a time, and it was... a butterfly! Its wings were [orange and black|blue like the sky|yellow with tiny spots].

"[I have never seen anything so beautiful|I would have missed it]," whispered {M}.

The butterfly sat on {N}'s finger for a moment. Then it flew [up, up into the sky|away over the flowers].

"{N}," said {M}, "[how did you know|can I ask a question]?"

"[I didn't know. I just asked|You can always ask]," said {N}. "[That is how you find things out|Do you have a question? I have a hundred]!" {END}
""")

plot("lonely_tree", "thing", "an old tree named {N} who feels useless", "everyone matters", """
On top of a hill stood an old [apple tree|oak tree] named {N}. {N} was [crooked and gray|very old]. [{He} did not grow many leaves anymore.|{His} branches creaked in the wind.] "[I am too old|Nobody needs me]," {he} said and sighed. "The young trees {atplace} are [straight and green|full of flowers]. [Everyone likes them better.|I am no use to anyone.]"

{DAY}, a [bird|small owl] came by. "May I [build my nest in your branches|live in the hole in your trunk]?" it asked. "[The young trees are too thin|The young trees shake too much]."

"Yes, of course," said {N}. [{He} felt a little better.|"If you like."]

Then came {M}, a {mkind} with [a rope and a board|a book]. "May I [hang a swing from your strong branch|sit in your shade and read]?" asked {M}. "[The young trees cannot hold me|The young trees have no shade yet]."

"Yes, of course," said {N}. [Soon {he} could hear {M} laugh, and it tickled {him} down to {his} roots.|And {M} read the stories out loud, so {N} could hear them too.]

Then winter came with a big storm. A family of [rabbits|mice|hedgehogs] came up the hill, shaking with cold. "[Help us|Please help]," they cried. "[It is so cold, and our home is under the snow|We need a place to hide]!"

"[Come under my roots|There is a dry place between my roots]," said {N}. "[I have a big, dry hole there. It is just right|Stay as long as you like]." All night long the wind blew. The thin young trees bent down to the ground. But {N} [stood like a rock|held on with {his} deep old roots] and kept everyone [safe|warm and dry].

In spring, the [bird sang|nest was full of chicks], the swing [swung|went up and down], and [everyone danced around {him}|everyone came to visit]. On {his} oldest branch, one [pink|white] flower opened. "[Look, {N} is smiling|You are the best tree in the world]!" said {M}.

{N} [rustled {his} leaves|laughed a creaky laugh]. {He} did not feel old anymore. {He} felt [loved|just right].
""")

plot("shop", "any", "{a_kind} who helps in a {shop}", "working hard", """
{OPEN} {His} {a} had a [little|small] {shop} on [the corner of the street|Main Street|the village square]. Every day, [people came from all over town|the little bell on the door went ding, ding].

{DAY}, {his} {a} [had a cold|hurt {ahis} foot] and had to stay in bed. "[Who will open the shop|What will we do]?" {ahe} said. "[People need their {goods}|It is the busiest day of the week]."

"I will!" said {N}. "[I have watched you a hundred times|I know how to do it]."

{His} {a} smiled. "[All right|Very well]. But remember three things: [be kind, be honest, and count the money twice|smile, listen, and never run with the {goods}]."

{N} [put on the big apron|swept the floor] and opened the door. Ding! The first customer was {M}. "I would like [three|two] {goods}, please," said {M}. {N} [climbed on a box to reach them|wrapped them in paper]. [So far, so good.|It went very well.]

Ding! Ding! Ding! More and more people came. [One wanted a big one, one wanted a small one.|Everybody talked at once.] {N} ran [left and right|back and forth]. Oops! {He} [dropped a whole box|gave a man the wrong bag|mixed up the orders]. {His} face turned red. "I am so sorry," {he} said. "[I will fix it right away|Please let me make it right]."

"[Take your time|Don't worry]," said the people. "[We can see that you are working hard|You are doing a fine job]." {M} came behind the counter. "[I can help you|Tell me what to do]," said {M}. So {N} [packed|counted], and {M} [carried|talked to the people]. [It went much better with two.|They were a good team.]

Then an old lady paid with a big coin, and she [left before {N} could give her the change|gave {him} too much]. Nobody saw it. {N} could buy [a lot of candy|a new {toy}] with that money. But {he} remembered: be honest. {He} ran [out of the shop and down the street|after her]. "You forgot this!" {he} called. The old lady [was so pleased|patted {his} head]. "[What an honest {K}|Your {a} must be very proud]," she said.

When the sun went down, {N} [told {his} {a} everything|brought {his} {a} a cup of tea and the money box]. {His} {a} counted it. "[Every coin is here|You did it all by yourself]," {ahe} said. "Not by myself," said {N}. "[I had help|{M} helped me]." {END}
""", lambda r, v: (s_toy(r, v), v.update(dict(zip(("shop", "goods"), r.choice([("bakery", "buns"), ("toy shop", "toys"), ("flower shop", "roses"), ("book shop", "books"), ("fruit shop", "melons"), ("cheese shop", "cheeses"), ("hat shop", "hats"), ("candle shop", "candles")]))))))
plot("quarrel", "any", "two friends, {N} and {M}, who have a fight and make up", "saying sorry", """
{OPEN} {N} and {M} were best friends. They [played together every day|shared everything|walked to the {place} together every morning].

{DAY}, they had a fight. {N} wanted to [play tag|build a tower|climb a tree], but {M} wanted to [play house|look for bugs|draw]. "[You always choose|You never listen to me|My game is better]!" said {N}.

"[No, you always choose|You are so bossy|My game is much better]!" said {M}. They [shouted|stamped their feet] and turned their backs. "I will not play with you anymore!" they said at the same time. Then they both went home.

{N} tried to play alone. {He} [threw a ball, but nobody threw it back|told a joke, but nobody laughed|drew a picture, but nobody looked at it]. "[This is no fun|I don't need {M}]," {he} said, but {he} [did not feel good|felt a lump in {his} throat].

{His} {a} saw {his} face. "[You look like a rain cloud|What is wrong, {N}]?" {ahe} asked. {N} told {ahim} everything. "Hmm," said {his} {a}. "[Is it more important to be right or to have a friend|Who do you think will say sorry first]?"

{N} thought about it [all night|for a long time]. The next morning, {he} ran out of the door. And whom did {he} meet on the path, right in the middle? It was {M}, running the other way!

"I was coming to say sorry!" said {N}.

"[So was I|Me too]!" said {M}. "[I was mean|I should have listened]."

They looked at each other and [started to laugh|smiled]. "[What do you want to play|Let's play your game first]," said {N}.

"No, yours first!" said {M}. And then they [laughed again, because they were almost fighting about that too|played one game in the morning and the other one in the afternoon]. {END}
""")
