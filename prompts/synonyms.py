"""Words with which people ask, and those with which documents say the same. A word may stand in several lines.

They are looked for beside the words of a question, and count less. Nothing is called answered for them: that a document says
"terminate" where "kill" was asked about is likely, and not certain.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace

from prompts.language import words
from prompts.question import SPELLINGS, Word

SHARE = 0.5  # of the weight of a word, for another with which the same is said

SAME = """
folder directory
picture image screenshot diagram graphic
delete remove erase purge drop discard cleanup clean clear
stop halt terminate kill quit exit shutdown end abort
start launch begin boot run startup execute invoke kick
restart reload reboot
add insert append include
make create generate produce build new
change modify edit update alter adjust customize customise override
set configure specify define configuration setting
setting option parameter configuration flag preference property
turn enable disable
allow permit enable accept let permitted allowed
vulnerability hole weakness flaw
hole vulnerability
forbid prohibit disallow prevent block reject deny refuse forbidden
avoid prevent
show display print view output list
see view inspect display
choose select pick specify decide
pick select choose
store save keep persist write
saved stored written kept
place location path position
located stored found placed
get obtain retrieve fetch receive acquire
fetch download retrieve
send transmit deliver submit post
limit maximum restrict cap quota bound threshold
maximum limit most max
minimum least min
big large size
warm cold hot temperature degrees
weekend saturday sunday
fast quick speed performance quickly rapid
slow delay latency performance
error failure exception fault problem
fail error crash break failure
broken fail invalid corrupt damaged
problem issue error trouble
fix solve repair resolve correct workaround
bug defect issue
wrong incorrect invalid error
check verify validate test confirm ensure
try attempt test
retry again repeat attempt
wait delay pause timeout
timeout expire wait
long duration time timeout period
often frequently interval every period
password credential secret passphrase
login authenticate authentication sign
log logging record logfile
user account person member
admin administrator superuser
right permission privilege access role
access permission reach
computer machine host server system
machine host server computer
network connection internet
address url host ip
website site page url
program application app software tool
app application program
package library module distribution
install installation setup deploy
upgrade update migrate migration
version release
old previous former earlier legacy outdated
new recent latest
copy duplicate clone replicate
backup archive snapshot dump
restore recover revert rollback
undo revert rollback reset
move migrate transfer relocate
rename name
name call title
called named name
kind type sort category
difference differ unlike whereas distinction contrast
like similar same
need require necessary must prerequisite requirement
required mandatory necessary must need
optional necessary required
recommend suggest advise prefer should advisable
better prefer recommend advantage
good benefit advantage
bad disadvantage drawback
long longest length
large largest maximum size
high highest maximum
low lowest minimum
readable meaningful
safe secure security
dangerous risk unsafe harmful insecure
encrypt encryption cipher
support compatible work available
work support function operate
happen occur result
cause lead result reason
mean indicate denote represent signify
read parse load
write save output
open access
close shut
connect attach link
disconnect detach
combine merge join together
split divide separate
share shared common
hide conceal omit suppress exclude
skip ignore omit exclude bypass
ignore skip exclude disregard
leave omit
replace substitute swap
empty blank null
example sample instance
command instruction
background daemon asynchronous
simultaneous concurrent parallel
parallel concurrent simultaneous
process worker thread
memory ram
disk storage filesystem
cpu processor core
environment env
number amount count
count number total
first initial
last final
automatic automatically
manual manually hand
shared common
own custom
count calculate compute
think consider
talk communicate
listen bind port
watch monitor observe
notify notification alert inform
tell inform specify notify
answer respond response reply
ask request query prompt
cost price fee charge
buy purchase
help assist support
explain describe
reach access
missing absent lack
finish complete done end
succeed success pass
order sequence sort
sort order
text string
letter character
line row
column field
table grid
test check
debug troubleshoot diagnose
trust verify certificate
clean remove
part section component piece
contain include hold
belong part
hand manual
look search find locate
find locate search discover detect
lose lost loss missing
grow increase
reduce decrease lower shrink
raise increase
increase raise grow higher
repository repo
phone telephone handset mobile extension
mobile phone handset smartphone
burn fire flame
settle agree decide
agree decide approve
dear expensive cost price
cheap price cost
expensive price cost
christmas xmas holiday december
gone missing vanished disappeared lost
thrown gone dropped discarded removed
holiday vacation leave absence
vacation holiday leave
sick illness ill absence
salary pay wage
pay payment salary wage
bill invoice
invoice bill
order purchase buy
purchase order procure procurement
customer client
client customer
supplier vendor provider
vendor supplier
boss manager lead head supervisor
colleague staff employee coworker
employee staff worker
staff employee personnel
worker employee staff
hire recruit recruitment
resign quit leave
car vehicle van
vehicle car van truck
truck lorry van vehicle
parcel package shipment
ship dispatch deliver shipment
delivery shipment dispatch
deadline due date
postpone delay move
delay postpone late
broken defect defective faulty damaged repair
repair fix mend maintenance
exchange swap replace replacement
swap exchange replace replacement
replace exchange
outage downtime incident failure
meeting minutes session
minutes meeting protocol
contract agreement
agreement contract
travel trip journey
trip travel journey
hotel accommodation
office room building
complaint claim
complain complaint
refund reimburse reimbursement repay
reimburse refund expense
expense cost reimbursement
training course lesson
course training
lend loan borrow
borrow lend loan
rent lease hire
warranty guarantee
guarantee warranty
insurance cover policy
injury accident hurt
accident incident injury
danger hazard risk
forbidden prohibit
handle process deal responsible owner
busy assign assignee work
goal target objective
aim goal target
budget money funds
money budget amount cost
earn salary revenue
profit margin revenue
stock inventory warehouse
warehouse store depot
shop store
arrive arrival came site reach
begin start commence
quit stop leave
launch release start
announce announcement publish
rule policy guideline regulation
guideline policy rule
duty shift rota
shift duty rota
newcomer beginner onboarding
trainee apprentice intern
apprentice trainee
doctor physician
illness sick disease
spare reserve replacement
reserve spare backup
key card badge
badge card
visitor guest
guest visitor
lunch break canteen
kitchen canteen
twice double
double twice duplicate
half halve
accept take allow approve
take accept
several more multiple
mistake error wrong
noise loud sound
leak water drip
crash failure down
reboot restart loop
sell sale sold
hear sound noise
wear clothes clothing
vote decide poll
pick choose collect
collect fetch pick
sew sewing stitch
finish ready done complete
ready finish done
leave depart departure
depart departure leave
late delay
early before
pentest penetration
secondary second standby reserve
primary first
stuck jam jammed block blocked
candle flame
wash laundry launder
perform play show performance
wind gust storm
overload overweight
abroad foreign country
taxi cab
bike bicycle
wifi wlan wireless
laptop notebook
screen monitor
toilet restroom
elevator lift
teacher instructor lecturer trainer
student pupil learner participant
class course lesson
exam examination
enrol register registration
cancel cancellation withdraw
interval break pause
gather assemble assembly muster
assembly gather muster
beamer projector
projector beamer
ship deploy release
deploy release ship rollout
rollout deploy release
fill seed populate load
populate fill seed
allowance pay payment
rubbish waste bin trash garbage
trash rubbish waste bin garbage
bin rubbish waste
heating heater boiler radiator
boiler heating heater
cupboard closet cabinet
cabinet cupboard
theft stolen steal
stolen theft steal
maternity parental pregnant
pregnant maternity parental
unwell sick ill
annual yearly
yearly annual
socket plug outlet
bathroom toilet
fridge refrigerator
email mail
queue backlog
stick stay
left lost forgotten missing mislaid
stolen theft robbed robbery burgled
dent dented damaged damage scratched
match agree tally
wrong mismatch discrepancy
ask request apply
book reserve booking reservation
medicine medication drug tablet pill
expired outdated overdue
"""


def _by_term(text: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for line in text.strip().splitlines():
        terms = [known[0] for known in words(line)]
        for term in terms:
            found.setdefault(term, {}).update(dict.fromkeys(other for other in terms if other != term))
    return {term: tuple(others) for term, others in found.items()}


_SAME = _by_term(SAME + SPELLINGS.replace("\n", "").replace("|", "\n"))


def same_as(term: str) -> tuple[str, ...]:
    """Terms of the index with which documents may say the same."""
    return _SAME.get(term, ())


def with_synonyms(carrying: Sequence[Word]) -> list[Word]:
    """The words of a question, each that has synonyms parted in two: what the word itself weighs, and what they weigh as well."""
    found: list[Word] = []
    for word in carrying:
        same = tuple(other for other in same_as(word.whole) if other not in word.others)
        if not same:
            found.append(word)
            continue
        found.append(replace(word, weight=word.weight * (1 - SHARE)))
        found.append(replace(word, weight=word.weight * SHARE, others=(*word.others, *same)))
    return found


def _same_as_all(said: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(other for term in said for other in same_as(term)))


def in_any_words(carrying: Sequence[Word]) -> list[Word]:
    """The words of a question, each with all that says the same."""
    return [replace(word, others=(*word.others, *_same_as_all((word.whole, *word.others)))) for word in carrying]


def for_unknown(carrying: Sequence[Word], unknown: Container[str]) -> list[Word]:
    """The words of a question, those that occur nowhere with their synonyms."""
    return [
        replace(word, others=(*word.others, *same))
        if word.whole in unknown and not word.parts and (same := _same_as_all((word.whole, *word.others)))
        else word
        for word in carrying
    ]
