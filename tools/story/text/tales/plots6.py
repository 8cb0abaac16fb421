# SPDX-License-Identifier: MIT
"""Plots: baby, wolf trick, king laugh, dragon fire, robot, stone soup, monster bed, camping, toy night, lemonade."""
from .plotting import ch, plot, s_toy

plot("baby", "kid", "{a_kind} who gets a baby {sib}", "loving your family", """
{OPEN} Then one day, {his} {a2} came home with a tiny bundle. "{N}, this is your new baby {sib}," said {his} {a2}. "[Isn't {bhe} sweet|Would you like to say hello]?"

{N} looked at the baby. It was [red and wrinkled|very small], and it [cried all day|cried and cried]. Everyone came to see the baby. They brought [soft blankets|tiny socks|presents]. Nobody [looked at {N}|asked {N} to play]. "[Shh, the baby is sleeping|Not now, {N}]," they said.

{N} felt [left out|as if {he} was invisible]. "[I wish the baby would go back|Nobody loves me anymore]," {he} thought, and {he} [hid under the table|went to sit in the yard].

That night the baby cried and would not stop. {His} {a2} [rocked the baby|sang to the baby]. {His} {a3} [walked up and down|tried a rattle]. Nothing helped. [They looked very tired.|"What can we do?" they said.]

{N} came in with {his} [favorite blanket|old teddy bear]. {He} [put it next to the baby|tucked it around the baby] and began to [sing a funny song|make silly faces|hum]. The baby stopped crying. It looked at {N} with big round eyes. Then it [smiled|grabbed {his} finger and held on tight]!

"[Look at that|{BHe} likes you best of all]!" said {his} {a2}.

"[{BHe} is holding my finger|{BHe} smiled at me]!" [whispered|said] {N}. It felt [warm|wonderful]. {His} {a2} put an arm around {him}. "[We love you just as much as before|Love does not get smaller when you share it. It gets bigger]," said {his} {a2}. "And now there is one more person who loves you too."

{N} looked down at the tiny hand. "[I will teach you everything|When you are big, I will show you how to climb trees]," {he} told the baby. "[But you have to learn how to walk first|I am your big {self}, and I will look after you]." {END}
""", lambda r, v: v.update(sib=(s := r.choice(["brother", "sister"])), bhe="he" if s == "brother" else "she", BHe="He" if s == "brother" else "She", a2=r.choice(["mom", "mother"]), a3=r.choice(["dad", "father"]), self="sister" if v["he"] == "she" else "brother"))

plot("wolf_trick", "any", "{a_kind} who tricks a hungry wolf", "being clever", """
{OPEN}

{DAY}, {N} was walking through the [forest|woods] with a basket of {yum}. Suddenly, a big gray wolf [jumped out from behind a tree|stood on the path]. "[I am so hungry|I smell something tasty]," said the wolf. "[I am going to eat you up|You look delicious]!"

{N} was [very scared|shaking], but {he} [thought fast|did not run]. "[Oh, Mr. Wolf|Dear Mr. Wolf]," {he} said, "[I am so thin and small. I would not fill even one tooth|you can eat me, but I taste much better with salt]. [But I know where you can find something much bigger.|Let me show you something better first.]"

"[Something bigger|Better]?" said the wolf and licked his lips. "[Where is it|Show me]!"

{N} led the wolf to the [river|well|lake]. The [full moon|sun] was shining on the water. "Look down there," said {N}. "Do you see that [big round cheese|great yellow pancake]? [It is all yours.|It is the biggest one in the world.]"

The wolf [leaned over|looked down]. He saw something round and [yellow|golden] in the water. "[It is huge|That will fill me up]!" he cried. He [jumped|leaned over more and more], and splash! He fell into the [cold|deep] water. There was no {food2} at all. It was only the light on the water!

[By the time the wolf crawled out, wet and cold, {N} was far away.|The wolf splashed and coughed, and {N} ran home as fast as {he} could.] "{A}! {A}!" called {N}. {He} told {his} {a} everything.

"[You are small, but you are clever|What a quick thinker you are]!" said {his} {a} and hugged {him} tight. "[A good idea is stronger than sharp teeth|The wolf was strong, but you used your head]."

And the wolf? He [sat by the fire for three days and sneezed|went home with a bad cold]. And he never [ate anything round|came near {N}] again.
""", ch(("yum", ["apples", "bread", "berries", "cookies", "eggs", "cheese"]), ("food2", ["cheese", "pancake"])))

plot("king_laugh", "person", "a king who cannot laugh", "joy", """
Once upon a time, there was a [king|queen] who [never laughed|could not laugh]. [Year after year, the palace was quiet and gray.|Nobody in the palace dared to smile.] "[Whoever makes the ruler laugh will get a bag of gold|Is there nobody who can make our ruler laugh]?" called the messengers in every village.

Many people came. A clown [stood on his head|juggled ten eggs]. [The ruler yawned.|The ruler only blinked.] A [man with a dancing bear|woman with a talking bird] came. The ruler [looked out of the window|sighed]. Nobody could do it.

In a [small|faraway] village lived a {trait} {kind} named {N}. {He} did not know any tricks. But {his} {a} was [sick|poor], and they needed [medicine|bread]. "I will try," said {N}, and {he} walked to the palace with {his} [goose|little dog|goat].

The palace floor was [very shiny|as smooth as ice]. When {N} came in, {he} slipped. Whoops! {He} slid across the floor on {his} [bottom|back], [past the guards|between the legs of the guards], and bumped into a [table|tall lamp]. A [big cake|bowl of pudding] flew up into the air and landed, splat, right on the head of the [cook|chief guard]. The animal [ran in circles|jumped up] and licked [it off his nose|his face clean].

It was very quiet. [Everyone held their breath.|Nobody moved.] Then there was a small sound. "Hm." And then: "Hm, hm. Ha. Ha ha. Ha ha ha!" The ruler laughed! The ruler laughed so hard that [the crown fell off|tears ran down both cheeks]. Then the guards laughed, and the cook laughed, and {N} laughed too.

"[I had forgotten how good it feels|I have not laughed since I was a child]!" said the ruler. "[Here is your gold|The gold is yours]. But please, will you come back every week?"

"[I would love to|Yes]," said {N}, "but I can't promise to [fall down|slip] every time."

With the gold, {N} bought [medicine|food] for {his} {a}, and {he} came to the palace every [Sunday|week]. {He} told [jokes|funny stories] and [ate a lot of cake|played games in the long halls]. And the palace was never gray again.
""")

plot("dragon_fire", "dragon", "a little dragon who cannot breathe fire", "everyone is different", """
High on a mountain lived a little dragon named {N}. {He} was [green with a purple tail|as blue as the sky|red with golden wings]. All the other dragons could breathe fire. But {N} could not. When {he} opened {his} mouth, only {thing} came out.

"[Look, {N} is blowing {thing} again|A dragon without fire is not a real dragon]!" laughed the big dragons. {N} [hid {his} face under {his} wing|flew away to be alone].

{He} tried everything. {He} ate [hot peppers|hot coals]. {He} [held {his} breath until {his} ears turned red|jumped up and down a hundred times]. "[This time it will work|Please, please]," {he} said. But out came {thing}. [Always {thing}.|"I give up," said {N}.]

{DAY}, {N} saw a {K2} crying at the foot of the mountain. "What is wrong?" asked {N}.

The {K2} looked up. "[It is my birthday, and nobody came|Everyone is sad in our village]," said the {K2}. "[It has been so dark and cold all winter|There is nothing fun to do]. Are you a real dragon? [Are you going to burn me?|Can you breathe fire?]"

"No," said {N} sadly. "I can only do this." {He} took a deep breath and blew. Out came {thing}, [hundreds of them|more and more], [floating in the air|dancing in the wind], and they [shone in every color|glittered in the sun].

The {K2} [stopped crying|gasped]. "[That is the most beautiful thing I ever saw|Do it again, do it again]!" Soon all the children of the village came running. They [laughed and jumped|danced and clapped]. {N} blew and blew until the whole sky was full of {thing}.

"[Fire is scary, but this is wonderful|You are the best dragon in the world]!" they shouted.

The big dragons looked down from the mountain. "[They always run away from us|Nobody ever laughs when we come]," said one of them. "[How do you do that, {N}|Can you teach us]?"

{N} smiled. "[I don't know. It is just who I am|I stopped trying to be like you]," {he} said. From that day on, {N} was invited to every [birthday|party] for miles around.
""", ch(("thing", ["bubbles", "flower petals", "colorful butterflies", "tiny stars", "soap bubbles", "paper-thin snowflakes", "balloons"]), ("K2", ["little girl", "little boy"])))

plot("robot", "robot", "a robot who learns what a friend is", "friendship", """
In a [busy|shiny] city there was a small robot named {N}. {N} had [square eyes|one round wheel|a head like a teapot] and [three green lights|a blue button] on {his} chest. {N} could [clean floors|count to a million|carry heavy boxes]. {He} could do many things. But there was one word {he} did not understand.

"What is a friend?" {N} asked the [computer|big machine]. "[A friend is a person you like|I do not know that word]," it said. {N}'s lights blinked. "[I do not understand|That does not help]," {he} said. So {he} rolled out into the city to find the answer.

{He} asked a {w1}. "A friend is someone who [makes you laugh|shares with you]," said the {w1}. {He} asked a {w2}. "A friend is someone who [stays with you when you are sad|listens]," said the {w2}. {N} wrote it all down. Beep, beep. [But {he} still did not understand.|"How can I find one?" {he} asked.]

Then it began to rain. {N} saw a {mkind} under a tree. {MHe} was wet and crying. "Why is there water in your eyes?" asked {N}.

"[I lost my way|My paper boat sank|My dog ran away]," said {M}. {N} did not know what to say. But {he} [opened {his} metal arm like an umbrella|rolled closer to keep the rain off {M}]. They sat together until the rain stopped. {N} [played a little song with {his} buttons|showed {M} how {his} lights could blink in a funny way]. {M} [giggled|stopped crying].

"[You are nice|I feel better now]," said {M}. "[Your arm is full of water|Your lights are getting dim]! Are you all right?"

"[The rain is not good for me|My battery is low]," said {N} [in a slow voice|]. "But I wanted to stay."

{M} jumped up. {MHe} [pushed {N} all the way home|dried {N} with {mhis} own scarf and carried {him} to a warm place]. {MHe} [put in a new battery|oiled {his} wheels]. Slowly, the lights came on again. The first thing {N} saw was {M}'s smile.

"You stayed with me, and I stayed with you," said {M}. "Do you know what that means?"

{N}'s lights turned [pink|warm and yellow]. "[Beep|Yes]," {he} said. "Now I understand. It means that we are friends."
""", lambda r, v: v.update(w1=r.choice(["baker", "policeman", "bus driver", "girl on a bike"]), w2=r.choice(["old woman", "gray cat", "gardener", "man with a dog"]), MHe=v["mhe"].capitalize()))

plot("stone_soup", "any", "{a_kind} who makes soup from a stone", "sharing", """
[Long ago|Once upon a time], a hungry {K} named {N} came to a village. {He} had walked all day, and {his} bag was empty. "Do you have something to eat?" {he} asked at the first house.

"No," said the people. "[We have nothing|It was a bad year]." At the second house they said the same. At the third house they [did not even open the door|closed the window]. Everyone was [afraid to share|hiding their food].

{N} sat down in the village square and thought. Then {he} smiled. {He} [made a small fire|borrowed a big pot], filled the pot with water, and put in a [smooth|round gray] stone. "[Mmm, stone soup|I love stone soup]!" {he} said in a loud voice. "[It is the best soup in the world|It will be so good]!"

The people [looked out of their windows|came out, one by one]. "[Soup from a stone|Is that possible]?" asked {M}.

"Of course," said {N}. {He} tasted it. "It is [almost perfect|very good]. [If only I had a carrot, it would be even better.|It just needs a carrot.]"

"[I think I have a carrot|I may have a carrot somewhere]," said {M}, and {mhe} ran home to get it. {N} put it in the pot. "Wonderful! Now [an onion|a potato] would be nice."

"[I have one|I can bring that]!" said a {w1}. And then a {w2} brought some [beans|cabbage], and an old woman brought [salt|a bit of meat]. Someone brought bread. [The smell filled the whole square.|The pot was full to the top.] 

At last the soup was ready. [They put out tables and lamps.|They all sat down together.] Everyone got a big bowl. It was the best soup they had ever tasted. They [sang songs|told stories] until late at night, and nobody was hungry.

"[And all from a stone|What a wonderful stone]!" said the people.

In the morning, {N} was ready to go. {He} gave the stone to {M}. "[Keep it|It always works]," {he} said [with a wink|]. "But you must remember the secret. [Everyone has to put something in|It only works when everyone shares]."
""", ch(("w1", ["farmer", "baker", "tailor"]), ("w2", ["shepherd", "fisherman", "boy", "girl"])))

plot("monster_bed", "kid", "{a_kind} who finds a monster under the bed", "making friends", """
{OPEN} Every night, {N} heard a sound under the bed. [Scratch, scratch.|Sniff, sniff.|Munch, munch.] "There is a monster under my bed," {he} told {his} {a}.

"[There are no monsters|It is only the wind]," said {his} {a}. "Good night."

But {N} heard it again. {He} took [a flashlight|a lamp], counted to three, and looked under the bed. Two big yellow eyes looked back! "Aaah!" cried {N}.

"Aaah!" cried the monster. It was [small and round|fuzzy and blue|green with orange spots], and it was shaking. "Please don't hurt me!"

{N} was surprised. "You are afraid of me?"

"[Of course|Very much]," said the monster. "[Everyone knows that there is a child on top of the bed|My mother says that children are very loud and have sticky hands]. [And you jump on the bed. It scares me.|I have not slept for a week.]"

{N} [began to laugh|put down the light]. "I was afraid of you too," {he} said. "What was that sound?"

The monster [looked at its feet|turned pink]. "[I get hungry at night|I was eating your old socks]," it said. "[Socks are not very good|They taste like cheese, but not good cheese]."

"[I have something better|Wait here]," said {N}. {He} [tiptoed to the kitchen|opened {his} bag] and came back with {treat}. The monster took a small bite. Its eyes grew [round|big]. "[This is better than a hundred socks|What is this wonderful thing]!" it said. They [sat on the floor and ate|shared it], and they talked until [the moon was high|they both yawned].

"[Can we be friends|Will you tell me a story tomorrow]?" asked the monster.

"[Yes|I would like that]," said {N}. "[But no more socks|And I promise not to jump on the bed]."

The next evening, {his} {a} asked, "Shall I look under the bed for monsters?"

"[No, thank you|That's all right]," said {N} with a smile. "[He is shy|It would only scare him]." And from under the bed came a tiny giggle.
""")

plot("camping", "any", "{a_kind} who goes camping with {his} {a}", "enjoying nature", """
{OPEN}

{DAY}, {N} and {his} {a} went camping in the [woods|hills|forest]. They packed a tent, two warm blankets, and [a pot of beans|a bag of potatoes]. {M} came too.

[First they walked a long way.|They walked past the {spot2} and over a little bridge.] {N} saw [a deer behind the trees|a family of ducks|a big red mushroom]. "[Shh, look|Don't move]," {he} whispered. They [stood still and watched|held their breath] until it was gone.

Then they put up the tent. It was not easy. [The tent fell down on top of {M}, and {mhe} looked like a ghost.|{N} pulled on one side, and {M} pulled on the other, and the tent went flat as a pancake.] They laughed so hard that they had to sit down. At last the tent stood, [a little crooked|almost straight].

When it got dark, {his} {a} made a fire. They [cooked the potatoes|ate beans] and [sang songs|told stories]. The sparks flew up like [tiny stars|fireflies]. Suddenly, there was a sound in the bushes. [Crack!|Rustle, rustle.] "[What was that|Is it a bear]?" whispered {M} and moved closer to {N}.

The bushes [moved|shook]. And out came a [fat little hedgehog|small raccoon|baby fox]! It [sniffed the air|looked at the fire], took [a piece of bread|a potato], and [ran away|walked off as if nothing had happened]. "[Good night to you too|You are welcome]!" {N} called after it, and they all laughed.

Later, {N} lay in the tent and looked up through the little window. There were more stars than {he} had ever seen. {He} could hear [the wind in the trees|an owl|the stream]. "[The forest is singing|Everything is so big]," {he} said softly.

"[And we are a part of it|It sings every night]," said {his} {a}. "[You only have to be quiet enough to hear it|Most people just don't listen]."

{M} was already snoring. {N} smiled, pulled the blanket up to {his} chin, and [listened until {he} fell asleep|counted the stars until {his} eyes closed].
""", ch(("spot2", ["old mill", "big rock", "waterfall", "hollow tree"])))

plot("toy_night", "thing2", "toys that come alive at night", "helping each other", """
[When the clock struck midnight|Every night, when the house was dark and quiet], the toys in the playroom woke up. There was {N} the {toyA}, {M} the {toyB}, and [a whole box of wooden soldiers|three rubber ducks|an old rocking horse].

They [danced on the carpet|played tag around the chairs|raced along the shelf]. But they had one rule: when the sun came up, every toy had to be back in its place.

One night, {M} [rolled too far|climbed too high] and fell [behind the big cupboard|out of the window and into the garden]. "Help!" called {M}. "I can't get out!"

The toys [ran to look|came running]. It was [dark and deep|a long way down]. "[What should we do|It will be morning soon]!" they said. "[If {M} is not back, the child will be so sad|We cannot leave {mhim} there]."

{N} had an idea. "[We need a rope|Bring me the ball of string]," {he} said. They tied [the jump rope to the leg of the table|two scarves and a shoelace together]. {N} was [afraid of the dark|very scared], but {he} held on and climbed down, [down, down|slowly, slowly].

"[Don't be afraid, I am here|Give me your hand]," said {N}. "[You came for me|I knew you would come]!" said {M}. {N} tied the rope around {M}. "Now pull!" {he} shouted. All the toys pulled. [One, two, heave!|They pulled and pulled.] The sky outside was turning [pink|gray]. "[Hurry|Faster]!" cried the rocking horse.

With one last pull, {M} and {N} came [flying up and landed on the carpet|over the edge]. [Everyone cheered, but very quietly.|"Hooray!" they whispered.] They [ran|hurried] to their places. Just as the sun came in through the window, the last toy sat down.

The child woke up and [rubbed {mhis2} eyes|looked around]. "[Good morning, toys|That is funny]," said the child. "[Why is there dust on your nose, {M}|Who tied these things together]?" {N} did not move, and {M} did not move. But if you looked very closely, you could see that they were [smiling|holding hands].
""", lambda r, v: v.update(toyA=(t := r.sample(["teddy bear", "rag doll", "tin robot", "wooden horse", "toy rabbit", "clown puppet", "toy penguin", "little knight", "toy elephant"], 2))[0], toyB=t[1], mhis2="sleepy"))

plot("lemonade", "any", "{a_kind} who sells lemonade", "working together", """
It was a very hot day. {N} was a {trait} {kind} who wanted to [buy a new {toy}|buy a present for {his} {a}|help fix the roof of the school]. But {he} had no money. "[I know what to do|I have an idea]!" {he} said. "[I will sell lemonade|Everyone is thirsty today]!"

{N} got [ten lemons|a bag of lemons], water, and sugar. {He} [squeezed the lemons until {his} {hands} hurt|mixed everything in a big jar]. {He} made a sign that said "LEMONADE" and put a table by the road near the {place}.

{He} waited. Nobody came. {He} waited some more. A [fly|bee] landed on the sign. {M} walked by. "How is it going?" asked {M}.

"[Not so well|Terrible]," said {N}. "[Nobody wants my lemonade|I have not sold one cup]."

{M} tasted it, and {mhis} whole face [went crooked|squeezed up like a raisin]. "[It is so sour|Did you forget the sugar]!" said {M}. {N} tasted it too. "Oh no! I [put in too many lemons|forgot the sugar]!" {he} cried. They looked at each other and [laughed|giggled].

"[Let me help|I will help you]," said {M}. "[You make it sweet, and I will paint a bigger sign|My mother has mint leaves and ice]." So {N} put in [more sugar|honey], and {M} put in [mint and ice|slices of strawberry]. {M} painted a [big yellow sun|huge smiling lemon] on the sign and [sang a funny song about lemons|rang a bell].

First came the [mailman|farmer]. He drank [one cup and then two more|it all in one gulp]. "[That is the best lemonade in town|Ahh]!" he said, and he told everyone. Soon there was a long line. They [poured and poured|ran back and forth], until the jar was [empty|almost empty].

The last in line was a [little {tiny}|small child] with no money, who looked very thirsty. {N} [looked into the jar. There was one cup left|had saved the last cup for {himself}]. "[This one is free|Here you are]," said {N} [with a smile|].

They counted the coins. [There was just enough.|There was more than they needed.] "[Half for you and half for me|We did it together, so we share]," said {N}. {M} shook {mhis} head. "[Let's buy it together|Use it for your plan]," said {M}. "[The best part was the singing|I had so much fun]." {END}
""", lambda r, v: (s_toy(r, v), v.update(tiny=r.choice(["boy", "girl"]))))
