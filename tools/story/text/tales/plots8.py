# SPDX-License-Identifier: MIT
"""Plots: honest woodcutter, clumsy, letter, colors."""
from .plotting import ch, plot

plot("honest_woodcutter", "any", "{a_kind} who drops {his} {tool} in the river", "honesty", """
{OPEN} {N} was poor, and the only thing {he} had was an old {tool}. With it {he} [worked all day long|earned {his} bread].

{DAY}, {N} was working by the river when the {tool} slipped out of {his} {hands}. Splash! It fell into the deep water. "[Oh no|What will I do now]!" cried {N}. {He} sat down on the bank and [wept|put {his} head down].

Then the water [began to shine|bubbled], and a [river fairy|water spirit|lady in a silver dress] came up. "Why are you crying?" she asked. {N} told her. She [smiled|nodded] and dove down. When she came up, she was holding a {tool} made of gold. "Is this yours?" she asked.

It [shone like the sun|was the most beautiful {tool} {N} had ever seen]. With that gold {he} could [buy a house|be rich]. But {N} shook {his} head. "[No, that is not mine|It is lovely, but it is not mine]," {he} said.

She dove down again and came up with a {tool} made of silver. "Is this one yours?" "[No, that is not mine either|No]," said {N}. "[Mine is old, and it has a crack|Mine is only made of iron and wood]."

She dove down a third time. And this time she brought up the old {tool}. "[That is it|Yes, that one is mine]!" cried {N}. "{THANKS}!"

"[You could have told a lie, but you told the truth|You are an honest {K}]," said the fairy. "Take all three. [You have earned them.|They are yours.]"

{N} ran home and told {M}. {M} wanted gold too. {MHe} took an old {tool}, went to the river, and threw it in. Then {mhe} [pretended to cry|made crying sounds]. The fairy came up with a golden {tool}. "Is this yours?" she asked. "[Yes, yes! Give it to me|Yes, that is mine]!" said {M}.

The fairy's face became [cold|sad]. "[That is not true|You know that it is not]," she said, and she sank down into the water with the gold. And {M} did not even get the old {tool} back.

{M} came to {N} with {mhis} head down. "[I told a lie, and now I have nothing|I was greedy and I lied]," said {M}. {N} [put an arm around {mhim}|thought for a while]. "[You can have my silver one|I have three, and I only need one]," {he} said. "[But next time, tell the truth. It weighs less|And the truth is worth more than gold]."
""", lambda r, v: v.update(tool=r.choice(["axe", "hammer", "spade", "saw", "rake", "shovel"]), MHe=v["mhe"].capitalize()))

plot("clumsy", "any", "{a_kind} who is very clumsy", "believing in yourself", """
{OPEN} But {N} was very clumsy. {He} [tripped over {his} own feet|bumped into doors|dropped everything {he} picked up]. [Crash! Bang! That was the sound of {N} coming home.|When {N} came, everyone held on to their cups.]

"[Be careful, {N}|Oh, {N}, not again]!" they all said. {N} felt [sad|bad about it]. "[I can't do anything right|Something always falls down when I am near]," {he} told {M}.

{DAY}, there was a big [show|dance] at the {place}, and everybody had a part. "What can I do?" asked {N}. The others [looked at each other|were quiet]. "[You can sit and watch|Maybe you can hold the curtain]," they said. {N} [nodded and looked at the floor|tried to smile].

The show began. But it was [boring|too stiff]. The singer forgot his song. The dancers danced [slowly|with frightened faces]. The people [yawned|started to leave]. {N} leaned forward to see better and... whoops! {He} tripped over the rope, [rolled across the stage|flew through the air], [bounced off the big drum, boom|knocked over a row of hats], [spun around three times|slid under the singer's legs], and landed sitting down, with a flower pot on {his} head.

It was silent. {N} [wanted to disappear|turned red]. Then somebody [giggled|laughed]. And then everybody laughed and clapped! "[More|Again]!" they shouted. "[That is the funniest thing I have ever seen|What a clown]!"

{N} looked at {M}, who stood at the side of the stage. {M} [nodded|smiled] and whispered, "[Do it again|They love you]!" So {N} stood up, [bowed|took off the flower pot], and tripped again, this time on purpose. {He} [slipped|stumbled], and {he} [danced a funny dance|juggled the hats and dropped them all]. The people laughed until [they cried|their tummies hurt].

After the show, everyone came to shake {his} {hand}. "[You saved the show|You are a star]!" they said. [{N} was so happy that {he} bumped into the door on the way out.|{N} was so happy that {he} tripped over the rope once more.] And this time, {N} laughed too. "[I am not clumsy|I used to think I was only clumsy]," {he} told {M}. "[I am funny|It turns out that I am funny]!"
""")

plot("letter", "any", "{a_kind} who writes a letter to a faraway friend", "friendship", """
{N} missed {his} best friend, {M}. {M} had moved far away, [over the mountains|across the sea|to the big city]. {N} was a {trait} {kind}, and before, they had played together every single day. Now the {place} felt [empty|too quiet].

"[Why don't you write a letter|A letter can go where you cannot]?" said {his} {a}.

{N} sat down with a pencil and a sheet of paper. {He} thought for a long time. [What should {he} say?|It was hard to begin.] "Dear {M}," {he} wrote. "[How are you? I am fine.|I hope you are well.] [The apple tree has flowers now.|The cat had four kittens.] [I have learned to whistle.|I found a blue stone.] [Nobody laughs at my jokes the way you do.|I have nobody to race with.] I miss you. Your friend, {N}." {He} put [a pressed flower|a feather|a drawing] in the letter and took it to the mailbox.

Then {he} waited. The first day there was no letter. The second day there was no letter. A whole week went by. "[{MHe} forgot me|Maybe {mhe} has new friends now]," said {N}. [{He} did not want to eat.|{He} kicked a stone all the way home.]

"[Letters travel slowly|It is a long way]," said {his} {a}. "[Give it time|Wait a little longer]."

On the [tenth|twelfth] day, the mailman [rang his bell|came up the path with a smile]. "[Something for you|Is there a {N} here]?" he said. It was a [fat|big] envelope! {N} [tore it open|opened it with shaking {hands}]. "Dear {N}," it said. "[Your letter made me so happy that I read it ten times.|I cried when your letter came, but they were happy tears.] [I was lonely here, too.|I put your present over my bed.] [Look up at the moon at eight o'clock. I will look at it at the same time.|I am sending you a shell from my new beach. Hold it to your ear, and you can hear my sea.] Your friend forever, {M}."

That night, {N} [sat by the window|held the letter close] and looked up at the moon. [It was round and bright.|It shone over the roof.] Far, far away, somebody else was looking at it, too. And {N} did not feel alone anymore. [Then {he} took {his} pencil and began: "Dear {M}..."|"Good night, {M}," {he} said.]
""", lambda r, v: v.update(MHe=v["mhe"].capitalize()))

plot("colors", "any", "{a_kind} who mixes colors", "being creative", """
{OPEN}

{DAY}, {N} wanted to paint a picture of {subject}. {He} opened {his} paint box. There were only three colors left: red, yellow, and blue. "[That is not enough|I can't paint with only three colors]," said {N}. "I need green for the [grass|leaves]. I need orange for the [sun|fish]. And I need purple for the [flowers|sky]!"

"[Let me see|Hmm]," said {M}. "[Maybe the colors can help each other|What happens if we put two of them together]?"

They [dipped the brush|put a drop of blue] into the [yellow|yellow paint]. [Swirl, swirl.|They stirred and stirred.] "Look!" shouted {N}. "It is turning green!" They painted [a hill|the grass] with it.

Then they mixed red and yellow. "[Orange|It is orange, like a pumpkin]!" said {M}. And red and blue? "Purple!" they both shouted. [They laughed and mixed more and more.|There was paint on {N}'s nose and on {M}'s ears.] They put in a little white, and it was [pink like a shell|light blue like the morning]. "[We have more colors than the rainbow|Three colors can make a hundred]!" said {N}.

Then {N} wanted to know what would happen if {he} mixed all of them. {He} put everything together and stirred. It was [brown|the color of mud]. "Oh," said {N}. "[That is ugly|I ruined it]."

"[Wait|No]," said {M}. "[It is just right for a tree|We still need a dog, and dogs can be brown]." So they painted [a big tree|a happy dog] in the middle, and that was the best part of the picture.

They gave the picture to {his} {a}. "[How did you make so many colors with only three paints|What a lovely picture]?" {ahe} [asked|said].

"[The colors are friends|They helped each other]," said {N}. "[Alone, they are just red and yellow and blue. Together they can be anything|Just like {M} and me]!" {END}
""", ch(("subject", ["{his} house", "a garden", "the sea", "a farm", "the whole world", "a dragon in a meadow", "a birthday party"])))
