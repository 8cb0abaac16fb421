# SPDX-License-Identifier: MIT
"""Plots: rainbow, spell, echo, train ride, magic brush, giant, fishing, library, hibernate, lighthouse."""
from . import words as w
from .plotting import ch, plot, s_toy

plot("rainbow", "any", "{a_kind} who looks for the end of the rainbow", "friendship", """
{OPEN}

{DAY}, after the rain, a big rainbow stood over the {place}. "[My grandpa says there is a pot of gold at the end of the rainbow|I heard that there is treasure at the end of a rainbow]," said {N}. "Let's find it!"

"Yes!" said {M}. [They put on their boots.|They took a bag for the gold.] And off they went.

They walked over the [green hill|bridge]. The rainbow was [a little farther away|behind the next hill]. They walked through the [tall grass|mud]. [The rainbow moved again.|It was still far away.] "[It is running away from us|Why does it always move]?" said {M}.

On the way, they saw a [duck with its foot stuck between two stones|sheep caught in the thorns]. They stopped and helped it. Then they saw an old woman with a heavy [basket|bag of wood]. They carried it for her, and she gave them [each a red apple|a slice of bread with honey]. Then they met a [lost puppy|small boy who could not find his way], and they brought [it|the little one] home. 

[By then it was late.|The sun was getting low.] They looked up. The rainbow was gone! "[Oh no|We were too slow]," said {M}. "[We did not find the gold|Now we will never get the treasure]."

They sat down on a [stone|log] and ate what was left of their food. The [duck|sheep] came and [sat beside them|lay down at their feet]. The old woman waved from her window. [A warm wind blew.|The evening sky was red and gold.] "[You know what|Listen]," said {N}. "[I did not find any gold, but this was the best day|I think we found something better]."

"What did we find?" asked {M}.

{N} counted on {his} {hands}. "[An animal friend, a nice old lady, and the best apple in the world|A new friend, a good story, and a day that was full of surprises]. [And we have each other.|You can't put that in a bag.]"

{M} [smiled|laughed]. "[Maybe that is what the gold means|Then we are rich]," {mhe} said. And the two friends walked home under the first [stars|star].
""")

plot("spell", "wizard", "a young {K} whose spell goes wrong", "learning from mistakes", """
{N} was a young {K} who was learning magic. {He} had a [pointy hat that was too big|crooked wand|book of a hundred spells], and {his} teacher was [an old owl|a very old wizard with a beard down to his knees].

"[Magic is not a toy|Read every word before you speak]," the teacher always said. "[A small mistake can make a big mess.|And never, never do magic when you are in a hurry.]"

{DAY}, the teacher went out. {N} had to [sweep the floor|wash the dishes]. "[That takes so long|This is so boring]," said {N}. "[I will use magic|A little magic will help]!" {He} opened the big book, and {he} read the spell very fast. "{magicw}!" Poof! 

But {he} had read one word wrong. [The broom did not sweep. It began to dance.|The dishes did not get clean. They began to fly.] And then {mess}! "Stop! Stop!" cried {N}. [But it got worse and worse.|{He} waved {his} wand, and it got even worse.]

{M} looked in at the window. "[What is going on|What did you do]?" asked {M}.

"[I made a mistake|I read too fast]!" said {N}. "[Help me|I don't know how to stop it]!"

"[Take a deep breath|Slow down]," said {M}. "[Read the spell again, one word at a time|What does the book say]?"

{N} [took a deep breath|closed {his} eyes and counted to five]. {He} opened the book and read each word slowly. There, at the bottom of the page, in very small letters, it said: "To stop the spell, [say it backward and say please|clap three times and say you are sorry]." {N} did [just that|exactly what it said]. And everything [stopped|was still].

[What a mess it was!|The room looked terrible.] {N} and {M} [cleaned all afternoon|swept and scrubbed], with their own {hands}. When the teacher came back, the room was clean. But there was [one spoon still flying around the lamp|a bit of purple smoke in the corner].

"Hmm," said the teacher. "[Is there something you want to tell me|I see that you had an interesting day]." {N} told the whole truth. The teacher [laughed and laughed|smiled]. "[When I was young, I turned my own teacher into a teapot|Everyone makes that mistake once]," said the teacher. "What did you learn?"

"[To read slowly|That there is no magic for being in a hurry]," said {N}. "[And that a friend at the window is better than any spell|And that sweeping is not so bad]."
""", lambda r, v: v.update(magicw=r.choice(["Abra, kabra, broomla boo", "Hokus, pokus, shiny spoon", "Zim, zam, zoodle", "Ala, bala, bubble bee"]),
     mess=r.choice(["all the chairs grew legs and ran around the room", "soap bubbles as big as cows filled the house", "it rained frogs in the kitchen", "the teapot sang so loudly that the windows shook", "every sock in the house turned into a duck", "a hundred yellow chicks came out of the cupboard"])))

plot("echo", "any", "{a_kind} who hears an echo", "kindness", """
{OPEN}

{DAY}, {N} climbed a hill and came to a deep valley. {He} was in a bad mood because {badmood}. "Hey!" {he} shouted. [From far away|From the other side], a voice shouted back, "Hey!"

{N} was surprised. "Who are you?" {he} called. "Who are you?" called the voice.

"[Stop that|Don't copy me]!" shouted {N}. "[Stop that|Don't copy me]!" shouted the voice. {N} got [angry|very cross]. "You are mean!" {he} yelled. "You are mean!" yelled the voice.

{N} [ran home|ran all the way down the hill]. "{A}, there is somebody in the valley," {he} said. "[Someone rude|And that one is not nice at all]! [Every time I shout, the voice shouts back at me.|The voice said that I am mean!]"

{His} {a} smiled. "[I know that voice|I have met that one too]," {ahe} said. "[Go back tomorrow and say something kind. See what happens.|Try something for me. Say something friendly.]"

The next day, {N} went back. {He} felt a bit [silly|shy]. "Hello!" {he} called. "Hello!" called the voice. "[How nice to meet you|You have a nice voice]!" called {N}. "[How nice to meet you|You have a nice voice]!" said the voice. {N} began to smile. "[I would like to be your friend|I like you]!" {he} shouted as loud as {he} could. And from [all the hills|every side] the voice came back: "[I would like to be your friend|I like you]!"

{N} ran home [with a light heart|laughing]. "[You were right|The voice is nice now]!" {he} told {his} {a}. "[What happened|Who is it]?"

"[It was your own voice, coming back to you|That was your echo]," said {his} {a}. "[People are a bit like that too|It is the same with people]. [What you send out comes back to you.|If you give a smile, you get a smile.]"

{N} thought about that. The next morning, {he} said "Good morning!" to [everyone {he} met|the grumpy neighbor], with a big smile. And what do you think [came back|{he} got]? {END}
""", ch(("badmood", ["it had rained all week", "{he} had lost a game", "{his} shoe had a hole", "nobody had time to play"])))

plot("train_ride", "any", "{a_kind} who takes the train to visit {his} grandma", "love", """
Today was a big day. {N} was going to visit {his} grandma, all the way on the train! {N} was a {trait} {kind}. {He} had [a small blue bag|a red bag] with [a sandwich|two apples], a book, and a present for Grandma. {His} {a3} sat next to {him}.

"All aboard!" called the conductor. Toot, toot! The train began to move, first slowly, then faster and faster. Clickety-clack, clickety-clack. {N} [pressed {his} nose to the window|looked out]. {He} saw [cows in a field|a man on a tractor|boats on a river]. {He} saw [a tunnel coming|a castle on a hill]. [Suddenly it was dark. "We are in the mountain!" said {N}. Then it was bright again.|"Look, everything is running backward!" said {N}.]

Across from {N} sat a {mkind} named {M}, who was [crying quietly|holding a small bag very tight]. "What is wrong?" asked {N}.

"[I have never been on a train before|I miss my mother]," said {M}. "[What if I get off at the wrong place|It is so loud]?"

"[I was scared too, the first time|We can watch for your stop together]," said {N}. "[Do you want half of my sandwich|Do you want to see my book]?" [They played a game: who could see the most horses?|They counted bridges, and they made up names for all the cows.] {M} [laughed|forgot to be afraid]. "That one is called Mrs. Moo," said {M}.

Soon the train [slowed down|went slower]. "This is your stop!" said {N}. {M} got off, and there was {mhis} [uncle|aunt], waving. "Goodbye, {N}! [Thank you|I will look for you on the way back]!" called {M}.

At the next stop, {N} saw a [gray head|big flowered hat] and two open arms. "Grandma!" {he} shouted and [jumped down|ran]. Grandma smelled of [soap and cinnamon|fresh bread]. "[How was the long trip|Were you bored on the train]?" she asked.

"[It was too short|Not at all]," said {N}. "[I made a friend, and I met Mrs. Moo|I saw a hundred horses and made a friend]." Then {he} gave her the present. It was [a drawing of the two of them, holding hands|a shell that {he} had painted]. Grandma [hung it up|put it] right over the [stove|table], and then they ate {treat}. {END}
""", lambda r, v: v.update(a3=r.choice(["mom", "dad"] if v["who"] == "kid" else ["mother", "father"])))

plot("magic_brush", "kid", "{a_kind} who finds a magic paintbrush", "using gifts for good", """
{OPEN} Most of all, {N} loved to paint. But {he} was poor, and {he} had no brush. So {he} painted with [sticks in the sand|a wet finger on the stones].

One night, an old [man|woman] came to the door and asked for [a cup of water|a place to rest]. {N} gave {ohim} [water and the last piece of bread|{his} own bed]. In the morning, the visitor was gone, but there was a paintbrush on the table. It was [golden|made of silver wood]. {N} painted a [red bird|little fish] on the wall. And the [bird flew off the wall and sang|fish jumped off the wall and into the water bucket]! It was a magic brush!

{N} ran into the village. {He} painted [a cow for the family that had no milk|a warm coat for the old man next door]. {He} painted [a well where the ground was dry|a loaf of bread for each hungry child]. Everything {he} painted became real. [Everyone was happy.|Soon nobody in the village was hungry.]

A greedy [lord|king] heard about the brush. "[Paint me a mountain of gold|Paint me a palace made of gold]!" he shouted. "[Now|If you do not, I will take the brush]!"

{N} [thought for a moment|looked at the greedy man]. "All right," {he} said. {He} painted a wide blue sea, and far away, on the other side, a [mountain|palace] that shone like the sun. "Your gold is over there," said {N}. "[You will need a ship|Shall I paint you a boat]?"

"[Yes, hurry|A ship, and be quick]!" said the greedy man. {N} painted a fine ship, and the greedy man jumped in. "[More wind|Faster]!" he called. {N} painted a little wind, and the ship sailed away, farther and farther, until it was [as small as a dot|gone].

[He never came back.|It is a very wide sea, and they say he is still sailing.] And {N}? {He} [kept painting for people who needed help|went from village to village with {his} brush]. "[What will you paint next|Will you paint something for yourself]?" people asked {him}.

{N} smiled. "[I have everything I need|A door that is always open]," {he} said.
""", lambda r, v: v.update(ohim="them"))

plot("giant", "any", "{a_kind} and a lonely giant", "not judging others", """
On a hill above the village lived a giant. He was as tall as [three houses|the church tower]. When he walked, the cups on the tables shook. [Boom, boom, boom.|Everyone was afraid of him.] "[Never go up that hill|The giant eats children for breakfast]," people said.

{N} was a {trait} {kind} who [asked a lot of questions|was not easily scared]. "[Has anyone ever talked to the giant|How do you know what he eats]?" {he} asked. "[No, of course not|Nobody is that silly]!" they said.

{DAY}, {N}'s {toy} [rolled away|was blown away by the wind] and landed high on the hill. {N} climbed up to get it. There was the giant! He sat with his back to {N}, and his shoulders were shaking. Big drops fell to the ground like buckets of rain. The giant was crying.

{N} wanted to run. But {he} felt sorry for him. "[Excuse me|Hello]," {he} said. "Why are you crying?"

The giant jumped. "[Please don't be afraid|Oh! A visitor]," he said in a deep, soft voice. "[It is my birthday, and I have no one to share it with|I am so lonely. Whenever I come near, everyone runs away]. [I only wanted to say hello.|I made a cake, but nobody will ever taste it.]"

"I am not running," said {N} and sat down beside him. "[What kind of cake is it|I like cake]." The giant [smiled a huge smile|wiped his eyes with a bed sheet]. The cake was [as big as a wagon|so big that {N} could stand on it]. They ate and talked, and the giant [told stories about the clouds|let {N} sit on his hand and see the whole world].

"[I have to go home now|It is getting late]," said {N}. "But I will be back. [And I won't come alone|I will bring somebody]."

The next day, {N} came back with {M}. The day after that, they brought [four friends|everyone from school]. "[He is as gentle as a lamb|He is so nice]," they told the people in the village. [At first, nobody believed it.|The grown-ups shook their heads.] But when the [bridge broke|river rose], the giant [carried everyone safely across on his shoulders|held back the water with his two hands]. After that, nobody was afraid. They [built a very big chair for him in the square|invited him to every party], and on his next birthday, the whole village sang. [You could hear it ten miles away.|The giant cried again, but this time because he was happy.]
""", s_toy)

plot("fishing", "any", "{a_kind} who catches a special fish", "keeping your word", """
{OPEN}

{DAY}, {N} and {his} {a} went fishing [on the lake|by the river|at the pond]. {N} put a [worm|bit of bread] on the hook and waited. {He} waited and waited. [A frog looked at {him}. A bird laughed at {him}.|Nothing happened for a long time.] "[I don't think there are any fish today|This is so slow]," said {N}.

"[Be patient|Shh, fish like it quiet]," said {his} {a}.

Then the line moved! {N} pulled. It was [strong|heavy]! {He} pulled and pulled, and out came a fish, [golden from head to tail|shining like silver]. "Please let me go," said the fish.

{N} [almost fell into the water|could not believe {his} ears]. "You can talk!"

"[I can|Only to people who listen]," said the fish. "I have [seven little children waiting at home|a long way to swim before winter]. If you let me go, I will [help you when you need it|not forget it]. [I promise.|A fish never lies.]"

{N} looked at the fish. [They were hungry, and it was a very big fish.|It would have made a fine dinner.] But {he} thought of [the seven little fish|how {he} would feel]. "[Swim home|Go, quickly]," said {N} and put it back in the water. Splash! It was gone.

{His} {a} had been asleep under {ahis} hat. "Did you catch anything?" {ahe} asked. "[Not really|I caught something, but I let it go]," said {N}. They [ate bread and cheese|had only soup] that night.

Some [days|weeks] later, {N} was in a little boat when a storm came. The waves were [as high as a house|huge], and the boat [turned over|filled with water]. "Help!" cried {N}. {He} [could not swim well|was getting tired]. Then {he} felt something under {him}, [strong and smooth|pushing {him} up]. It was the golden fish, and seven smaller ones! They [carried {him}|pushed {him}] all the way to the shore.

"[You kept your promise|You came]!" said {N}, [coughing|shaking with cold].

"[A kind heart is never forgotten, not even under the water|You gave me my life, and now I have given you yours]," said the fish. And with a flick of its tail, it was gone. {END}
""")

plot("library", "kid", "{a_kind} who falls into a book", "loving books", """
{OPEN} On rainy days, {he} went to the library. It was [quiet and warm|full of the smell of old paper], and the librarian, {lib}, always [had a good book for {him}|saved {him} the chair by the window].

{DAY}, {N} found a book {he} had never seen before. It was [small and green|thick and dusty], and it had no title. {He} opened it. [A warm wind blew out of the pages.|The letters began to move.] "How strange," said {N}, and {he} leaned closer. Closer... and whoosh! {He} fell right into the book!

{He} landed on something soft. It was [a haystack|a pile of leaves|a giant pillow]. All around {him} was a land of {land}. A {K2} came running. "[At last|There you are]! We have been waiting for someone to turn the page," said the {K2}. "[Nobody has read our story for a hundred years|Our story stopped in the middle, and we are all stuck]. [Will you help us?|Only a reader can help us.]"

"[What do I have to do|How can I help]?" asked {N}.

"[You have to read the next part out loud|Tell us what happens next]," said the {K2}. {N} looked up. There were big letters in the sky, but [some of them were missing|the end was empty]. So {N} [took a deep breath|thought hard] and began to tell. "[Then the sun came out|Then the gates opened]," {he} said, and it happened! "Then [everyone who was sad found a friend|the lost ones came home]." And it happened! [The land became bright and full of color.|Music started to play.] The {K2} [danced|jumped for joy]. "And then they had a big party with {treat}," said {N}, because {he} was getting hungry. And there it was!

"[Thank you|You saved us]!" said the {K2}. "[Every time someone reads our story, we can live again|Now our story has an ending]. [Come back soon!|Please don't forget us.]"

The wind blew, the pages turned, and {N} was [back in the library|sitting in the chair by the window]. [Only a minute had passed.|The clock had not moved at all.] The book lay in {his} hands, and now it had a title. It said: "{N} and the Land of {Land}."

{N} ran to the desk. "May I take this one home?" {he} asked.

{lib} looked at the book and [winked|smiled]. "[It looks like it was written for you|I was wondering when you would find it]."
""", lambda r, v: v.update(lib=r.choice(["Mrs. Page", "Mr. Quill", "Miss Reed", "Mr. Lamp"]), K2=r.choice(["rabbit in a blue coat", "small knight", "talking cat", "fox with a tall hat", "tiny queen"]), land=(l := r.choice(["clouds", "candy", "paper", "flowers", "lanterns", "mirrors", "music"])), Land=l.capitalize()))

plot("hibernate", "pet", "{a_kind} who wants to see winter", "being patient", """
{OPENP} Every autumn, {N}'s family went to sleep, and they slept until spring. "[Winter is for dreaming|We sleep when the snow comes]," said {his} mother. But {N} did not want to sleep.

"[I want to see the snow|What does winter look like]?" {he} asked {M}, who never slept in winter.

"[It is white and quiet|It is cold and beautiful]," said {M}. "[Your breath makes little clouds.|The lake turns into glass.]"

So that year, {N} made a plan. When {his} family went to bed, {he} only pretended to sleep. Then {he} crept out. [At first there was only rain.|The wind was cold, and {his} eyes were heavy.] "[I must stay awake|I will not sleep]," said {N}. {He} [sang songs|jumped up and down|counted leaves]. But {he} was so tired. {He} fell asleep [on a log|standing up] and woke up with [a cold nose|leaves on {his} head].

{M} found {him}. "[You look terrible|You should be in bed]," said {M}. "[You will get sick.|Your mother will worry.]"

"But I want to see the snow," said {N}, and {he} yawned so wide that {M} could [see all {his} teeth|count {his} teeth].

{M} thought about it. "[Go home and sleep|Go to bed]," said {M}. "[And I will bring you the winter|I promise that you will see it]." {N} was too tired to argue.

All winter long, {N} slept and dreamed. And all winter long, {M} [worked|was busy]. {MHe} [drew the snow on pieces of bark|painted the white hills and the frozen lake]. {MHe} [kept a snowball in the deepest, coldest cave|filled a box with snow and hid it deep in the cold cave].

In spring, {N} woke up. [The birds were singing, and the snow was gone.|The grass was green.] "[I missed it again|Oh no, it is over]!" {he} said sadly. Then there was a knock. {M} stood at the door with the pictures and a [small white ball|cold box]. "[Hold out your {hands}|Close your eyes]," said {M}.

{N} felt something [cold and soft|so cold that {he} laughed]. It was snow! Real snow! "[It tickles|It is like holding a cloud]!" {he} shouted. They looked at all the pictures, and {M} told {him} about every day. "[Now I have seen the winter with your eyes|That is the best present ever]," said {N}. "[And next autumn, I will draw the dreams for you|Now let me tell you what I dreamed]!"
""", lambda r, v: (v.update(MHe=v["mhe"].capitalize()), v.update(K=(k := r.choice(["bear", "hedgehog", "badger", "mouse"])), kind=r.choice(["little ", "young "]) + k, home=w.ANIMALS[k][0], body=w.ANIMALS[k][3], petfood0=w.ANIMALS[k][1], hands="paws", hand="paw"), v.update(MK=(m := r.choice(["fox", "rabbit", "owl", "deer"])), a_body="soft fur", inhome="in " + w.ANIMALS[k][0])))

plot("lighthouse", "kid", "{a_kind} who lives in a lighthouse", "being responsible", """
{N} lived in a tall white lighthouse by the sea with {his} {a}. {He} was a {trait} {kind}. Every evening, {his} {a} climbed the [hundred|ninety-nine] steps and lit the big lamp. "[The ships need our light|Without our light, the ships cannot see the rocks]," {ahe} said.

{N} liked to [count the ships|watch the light go round and round|wave to the sailors]. "[When can I light the lamp|May I do it tonight]?" {he} asked every day.

"When you are bigger," said {his} {a}.

{DAY}, {his} {a} went to town in the small boat. In the afternoon, the sky turned [black|dark gray]. The wind [howled|blew], and the waves crashed against the rocks. {His} {a} could not come back. [And soon it would be night.|It got darker and darker.] Far out on the sea, {N} saw a tiny light. It was a ship! [It was coming straight toward the rocks.|It was going the wrong way.]

"[Somebody has to light the lamp|There is nobody here but me]," said {N}. {His} heart beat fast. {He} took the matches and began to climb. One step, two steps, ten steps, twenty. [The wind shook the tower.|The tower made strange sounds.] {He} wanted to turn back. But {he} thought of the ship and climbed on.

At the top, {he} tried to light the lamp. The first match [went out|broke]. The second match went out. There was only one left. {N} [held {his} hand around it|turned {his} back to the wind] and [whispered, "Please."|held {his} breath]. The little flame [shook|danced], and then... the lamp was lit! The big light went out over the sea, round and round.

{N} watched the ship. Slowly, slowly, it turned. It went [past the rocks|around the rocks] and into the safe harbor. "[Hooray|You did it]!" shouted {N}, all alone at the top of the tower. {He} stayed awake all night to watch the lamp.

In the morning, {his} {a} came running up the steps with the captain of the ship. "[Who lit the lamp|Was that you]?" asked the captain. "[You saved thirty people|My whole crew is alive because of you]."

{His} {a} could not speak. {AHe} just held {N} tight. That evening, {ahe} gave {him} [the matches|the key to the lamp room]. "[I think you are big enough now|From today on, we will do it together]," {ahe} said.
""", lambda r, v: v.update(AHe=v["ahe"].capitalize()))
