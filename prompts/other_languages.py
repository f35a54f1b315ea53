"""Questions in German and French: what they ask for, and the words by which they are put rather than what they are about.

The index knows no language: its terms are those of `prompts.language` for every text. Only the question is read here.
"""

# ruff: noqa: SIM905 - long lists of words are read as text

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache, partial
from typing import Literal

import Stemmer

from prompts.language import STOPWORDS
from prompts.regex import regex

Kind = Literal["how_to", "definition", "who", "when", "where", "count", "yes_no", "why", "list", "open"]


@dataclass(frozen=True, slots=True)
class QuestionLanguage:
    """`words` as they are compared: small letters without accents."""

    opening: frozenset[str]  # a question that begins with one of these is of this language
    words: frozenset[str]
    kinds: tuple[tuple[Kind, re.Pattern[str]], ...]
    definition: re.Pattern[str]
    english: dict[str, str]  # words by which is asked, and words of tickets, in English; of two words before of one
    things: dict[str, str]  # words of offices and of software, and those with which an English text says the same


def _dictionary(text: str) -> dict[str, str]:
    return {said: english for line in text.split(",") for said, english in [(part.strip() for part in line.split("="))]}


def _patterns(*found: tuple[Kind, str]) -> tuple[tuple[Kind, re.Pattern[str]], ...]:
    return tuple((kind, re.compile(pattern)) for kind, pattern in found)


GERMAN = QuestionLanguage(
    frozenset(
        "wer wen wem wessen wann wo wohin woher warum weshalb wieso wozu wie wieviel wieviele welche welcher welches welchen welchem worin womit".split()
    ),
    frozenset(
        """wer wen wem wessen wann wo wohin woher warum weshalb wieso wozu wie wieviel wieviele viel viele welche welcher welches welchen
        welchem was worin womit der die das den dem des ein eine einen einem einer eines und oder aber auch ist sind war waren wird werden
        wurde wurden hat haben hatte hatten kann konnen koennen darf durfen soll sollen muss mussen muessen will wollen ich du er sie es wir ihr man uns unser
        unsere unserem unseren unserer mein meine meinen dein deine sein seine in im an am auf aus bei beim mit nach von vom vor zu zum zur fur fuer um
        uber ueber unter durch gegen ohne nicht kein keine keinen nur noch schon jetzt heute es gibt bitte denn dann dort hier als wenn dass
        ob bis seit wahrend lange oft hoch gross teuer weit genau eigentlich gerade aktuell bedeutet heisst tun mache machen mich mir sich dieser diese dieses""".split()
    ),
    _patterns(
        ("count", r"\b(?:wie ?(?:viele?|oft|lange|hoch|gross|teuer|weit|alt|schnell)|was kostet|was kosten)\b"),
        (
            "how_to",
            r"\bwie (?:\w+ ){0,2}?(?:ich|wir|man)\b|\bwas (?:muss|soll|sollen|mussen|tun|mache) (?:ich|wir|man)\b|\bwas tun\b",
        ),
        ("when", r"^(?:\w+ ){0,2}?wann\b|\ban welchem (?:tag|datum)\b|\bin welchem (?:jahr|monat)\b"),
        ("who", r"^(?:\w+ ){0,2}?(?:wer|wen|wem|wessen)\b"),
        ("where", r"^(?:\w+ ){0,2}?(?:wo|wohin|woher)\b"),
        ("why", r"^(?:\w+ ){0,2}?(?:warum|weshalb|wieso|wozu)\b"),
        ("yes_no", r"^(?:ist|sind|war|hat|haben|kann|darf|muss|soll|wird|gibt)\b"),
    ),
    regex(r"^was (?:ist|sind|bedeutet|heisst) (?P<subject>.{2,80}?)[?.!\s]*$", re.IGNORECASE),
    _dictionary(
        """wie viele=how many, wie viel=how much, wie hoch=how high, wie lang=how long, wie lange=how long, wie oft=how often, wer=who, wen=whom,
        wem=whom, wessen=whose, was=what, wann=when, wo=where, welche=which, welcher=which, welches=which, welchen=which, welchem=which, ist=is,
        sind=are, war=was, waren=were, wurde=was, wurden=were, hat=has, haben=have, gibt es=are there, der=the, die=the, das=the, den=the, dem=the,
        des=the, ein=a, eine=a, einen=a, einer=a, und=and, oder=or, nicht=not, kein=no, keine=no, keinen=no, ohne=without, von=of, vom=of the, fur=for,
        im=in the, am=on, zu=to, zum=to the, zur=to the, mit=with, seit=since, vor=before, nach=after, leitet=leads, leiten=lead, gehort=owns,
        besitzt=owns, verantwortlich=responsible, zustandig=responsible, arbeitet=works, zugewiesen=assigned, offen=open, offene=open, offenen=open,
        erledigt=done, geschlossen=closed, geschlossene=closed, fallig=due, uberfallig=overdue, blockiert=blocked, fehler=bugs, aufgaben=tasks,
        prioritat=priority, kostet=cost, kosten=cost, liste=list, zeige=show, alle=all, dateien=files, dokumente=documents, datei=file,
        dokument=document, dokumenten=documents, erwahnen=mention, erwahnt=mentions, steht etwas=say something, steht was=say something, uber=about, pro=per,
        heute=today, morgen=tomorrow, gestern=yesterday, jetzt=now, diese woche=this week, dieser woche=this week, nachste woche=next week,
        nachster woche=next week, letzte woche=last week, letzter woche=last week, diesen monat=this month, nachsten monat=next month,
        in bereitschaft=on call, in rufbereitschaft=on call, bereitschaft=on call, rufbereitschaft=on call, notdienst=on call, januar=january, februar=february,
        marz=march, mai=may, juni=june, juli=july, oktober=october, dezember=december"""
    ),
    _dictionary(
        """abgelehnt=rejected, abrechnung=billing invoice, abteilung=department team, adresse=address, anfrage=request, anleitung=instructions guide,
        anmelden=register book sign login, anmeldung=registration booking login, arbeiten=work, arbeitet=work assignee, arzt=doctor, aufgabe=task,
        ausfall=outage failure, ausgaben=expenses, batterie=battery, bauen=build, bedeutet=means, bekommen=get receive, benutzer=user,
        bericht=report, besprechung=meeting, bestellen=order, bestellung=order, bezahlen=pay, buchung=booking, budget=budget, computer=computer,
        dauer=duration, dauert=takes, drucken=print, drucker=printer, einkauf=purchase, einrichten=set up configure, ende=end, endet=ends,
        entscheidung=decision, entschieden=decided, ersetzen=replace, fahrzeug=vehicle, fenster=window, feuer=fire, feuerwehr=fire brigade,
        firma=company, frist=deadline, funktioniert=works, gehalt=salary, geld=money, gerat=device, gerate=devices, geschwindigkeit=speed,
        gesellschaft=company, gewicht=weight, grund=reason, gultig=valid, halle=hall, handy=phone, haus=house, hersteller=manufacturer,
        hohe=height amount, installieren=install, jahr=year, karte=card, kasse=cash, kennwort=password, konto=account, kosten=costs price,
        kostet=costs price, krank=sick, kunde=customer, kunden=customers, kundigen=terminate, kurs=course training, lager=warehouse stock,
        leiter=lead head, leitung=lead, lieferant=supplier, lieferanten=suppliers, lieferung=delivery, lieferzeit=delivery lead time,
        losen=solve resolve, loschen=delete, menge=quantity, messung=measurement, miete=rent, mitarbeiter=employee staff, mobil=mobile,
        monat=month, neustart=restart, nutzer=user, ort=place location, passwort=password, person=person, pflicht=mandatory, preis=price,
        preise=prices, problem=problem issue, prufen=check, prufung=check audit, rabatt=discount, raum=room, rechner=computer, rechnung=invoice,
        regel=rule, regeln=rules, reise=travel, reparatur=repair, risiko=risk, risiken=risks, schicht=shift, schlussel=key,
        schulung=training, schule=school, server=server, sicherheit=security safety, sicherung=backup, spat=late, speicher=memory storage,
        sprache=language, stadt=town city, standort=site location, storung=incident outage, strasse=street, strom=power electricity,
        tag=day, tage=days, technik=technology, telefon=telephone phone, telefonnummer=telephone number, termin=date appointment,
        teuer=expensive, treffen=meeting, uhrzeit=time, umfrage=survey, umsatz=revenue, unfall=accident, unterschied=difference,
        urlaub=vacation leave holiday, ursache=cause, verbindung=connection, verkauf=sales, versand=shipping, verschoben=moved postponed,
        versicherung=insurance, vertrag=contract, vertrage=contracts, vertreter=deputy, verwenden=use, vorgesetzter=manager, wagen=vehicle car,
        warten=wait, wartung=maintenance, wechseln=change replace, werkzeug=tool, wert=value, woche=week, wochenende=weekend, zahl=number,
        zahlen=pay, zeit=time, zeitplan=schedule, ziel=goal, zimmer=room, zugang=access, zuruck=back, zustandig=responsible,
        abend=evening, anlage=system plant, ankunft=arrival, ankommen=arrive, annahme=acceptance, antrag=request application, antwort=answer reply,
        aufzug=lift elevator, ausgeben=spend, auto=car, bank=bank, bild=picture image, bestatigen=confirm, besucher=visitor,
        beginn=start beginning, beginnen=start begin, bezahlt=paid, boden=floor ground, brand=fire, brief=letter, buch=book,
        buchen=book, buro=office, chef=head manager boss, dach=roof, datum=date, decke=ceiling blanket, dienst=duty shift service,
        drucken=print, eingang=entrance receipt, einladung=invitation, eintritt=admission entry, entscheiden=decide, ergebnis=result,
        erlaubt=allowed, erreichen=reach, erstattung=refund reimbursement, ersatz=replacement spare, fahren=drive, farbe=colour paint,
        fehlen=missing, fehlt=missing, feier=party celebration, fertig=finished done ready, flur=corridor, freigabe=approval release,
        frei=free available, geburtstag=birthday, gebaude=building, gefahr=danger hazard, gehen=go, gesperrt=blocked closed,
        gerust=scaffold, genehmigung=permit approval, gewinn=profit, glas=glass, gruppe=group, hafen=port harbour, haftung=liability,
        heizung=heating, hilfe=help, holz=wood, kabel=cable, kafer=beetle, kaffee=coffee, kalender=calendar, kauf=purchase, kaufen=buy,
        kaputt=broken, keller=cellar basement, kind=child, klein=small, kollege=colleague, kostum=costume, kuche=kitchen, kundigung=notice termination,
        kummert=responsible owner assignee care, laden=load charge, lampe=lamp light, langsam=slow, leer=empty, leihen=borrow hire lend,
        licht=light, liefern=deliver, liste=list, lohn=wage pay, maschine=machine, meldung=message report, messen=measure, mangel=defect shortage,
        musik=music, nacht=night, notfall=emergency, nummer=number, offnen=open, ofen=oven furnace, papier=paper, parken=park, parkplatz=parking,
        pause=break, pflege=care maintenance, plan=plan schedule, platz=place seat, post=mail post, probe=rehearsal sample, programm=programme program,
        protokoll=minutes log, qualitat=quality, quittung=receipt, rauch=smoke, recht=right, reinigung=cleaning, richtlinie=policy guideline,
        sagen=say, schaden=damage, schein=certificate, schild=sign, schliessen=close, schnell=fast, schrank=cabinet cupboard, schulden=debt,
        schutz=protection, sitzung=meeting, sommer=summer, spende=donation, spiel=play game, stelle=place position, steuer=tax, stoff=fabric material,
        stuck=piece, strafe=penalty fine, stunde=hour, stunden=hours, tausch=exchange swap, tauschen=swap exchange, tausche=swap exchange,
        teil=part, teilnehmer=participant, temperatur=temperature, test=test, tisch=table, tor=gate, treppe=stairs, tur=door,
        ubergabe=handover, uberstunden=overtime, umzug=move, verantwortung=responsibility, verein=club association, verkaufen=sell, verkauft=sold,
        verlangern=extend, verloren=lost, verspatet=late delayed, verspatung=delay late, vertretung=deputy cover, verboten=forbidden prohibited,
        vorrat=stock supply, vorschlag=proposal, vorschrift=rule regulation, vorstellung=performance show, waage=scale, wahlen=choose, wand=wall, ware=goods,
        wasser=water, weg=way path, weihnachten=christmas, werkstatt=workshop, wetter=weather, wind=wind, winter=winter, wohnung=flat apartment,
        zeichnung=drawing, zeitung=newspaper, zelt=tent, zimmer=room, zug=train, zuschuss=grant subsidy,
        angebot=offer quote, ansprechpartner=contact, anzahlung=deposit, aufbewahrung=retention, auftrag=order job, auftrage=orders jobs, auskunft=information,
        ausweis=badge card, beauftragte=officer, beschwerde=complaint, beschwerden=complaints, bestand=stock inventory,
        betrieb=operation company, datenschutz=data protection privacy, diebstahl=theft, einkaufer=buyer, ersatzteil=spare part, ersatzteile=spare parts, fahrer=driver,
        gebuhr=fee charge, gebuhren=fees charges, grosse=size, inventar=inventory, kantine=canteen, lieferschein=delivery note, mahnung=reminder, messe=fair,
        mitglied=member, mitglieder=members, offnungszeiten=opening hours, produkt=product, produkte=products, reklamation=complaint, reklamationen=complaints,
        rucksendung=return, schliesst=closes, sitz=seat, stuhl=chair, uberweisung=transfer payment, verleih=hire rental, vermietung=rental,
        verzeichnis=directory register, zubehor=accessories, zustand=condition state,
        bereitschaft=on call standby, rufbereitschaft=on call standby, kundigungsfrist=notice period, laufzeit=term duration"""
    ),
)
FRENCH = QuestionLanguage(
    frozenset("qui quand ou pourquoi comment combien quel quelle quels quelles lequel laquelle".split()),
    frozenset(
        """qui quand ou pourquoi comment combien quel quelle quels quelles lequel laquelle que quoi le la les un une des du de et est sont
        etait etaient ete a ont avait peut peuvent doit doivent je tu il elle nous vous ils elles on notre nos votre vos mon ma mes son sa
        ses leur leurs dans en au aux par pour avec sans sur sous vers chez ce cet cette ces ne pas plus y se sa si faut fait faire il est-ce
        faut-il temps fois cout coute coutent signifie dire veut maintenant actuellement aujourd hui""".split()
    ),
    _patterns(
        ("count", r"\bcombien\b|\bquel(?:le)? est (?:le|la) (?:prix|cout|nombre|duree|montant)\b"),
        ("how_to", r"\bcomment (?:\w+ ){0,2}?(?:je|on|nous|faire|\w+er|\w+ir|\w+re)\b|\bque (?:dois|faut|doit)\b"),
        ("when", r"^(?:\w+ ){0,2}?quand\b|\ba quelle (?:date|heure)\b"),
        ("who", r"^(?:\w+ ){0,2}?qui\b"),
        ("where", r"^ou\b"),
        ("why", r"^(?:\w+ ){0,2}?pourquoi\b"),
    ),
    regex(
        r"^(?:qu['’]est-ce qu(?:e|['’](?=un))|que (?:signifie|veut dire)|c['’]est quoi) ?(?:c['’]est |est )?(?P<subject>.{2,80}?)[?.!\s]*$",
        re.IGNORECASE,
    ),
    _dictionary(
        """combien de=how many, qui=who, quand=when, ou=where, quel=which, quelle=which, quels=which, quelles=which, est=is, sont=are, etait=was,
        a=has, ont=have, le=the, la=the, les=the, un=a, une=a, de=of, du=of the, des=of the, dans=in, pour=for, avec=with, sans=without, et=and,
        pas=not, depuis=since, avant=before, apres=after, dirige=leads, responsable=responsible, assigne=assigned, ouvert=open, ouverts=open,
        ouverte=open, ouvertes=open, ferme=closed, fermes=closed, fermees=closed, termine=done, termines=done, bloque=blocked, bloques=blocked,
        bogues=bugs, taches=tasks, priorite=priority, coute=cost, tous=all, toutes=all, liste=list, montre=show, fichiers=files,
        documents=documents, mentionnent=mention, parlent de=mention,
        aujourd'hui=today, demain=tomorrow, hier=yesterday, maintenant=now, cette semaine=this week, semaine prochaine=next week,
        semaine derniere=last week, ce mois=this month, d'astreinte=on call, astreinte=on call, janvier=january, fevrier=february, mars=march,
        avril=april, mai=may, juin=june, juillet=july, aout=august, septembre=september, octobre=october, novembre=november, decembre=december"""
    ),
    _dictionary(
        """accident=accident, acheter=buy, adresse=address, annee=year, arrive=arrived, arrivent=arrive, arrives=arrived, arreter=stop,
        assurance=insurance, attendre=wait, batterie=battery, besoin=need, budget=budget, bureau=office, camion=truck, carte=card, cause=cause,
        changer=change replace, chef=head lead, cle=key, client=customer, clients=customers, commande=order, commander=order, compte=account,
        conges=vacation leave, contrat=contract, cours=course training, cout=cost price, decide=decided, decision=decision, delai=delay lead time,
        demander=request ask, depense=expense, difference=difference, duree=duration, employe=employee, entreprise=company, equipe=team,
        erreur=error, expliquer=explain, feu=fire, fin=end, finit=ends, formation=training course, fournisseur=supplier,
        fournisseurs=suppliers, garantie=warranty, heure=time hour, heures=hours, imprimante=printer, imprimantes=printers, incendie=fire,
        installer=install, jour=day, jours=days, lieu=place location, livraison=delivery, logiciel=software, loyer=rent, machine=machine,
        maison=house, malade=sick, mobile=mobile, mobiles=mobile, mois=month, nombre=number, nouveau=new, outil=tool,
        panne=outage failure, payer=pay, personne=person, poids=weight, pompiers=fire brigade, pris=taken chosen, prix=price,
        probleme=problem issue, raison=reason, regle=rule, regles=rules, remplacer=replace, rendez-vous=appointment, reparation=repair,
        reparer=repair, reunion=meeting, risque=risk, risques=risks, salaire=salary, salle=room, sauvegarde=backup, securite=security safety,
        semaine=week, serveur=server, site=site, stock=stock warehouse, supprimer=delete, telephone=telephone phone, temps=time,
        utilisateur=user, utiliser=use, valable=valid, vehicule=vehicle, vente=sales, ville=town city, voiture=car vehicle, voyage=travel,
        accueil=reception, achat=purchase, affiche=poster, aide=help, alarme=alarm, amende=fine penalty, annuler=cancel, appareil=device, appeler=call,
        appel=call, argent=money, arret=stop outage, attente=wait, avion=plane, bateau=boat, batiment=building, billet=ticket, billets=tickets, boite=box,
        bruit=noise, cable=cable, caisse=cash box, capteur=sensor, chambre=room, chaud=hot, chauffage=heating, choisi=chosen chose, choisir=choose, clef=key,
        code=code, colis=parcel, collegue=colleague, commence=starts begins, commencer=start begin, conseil=board council advice, couleur=colour, cuisine=kitchen,
        date=date, debut=start beginning, defaut=defect fault, demande=request, demenagement=move, dernier=last, derniere=last, dossier=folder file, eau=water,
        echange=exchange swap, ecole=school, ecran=screen, embauche=hire recruitment, enfant=child, envoyer=send, escalier=stairs, essai=test trial, etage=floor,
        facture=invoice bill, fenetre=window, fermer=close, fete=party, feuille=sheet leaf, fichier=file, froid=cold, fuite=leak, gagner=win earn, gaz=gas,
        grue=crane, horaire=schedule timetable hours, hiver=winter, impression=printing, imprimer=print, inscription=registration, inscrire=register sign,
        interdit=forbidden prohibited, lampe=lamp light, lent=slow, lettre=letter, lit=bed, livre=book, livrer=deliver, lumiere=light, magasin=shop store, matin=morning,
        mesure=measure measurement, mesurer=measure, meteo=weather, mot de passe=password, navire=ship, noel=christmas, nuit=night, numero=number, ouvre=opens, ouvrir=open,
        papier=paper, perdu=lost, permis=permit licence, piece=part room, plafond=ceiling, plan=plan, pluie=rain, police=police policy, pont=bridge deck,
        porte=door gate, poste=position post, prendre=take, prime=bonus, prochain=next, proces-verbal=minutes, qualite=quality, quai=quay dock platform, reception=reception,
        refuse=refused rejected, rembourser=refund reimburse, remboursement=refund, remplace=replaced replacement, repas=meal, repondre=answer, reponse=answer, reseau=network, reserve=reserve stock, retard=delay late,
        retour=return, reussi=succeeded passed, rue=street, sortie=exit release, stage=internship course, tache=task, tarif=price rate fare, taxe=tax, toit=roof,
        travail=work, travaille=works, travaux=works, tribunal=court, usine=factory plant, vacances=vacation holiday leave, valeur=value, vendre=sell, vendu=sold, vendus=sold, vent=wind,
        vitesse=speed, vol=theft flight, volontaire=volunteer, astreinte=on call standby, preavis=notice period"""
    ),
)
_ELIDED = regex(r"^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu)['’](?=\w)", re.IGNORECASE)
_JOINTS = ("", "s", "es", "n", "en", "e")
_SEPARABLE = frozenset("an ab auf aus ein vor zu mit nach um weg zurück".split())
_VERB_END = regex(r"(?:est|et|en|st|e|t)\Z")
_WORD = regex(r"[^\W\d_]+")
_DAY_OF_MONTH = regex(
    r"\b(\d{1,2})\. (?=(?:january|february|march|april|may|june|july|august|september|october|november|december)\b)"
)
_KEY = regex(r"\b[A-Z][A-Z0-9]+-\d+\b")  # of a ticket: it has no language
_RUN = regex(r"[^\s,;:!?¿\"“”„()]+")
_ARTICLE = regex(r"^(?:(?:der|die|das|eine?|le|la|les|une?)\s+|l['’]\s*)", re.IGNORECASE)
# English words that are spelt like one of these; a text of only them is English.
_ENGLISH_TOO = frozenset("die war will in an am was den man on a son sale plus on pas fait hat es ou comment".split())
FEWEST = 2  # words of a language besides the one that a question begins with


def language_of(text: str) -> QuestionLanguage | None:
    """The language of a question, where it is one of these."""
    said = _WORD.findall(folded(_KEY.sub(" ", text)))
    for language in (GERMAN, FRENCH):
        own = sum(word not in _ENGLISH_TOO and (word in language.words or word in language.english) for word in said)
        english = sum(word in STOPWORDS and word not in language.words for word in said)
        opens = own > 0 and (
            said[0] in language.opening or (said[0] in language.words and said[0] in STOPWORDS)
        )  # "was kostet …"
        if own > english and (own >= FEWEST or opens):
            return language
    return None


def bare(word: str, language: QuestionLanguage) -> str:
    """A word without what is elided before it: "n'a" is "a"."""
    return _ELIDED.sub("", word) if language is FRENCH else word


def said_in_english(word: str, language: QuestionLanguage) -> str:
    """The words with which an English text may say the same, of a word in any of its forms and of one that German makes of two;
    empty where that is not known."""
    low = folded(word)
    found = language.things.get(low) or language.english.get(low)
    if found or len(low) < LEAST_INFLECTED:
        return found or ""
    by_stem = _by_stem(id(language))
    if (found := by_stem.get(_stem(low, id(language)))) or language is not GERMAN:
        return found or ""
    return _of_two(low, by_stem)


@cache
def _by_stem(language: int) -> dict[str, str]:
    things = (GERMAN if language == id(GERMAN) else FRENCH).things
    found: dict[str, str] = {}
    for said, english in things.items():
        found.setdefault(_stem(said, language), english)
    return found


def _stem(low: str, language: int) -> str:
    """Twice, as a stemmer takes one ending at a time: "Kurs" loses its "s" as "Kurse" does once it has lost its "e"."""
    return str(_STEMMERS[language].stemWord(_STEMMERS[language].stemWord(low)))


def is_of_two(word: str, language: QuestionLanguage) -> bool:
    """Whether what it says in English is what both parts of a compound say, and neither of them alone."""
    low = folded(word)
    known = low in language.things or low in language.english or _stem(low, id(language)) in _by_stem(id(language))
    return language is GERMAN and len(low) >= LEAST_INFLECTED and not known and bool(_of_two(low, _by_stem(id(GERMAN))))


def _of_two(low: str, by_stem: dict[str, str]) -> str:
    """What both parts of a compound say, "Schichtplan", with or without the letters that join them."""
    for at in range(LEAST_INFLECTED, len(low) - LEAST_INFLECTED + 1) if len(low) <= LONGEST_COMPOUND else ():
        last = by_stem.get(_stem(low[at:], id(GERMAN)))
        firsts = (_stem(low[: at - len(joint)], id(GERMAN)) for joint in _JOINTS if low[:at].endswith(joint))
        first = next((by_stem[one] for one in firsts if one in by_stem), "") if last else ""
        if first:
            return f"{first} {last}"
    return ""


def kind_of(text: str, language: QuestionLanguage) -> Kind:
    low = folded(" ".join(text.split()))
    return next((kind for kind, pattern in language.kinds if pattern.search(low)), "open")


def defined(text: str, language: QuestionLanguage) -> str:
    """What a definition is asked of; empty where the question asks for none."""
    match = language.definition.match(" ".join(text.split()).replace("ß", "ss"))
    return _ARTICLE.sub("", match["subject"]) if match and len(match["subject"].split()) <= 6 else ""


_STEMMERS = {id(language): Stemmer.Stemmer(name) for language, name in ((GERMAN, "german"), (FRENCH, "french"))}
_ENDINGS = {
    id(GERMAN): ("", "e", "n", "en", "er", "ern", "es", "s", "nen", "t", "te", "ten"),
    id(FRENCH): ("", "e", "s", "es", "x", "er", "é", "ée", "és", "ées"),
}
LEAST_INFLECTED = 4  # letters of a word that has other forms
LONGEST_COMPOUND = 60  # letters of a word of two


def inflections(word: str, language: QuestionLanguage) -> tuple[str, ...]:
    """The forms in which a text may have a word of a question: what its stem (Snowball) leaves of it, with each ending."""
    low = word.casefold()
    if len(low) < LEAST_INFLECTED or not low.isalpha():
        return ()
    kept = low[: max(LEAST_INFLECTED - 1, len(_STEMMERS[id(language)].stemWord(low)))]  # a stem is a word without its end
    return tuple(form for ending in _ENDINGS[id(language)] if (form := kept + ending) != low)


def german_forms(word: str, last: str) -> tuple[str, ...]:
    """Other forms of a German word in a question: "leitet" is also "geleitet", and "melde" before a last "an" "anmelden"."""
    low = word.casefold()
    forms = ["ge" + low] if low.endswith("t") else []
    if last.casefold() in _SEPARABLE and (stem := _VERB_END.sub("", low)) != low:
        forms.append(f"{last.casefold()}{stem}en")
    return tuple(forms)


def in_english(text: str) -> str:
    """A question with the words by which it is put in English, and all others as they are; as it stands where it is in English."""
    if (language := language_of(text)) is None:
        return text
    said = [(match.group(), folded(match.group())) for match in _RUN.finditer(text)]
    put: list[str] = []
    at = 0
    while at < len(said):
        pair = language.english.get(" ".join(low for _, low in said[at : at + 2])) if at + 1 < len(said) else None
        put.append(pair or language.english.get(said[at][1], said[at][0]))
        at += 2 if pair else 1
    return _DAY_OF_MONTH.sub(r"\1 ", " ".join(put))


def wholly_in_english(text: str) -> tuple[str, ...]:
    """The same with what it is about in English too, as far as that is known: once with all words that say it, which may be a name
    of two ("notice period"), and once with the first of them. Nothing for a question in English."""
    if (language := language_of(text)) is None:
        return ()
    said = in_english(text)
    ways = (_RUN.sub(partial(_thing_in_english, language, most), said) for most in (None, 1))
    return tuple(dict.fromkeys(way for way in ways if way != said))


def _thing_in_english(language: QuestionLanguage, most: int | None, match: re.Match[str]) -> str:
    """With so many of the words that say the same; those of a compound are one name."""
    word = match.group()
    if (low := folded(word)) in STOPWORDS or low in language.english.values():
        return word
    said = said_in_english(word, language).split()
    return " ".join(said if is_of_two(word, language) else said[:most]) or word


def folded(text: str) -> str:
    """In small letters, without accents."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in plain if not unicodedata.combining(char))
