"""Words that ask or join but name nothing, for the languages people most often ask in.

They weigh nothing when a question is compared with a sentence. A language that is not here still works:
its common words stand in most sentences and get a low weight from that alone.
"""

from __future__ import annotations

_ENGLISH = """
a about above after again all also am an and any are as at be because been before being below between
both but by can could did do does doing done down during each either else etc ever every for from
further get gets got had has have having he hence her here hers him his how however i if in into is it
its itself just let like many may me might more most much must my neither no nor not of off on once one
only onto or other our out over own per please s same shall she should since so some such t than that
the their them then there therefore these they this those through to too under until up upon us very was
we were what whatever when whenever where whereas whether which while who whom whose why will with
within without would you your yours according explain find give given happen happens happened kind know
list long mean means name named part parts say says show tell type called ones
"""

_GERMAN = """
aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bis da dabei damit
dann das dass dein dem den denn der deren des dessen die dies diese diesem diesen dieser dieses doch
dort du durch ein eine einem einen einer eines er es etwa fur gegen gibt hat hatte hatten haben hier ich
ihr ihre ihrem ihren ihrer im in ins ist ja jede jedem jeden jeder jedes kann kein keine keinem keinen
keiner konnen man mehr mit muss mussen nach nicht noch nun nur ob oder ohne sein seine seinem seinen
seiner seit sich sie sind so soll sollen sollte uber um und uns unter vom von vor wann war waren warum
was welche welchem welchen welcher welches wem wen wenn wer werden weshalb wessen wie wieso wieviel
wieviele viel viele lange hoch gross wird wo woher wohin womit wozu wurde wurden zu zum zur zwischen hei
heisst bedeutet genannt
"""

_FRENCH = """
a afin ai ainsi alors apres au aucun aucune aussi autre autres aux avait avant avec avoir c ce cela
celle celui ces cet cette ceux chaque ci comme comment combien contre d dans de depuis des deux doit
doivent donc dont du elle elles en entre est et etaient etait etant ete etre eu eux fait il ils j je l
la laquelle le lequel les lesquels leur leurs lors lui m ma mais me meme mes moi mon n ne ni nom non nos
notre nous on ont ou par parce pas peut peuvent plus plusieurs pour pourquoi pendant qu quand que quel
quelle quelles quels qui quoi s sa sans se selon sera ses si son sont sous sur t ta te tes toi ton tous
tout toute toutes tres tu un une vers vos votre vous y
"""

_SPANISH = """
al algo alguna algunas alguno algunos ante antes aquel aquella como con contra cual cuales cuando cuanta
cuantas cuanto cuantos de del desde donde dos durante el ella ellas ellos en entre era eran es esa esas
ese eso esos esta estaba estaban estan estas este esto estos fue fueron ha haber habia han hasta hay la
las le les lo los mas me mi mientras muy ni no nos nuestra nuestro o otra otras otro otros para pero
poco por porque puede pueden que quien quienes se sea ser si sido sin sobre son su sus tambien tan tanto
te tiene tienen toda todas todo todos tras tu un una unas uno unos y ya
"""

_ITALIAN = """
agli ai al alla alle allo anche ancora avere che chi ci come con cosa cui da dagli dai dal dalla dalle
degli dei del della delle dello di dopo dove e ed erano era essere fra gli ha hanno i il in io la le lei
lo loro lui ma mentre mi nei nel nella nelle nello no noi non nostro o ogni per perche piu prima puo
quale quali quando quanta quante quanti quanto quella quelle quelli quello questa queste questi questo
se sei si sia sono stata stato su sua sue sugli sui sul sulla suo suoi tra tutti tutto un una uno vi
"""

_DUTCH = """
aan al alle als andere bij dan dat de deze die dit door dus een en er geen haar had hebben heeft hem het
hij hoe hoeveel hun ik in is ja je kan kunnen maar meer men met mijn moet moeten na naar niet nog nu of
om omdat onder ons ook op over te tegen ten ter toen tot tussen uit van veel voor waar waarom wanneer
waren was wat we welk welke werd wie wij worden wordt zal ze zich zij zijn zo zonder zou
"""

_PORTUGUESE = """
ao aos aquela aquele as com como da das de dela dele do dos e ela elas ele eles em entre era essa esse
esta estao este eu foi foram ha isso isto ja mais mas me mesmo muito na nao nas nem no nos nossa nosso
num numa o onde os ou para pela pelas pelo pelos por porque pode podem qual quais quando quanta quantas
quanto quantos que quem se sem ser seu seus sua suas sao so sobre tambem tem tendo um uma umas uns
"""

_ARABIC = """
في من على إلى الى عن مع هذا هذه ذلك تلك التي الذي الذين ما ماذا متى أين اين كم كيف لماذا هل أي اي أية
كان كانت يكون تكون هو هي هم ان أن إن لم لا لن قد تم بين بعد قبل عند كل بعض أو او ثم حتى اذا إذا و
"""

_JAPANESE_CHINESE = """
什么 甚么 什麼 多少 哪些 哪个 哪個 哪里 哪裡 哪一 何时 何時 为什 為什 怎么 怎麼 怎样
如何 是否 是谁 是誰 谁是 几个 多久 多长 了什 么是 么时 时候 的是 是什 哪年 年份 在哪
里的 为何 た何 何で 何か です ます か？ ある いつ どこ だれ どの いくら なぜ する
した され れた
"""

FUNCTION_WORDS: frozenset[str] = frozenset(
    " ".join(
        (
            _ENGLISH,
            _GERMAN,
            _FRENCH,
            _SPANISH,
            _ITALIAN,
            _DUTCH,
            _PORTUGUESE,
            _ARABIC,
            _JAPANESE_CHINESE,
        )
    ).split()
)
"""Folded as `words.fold` folds: lower case, accents removed."""

_MEASURES = """
long soon often high large big small low far old tall deep wide heavy great quick quickly fast late early
lange hoch gross weit alt tief breit schwer oft schnell lang hoog groot ver oud diep breed vaak snel
"""
MEASURES: frozenset[str] = frozenset(_MEASURES.split())
"""What may follow "how", "wie", "hoe" to ask for a measure; elsewhere these words do name something."""
