import type { Words } from './words.ts';

export const nl: Words = {
  group: '.',
  decimal: ',',
  theCompany: 'De onderneming',
  contents: 'Inhoud',
  page: 'Pagina',
  fictional: 'Verzonnen onderneming. Gemaakt ter demonstratie.',
  fiscalYear: 'Boekjaar {label}: {start} tot en met {end}',
  revised: 'Herziene uitgave {n}',
  emissions: {
    caption: 'Uitstoot van broeikasgassen, ton CO2-equivalent',
    scope1: 'Scope 1: directe uitstoot',
    scope2Location: 'Scope 2: locatiegebaseerd',
    scope2Market: 'Scope 2: marktgebaseerd',
    scope3: 'Scope 3: waardeketen',
    total: 'Totaal (marktgebaseerd)',
    change: 'Verschil',
    chart: 'Scope 1 en 2 (marktgebaseerd), duizend ton CO2-equivalent',
  },
  resources: {
    caption: 'Energie en water',
    energy: 'Energieverbruik (GWh)',
    renewable: 'Hernieuwbare elektriciteit (%)',
    water: 'Wateronttrekking (duizend m³)',
  },
  figures: {
    caption: 'Kerncijfers',
    revenue: 'Omzet ({currency} miljoen)',
    result: 'Bedrijfsresultaat ({currency} miljoen)',
    employees: 'Medewerkers ultimo boekjaar',
  },
  sections: {
    about: {
      heading: 'Over dit verslag',
      paragraphs: [
        '{company} legt verantwoording af over het boekjaar {label}, dat liep van {start} tot en met {end}. Het verslag omvat de moedermaatschappij en alle dochters waarover zij operationele zeggenschap heeft, tenzij een tabel anders vermeldt.',
        'We schreven het voor financiers, medewerkers, klanten, leden en omwonenden. Waar een methode is gewijzigd, zijn cijfers van eerdere jaren herrekend en als zodanig gemarkeerd.',
      ],
    },
    strategy: {
      heading: 'Strategie en doelen',
      paragraphs: [
        'Onze strategie rust op drie toezeggingen: minder uitstoot in lijn met het Akkoord van Parijs, minder water en materiaal per geleverde eenheid, en veilig en eerlijk werk in de hele keten. De directie bespreekt de voortgang elk kwartaal.',
        'Ten opzichte van het basisjaar {base} is de uitstoot in scope 1 en 2 met {change} procent veranderd. Grote investeringen worden getoetst met een interne koolstofprijs, en een deel van de variabele beloning hangt af van deze doelen.',
      ],
    },
    climate: {
      heading: 'Klimaat en uitstoot',
      paragraphs: [
        'De directe uitstoot bedroeg {scope1} ton in het boekjaar {label}. Ze komt van stookinstallaties, eigen voertuigen en processen. Ingekochte elektriciteit wordt locatie- en marktgebaseerd vermeld; {renewable} procent kwam uit hernieuwbare bronnen.',
        'Scope 3 wordt bepaald door inkoop en door uitbesteed vervoer. Waar gegevens van leveranciers ontbraken, zijn factoren op basis van uitgaven gebruikt. Het aandeel eigen meetgegevens groeit elk jaar.',
      ],
    },
    resources: {
      heading: 'Energie en water',
      paragraphs: [
        'Alle grote locaties hebben een systeem voor energiebeheer. Warmteterugwinning, isolatie en vervanging van oudere aandrijvingen leverden de grootste besparingen op. Locaties in gebieden met waterschaarste volgen een eigen plan.',
      ],
    },
    people: {
      heading: 'Mensen',
      paragraphs: [
        'Veiligheid gaat voor alles. Elke locatie houdt een maandelijkse veiligheidsronde, en bijna-ongevallen worden even zorgvuldig vastgelegd als ongevallen. Het aantal opleidingsuren steeg opnieuw.',
        'Gelijk werk wordt gelijk beloond; de uitkomsten van de jaarlijkse toets zijn openbaar. De ondernemingsraad beslist mee over roosters, nieuwe techniek en privacy.',
      ],
    },
    governance: {
      heading: 'Bestuur en toezicht',
      paragraphs: [
        'De raad van commissarissen komt ten minste zes keer per jaar bijeen. Een commissie van onafhankelijke leden houdt toezicht op duurzaamheid, ontvangt de rapporten van de interne accountant en bereidt besluiten voor.',
        'De gedragscode geldt voor alle medewerkers en zakenpartners. Meldingen kunnen vertrouwelijk worden gedaan bij een extern loket; elke zaak wordt onderzocht.',
      ],
    },
    method: {
      heading: 'Methoden en reikwijdte',
      paragraphs: [
        'De uitstoot is berekend volgens het GHG Protocol op basis van operationele zeggenschap. Factoren komen uit nationale lijsten en worden jaarlijks bijgewerkt. Door afronding kunnen totalen iets afwijken van de som der delen.',
      ],
    },
    assurance: {
      heading: 'Assurancerapport van de onafhankelijke accountant',
      paragraphs: [
        'Aan de directie: wij hebben een selectie van indicatoren in dit verslag onderzocht volgens {standard}. Ons werk bestond uit gesprekken, cijferanalyses en deelwaarnemingen. Ons is niets gebleken op grond waarvan wij zouden moeten concluderen dat de indicatoren niet, in alle van materieel belang zijnde opzichten, volgens de criteria zijn opgesteld.',
        '{provider}',
      ],
    },
    business: {
      heading: 'Gang van zaken',
      paragraphs: [
        '{company} kijkt terug op een veeleisend boekjaar {label}. De vraag verschilde per regio en de inkoopkosten bleven grillig. Programma’s voor productiviteit vingen het grootste deel daarvan op.',
        'Er is vooral geïnvesteerd in vernieuwing van locaties en in informatietechnologie. De financiële positie is solide: de nettoschuld daalde en aan alle kredietvoorwaarden is voldaan.',
      ],
    },
    outlook: {
      heading: 'Risico’s en vooruitzichten',
      paragraphs: [
        'De belangrijkste risico’s zijn energieprijzen, haperende aanvoer, cyberaanvallen en nieuwe regelgeving. Elk risico heeft een eigenaar in de directie. Voor het komende jaar verwachten we een gematigde groei bij stabiele marges.',
      ],
    },
    topic: {
      heading: 'Doel en reikwijdte',
      paragraphs: [
        'Dit document behandelt één onderwerp en vult onze jaarlijkse verslaggeving aan. {company} geeft het uit zodat vakmensen de gegevens op één plek vinden, met dezelfde grenzen en begrippen als in het jaarverslag.',
        'De betrokken afdelingen verzamelden de gegevens, de juridische afdeling controleerde ze en de directie gaf ze vrij. Opmerkingen nemen we mee in de volgende uitgave.',
        'De voortgang meten we met indicatoren die we met belanghebbenden hebben afgesproken. Is een doel niet gehaald, dan noemen we de oorzaak en de maatregelen.',
      ],
    },
  },
};
