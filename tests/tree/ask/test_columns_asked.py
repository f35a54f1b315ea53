"""Columns of registers asked for as people do: of one row, the greatest of all, on average, by age; and what is no such question."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following

FILES = {
    "registers/barges.csv": (
        "barge,built,length_m,usual_skipper,next_slipway_inspection,remarks\n"
        "Heron,1998,38,Ilse Brandvold,2027-04-12,\n"
        "Bittern,2011,24,Tomas Reyes,2028-02-10,\n"
        "Curlew,2021,52,pool,2027-09-30,crane on the foredeck\n"
    ),
    "registers/price-list.csv": (
        "code,item,unit,price_eur_incl_vat,valid_from\n"
        "A1,Hull survey,each,240.00,2026-01-01\n"
        "A2,Crane hour,per hour,95.00,2026-01-01\n"
        "A3,Berth for a night,night,31.00,2026-01-01\n"
        "A4,Sail repair,per hour,62.00,2026-01-01\n"
    ),
    "registers/licences.csv": (
        "tool,model,seats,used,eur_per_seat_year,renewal,contract_owner\n"
        "Chartroom,seat,25,24,140,2027-01-31,Maya Lindqvist\n"
        "Tidewatch,site,1,1,900,2026-12-15,Maya Lindqvist\n"
        "Logbook,seat,14,14,60,2027-03-01,Owen Pryce\n"
    ),
    "registers/kits.csv": (
        "asset,kind,shelf,hired\nK-01,kit,B2,\nK-02,kit,B2,Nadia Ferreira\nK-03,lamp,C1,\n"
    ),
    "registers/spares.csv": (
        "part_no,description,supplier,lead_time_days,unit_price_eur\n"
        "P-11,Bilge pump,Marlow,14,310.00\nP-12,Shaft seal,Marlow,42,85.00\nP-13,Impeller,Osten,21,40.00\n"
    ),
    "registers/hire_book_autumn_2026.csv": (
        "booking,customer,out,due_back,returned,deposit_eur\n"
        "B-26-101,Ada Holm,2026-09-04,2026-09-14,2026-09-14,50\n"
        "B-26-102,Per Lund,2026-09-10,2026-09-20,2026-09-24,80\n"
        "B-26-103,Ida Brink,2026-10-01,2020-10-10,,50\n"
        "B-26-104,Cy Orr,2026-10-05,2020-10-20,,80\n"
        "B-26-105,Jo Falk,2026-11-20,2099-01-10,,20\n"
    ),
    "registers/trucks_and_carts.csv": (
        "reg_plate;kind;store;first_reg;test until\n"
        "YK 204;panel van;North;14/03/2019;13/03/2099\nYK 311;flat trailer;South;02/09/2016;16/08/2020\n"
        "YK 318;box trailer;South;21/06/2021;20/06/2099\n"
    ),
    "it/machines.csv": (
        "name,environment,end_of_support,ram_gb,last_patched\n"
        "kelp,prod,2020-05-31,16,2026-11-01\nwrack,prod,2099-01-09,24,2026-11-02\n"
        "dulse,test,2019-04-30,8,2026-10-01\nlaver,dev,2099-04-30,8,2026-10-02\n"
    ),
    "it/incidents_2026.csv": (
        "ID,Start,End,Sev,Summary\nI-1,2026-01-09 09:50,2026-01-09 11:20,2,Gate stuck\n"
        "I-2,2026-03-05 07:55,2026-03-05 16:25,1,All screens dark\nI-3,2026-06-11 10:00,2026-06-11 10:30,1,No phones\n"
    ),
    "school/courses.csv": (
        "code,course,trainer,day,places,signed_up,room\n"
        "S1,Knots,Ilse Brandvold,Tue,12,12,Loft\nS2,Splicing,Tomas Reyes,Tue,10,4,Shed\n"
        "S3,Radio,Ilse Brandvold,Fri,8,8,Loft\nS4,Charts,Owen Pryce,Mon,8,7,Loft\n"
    ),
    "school/papers.csv": (
        "Name;Paper;Valid to\nIlse Brandvold;First aid;13.02.2099\nTomas Reyes;First aid;02.11.2020\n"
        "Owen Pryce;First aid;01.05.2099\nMaya Lindqvist;Crane;09.10.2020\n"
    ),
    "store/keys_and_badges.csv": (
        "no,kind,holder,dept,cost centre,fee_eur,state\n"
        "K-1,room key,Ilse Brandvold,IT,4410,5,in use\nK-2,master key,Owen Pryce,Yard,4420,9,in use\n"
        "B-1,badge,Maya Lindqvist,IT,4410,2,in use\nB-2,contractor badge,Tomas Reyes,IT,4430,3,sold 2026-05-01\n"
    ),
    "store/rooms.csv": (
        "room,seats,whiteboard,projector,deputy\n"
        "Oak,12,yes,yes,Owen Pryce\nElm,6,yes,no,Ilse Brandvold\nAsh,30,no,yes,Owen Pryce\n"
    ),
    "rota/yard-duty.csv": (
        "week,from,to,duty,backup,issued\n"
        "51,2026-12-14,2026-12-20,Ilse Brandvold,Owen Pryce,2026-11-02\n"
        "52,2026-12-21,2026-12-27,Tomas Reyes,Ilse Brandvold,2026-11-02\n"
        "53,2026-12-28,2027-01-03,Owen Pryce,Tomas Reyes,2026-11-02\n"
    ),
    "rota/gate-december.csv": (
        "date,day,day_gate,night_gate,notes\n"
        "2026-12-24,Thu,Maya Lindqvist,Tomas Reyes,\n"
        "2026-12-25,Fri,Owen Pryce,Ilse Brandvold,double pay\n"
        "2026-12-26,Sat,Maya Lindqvist,Owen Pryce,double pay\n"
        "2026-12-31,Thu,Ilse Brandvold,Tomas Reyes,\n"
    ),
    "minutes/2026-11-09.md": (
        "# Yard meeting, 9 November 2026\n\n"
        "- The berth for a night goes up to €34.00 from 1 January.\n"
        "- Decision: B-26-103 is extended to 5 December, at no extra fee.\n"
        "- The Heron leaves at 04:45, so the night shift fills her tank.\n"
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def yard(tmp_path_factory: pytest.TempPathFactory):
    following = Following(tmp_path_factory.mktemp("yard"))
    for name, text in FILES.items():
        following.write(name, text)
    following.sync()
    yield following
    following.workspace.close()


@pytest.mark.parametrize(
    ("question", "told"),
    [
        # of one row
        ("who usually skippers the Bittern?", "**Tomas Reyes**"),
        ("what does Ilse Brandvold skipper?", "**Heron**"),
        ("what is the price of a hull survey?", "**240.00**"),
        ("how much is a crane hour?", "**95.00**"),
        ("price of sail repair", "**62.00**"),
        ("how long is the Heron?", "**38**"),
        ("when is the inspection of the Bittern due?", "**10 February 2028**"),
        ("how many seats of Logbook do we have?", "**14** seats"),
        ("how many seats does Chartroom have?", "**25** seats"),
        ("where is K-03?", "**C1**, shelf"),
        ("lead time of the shaft seal", "**42**"),
        # the greatest, the oldest
        ("which barge is the oldest?", "**Heron** (oldest): 1998, of 3 barges"),
        ("newest barge?", "**Curlew** (newest): 2021, of 3 barges"),
        ("longest barge", "**Curlew** (longest, by length\\_m): 52"),
        ("most expensive part", "**P\\-11 Bilge pump** (most unit\\_price\\_eur): 310.00"),
        ("what is the longest lead time?", "**P\\-12 Shaft seal** (longest lead\\_time\\_days): 42"),
        # by age
        ("how many barges are older than 2015?", "**2 of 3 barges"),
        ("which barges were built after 2010?", "**2 of 3 barges"),
        ("which barges were built before 2000?", "**1 of 3 barges"),
        # added up and on average
        ("what is the average price on the price list?", "**107** on average, price\\_eur\\_incl\\_vat of all 4"),
        ("what is the average length of the barges?", "**38** on average"),
        ("average unit price", "**145** on average, unit\\_price\\_eur of all 3"),
        ("which parts are from Marlow?", "**2 of 3 parts"),
        # days: over, late, to come, written with strokes
        ("which bookings were brought back after the due date?", "**1 of 5 bookings"),
        ("which hires were returned late?", "**1 of 5 hires"),
        ("which carts were first registered after 2018?", "**2 of 3 carts"),
        ("oldest trailer", "**YK 311** (kind box trailer or flat trailer, oldest): 2 September 2016"),
        ("which production machines are already past their end of support?", "**1 of 4 machines"),
        ("machines whose end of support has passed", "**2 of 4 machines"),
        ("bookings due back between now and the end of January 2099", "**1 of 5 bookings"),
        ("average RAM of the machines", "**14** on average"),
        ("how many sev 1 incidents?", "**2 of 3 incidents"),
        ("which courses are on tuesdays?", "**2 of 4 courses"),
        ("tuesday courses in the loft", "**1 of 4 courses"),
        ("what courses does Ilse Brandvold give on fridays?", "**1 of 4 courses"),
        ("which courses are fully booked?", "**2 of 4 courses"),
        ("which courses are not full?", "**2 of 4 courses"),
        ("whose papers have expired?", "**2 of 4 papers"),
        ("how many have a first aid paper that is still valid?", "**2 of 4 papers"),
        ("how many keys does IT have?", "**1 of 4 keys"),
        ("which rooms have a whiteboard and a projector?", "**1 of 3 rooms"),
        ("how many seats do all rooms have in total?", "**48** in all"),
        ("which room is Ilse Brandvold deputy for?", "**Elm**"),
        # days of feasts
        ("who is on the gate on Christmas day?", "day\\_gate: Owen Pryce · night\\_gate: Ilse Brandvold"),
        ("who is on the night gate on boxing day?", "**night\\_gate: Owen Pryce"),
        ("who is on the night gate on new year's eve?", "**night\\_gate: Tomas Reyes"),
        ("who is on yard duty at christmas?", "duty: Tomas Reyes"),
    ],
)  # fmt: skip
def test_what_a_column_says_is_answered(yard: Following, question: str, told: str) -> None:
    answer = yard.ask(question)
    assert told in answer.text.partition("\n\n|")[0], answer.text
    assert answer.verdict == "complete"


def test_a_count_over_something_that_was_sold_is_told_with_it_and_not_called_answered(yard: Following) -> None:
    answer = yard.ask("how many badges does IT have?")
    assert answer.text.startswith("**2 of 4 badges") and "*Of these B\\-2: sold" in answer.text
    assert answer.verdict == "partial"


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("what is the price of a berth for a night?", "The berth for a night goes up to €34.00"),  # said later, of the same
        ("how many kits do we have?", "3 kits"),  # or two, and a lamp
        ("Which hires are overdue today?", "Said later of some of them:\n\n- Decision: B\\-26\\-103 is extended"),
    ],
)
def test_what_is_in_doubt_is_not_called_answered(yard: Following, question: str, told: str) -> None:
    answer = yard.ask(question)
    assert told in answer.text and answer.verdict == "partial"


@pytest.mark.parametrize(
    ("question", "wrong"),
    [
        ("what is the price of a mast?", "240"),
        ("what is the value of the spares?", "3 rows"),
        ("which seats are heaviest?", "seat"),
        ("how many Logbook seats are left over?", "14"),
        ("who skippers the Curlew?", "Brandvold"),
        ("who hired K-01?", "Ferreira"),
        ("how long is the meeting?", "38"),
        ("average speed of the barges", "38"),
        ("which licences need renewal?", "3 licences"),
        ("which tools are out of renewal?", "3"),
        ("which barges need an inspection?", "barge"),
        ("which site licences need renewal?", "2026"),
        ("what does B-1 cost?", "4410"),
        ("which dept has the most badges?", "with 1"),
        ("where is the contractor badge of Tomas Reyes?", "Yard"),
        ("what is the oldest machine in the shed?", "machine"),
        ("what is the status of the Heron?", "Heron"),
    ],
)
def test_what_no_column_says_is_not_called_answered(yard: Following, question: str, wrong: str) -> None:
    answer = yard.ask(question)
    assert answer.verdict != "complete" or wrong not in answer.text, answer.text
