import type { Words } from './words.ts';

export const sv: Words = {
  group: '\u00A0',
  decimal: ',',
  theCompany: 'Bolaget',
  contents: 'Innehåll',
  page: 'Sida',
  fictional: 'Påhittat bolag. Framställt för visning.',
  fiscalYear: 'Räkenskapsåret {label}: {start} till {end}',
  revised: 'Reviderad utgåva {n}',
  emissions: {
    caption: 'Utsläpp av växthusgaser, ton koldioxidekvivalenter',
    scope1: 'Scope 1: direkta utsläpp',
    scope2Location: 'Scope 2: platsbaserad',
    scope2Market: 'Scope 2: marknadsbaserad',
    scope3: 'Scope 3: värdekedjan',
    total: 'Summa (marknadsbaserad)',
    change: 'Ändring',
    chart: 'Scope 1 och 2 (marknadsbaserad), tusen ton koldioxidekvivalenter',
  },
  resources: {
    caption: 'Energi och vatten',
    energy: 'Energianvändning (GWh)',
    renewable: 'Förnybar el (%)',
    water: 'Vattenuttag (tusen m³)',
  },
  figures: {
    caption: 'Nyckeltal',
    revenue: 'Omsättning (miljoner {currency})',
    result: 'Rörelseresultat (miljoner {currency})',
    employees: 'Anställda vid årets slut',
  },
  sections: {
    about: {
      heading: 'Om rapporten',
      paragraphs: [
        '{company} redovisar här räkenskapsåret {label}, från {start} till {end}. Rapporten omfattar moderbolaget och alla dotterbolag under dess operativa kontroll, om inte en tabell anger något annat.',
        'Den vänder sig till investerare, medarbetare, kunder och grannar till våra anläggningar. När en metod har ändrats är tidigare års värden omräknade och märkta.',
      ],
    },
    strategy: {
      heading: 'Strategi och mål',
      paragraphs: [
        'Strategin vilar på tre åtaganden: att minska utsläppen i linje med Parisavtalet, att använda mindre vatten och material per levererad enhet och att erbjuda säkert och rättvist arbete i hela värdekedjan. Ledningen följer upp arbetet varje kvartal.',
        'Jämfört med basåret {base} har utsläppen i scope 1 och 2 förändrats med {change} procent. Större investeringar prövas mot ett internt koldioxidpris, och en del av den rörliga ersättningen beror på målen.',
      ],
    },
    climate: {
      heading: 'Klimat och utsläpp',
      paragraphs: [
        'De direkta utsläppen uppgick till {scope1} ton under räkenskapsåret {label}. De kommer från förbränning, egna fordon och processer. Inköpt el redovisas plats- och marknadsbaserat; {renewable} procent kom från förnybara källor.',
        'Scope 3 domineras av inköpta varor och transporter. Där uppgifter från leverantörer saknas har faktorer per krona använts. Andelen primärdata växer varje år.',
      ],
    },
    resources: {
      heading: 'Energi och vatten',
      paragraphs: [
        'Alla större anläggningar har energiledningssystem. Värmeåtervinning, isolering och byte av äldre motorer gav de största besparingarna. Anläggningar i områden med vattenbrist följer en egen plan.',
      ],
    },
    people: {
      heading: 'Medarbetare',
      paragraphs: [
        'Hälsa och säkerhet går först. Varje anläggning håller månatliga skyddsronder, och tillbud följs upp lika noga som olyckor. Antalet utbildningstimmar ökade på nytt.',
        'Lika arbete ger lika lön, och resultatet av den årliga kartläggningen är offentligt. De anställdas företrädare deltar i beslut om skift, ny teknik och personuppgifter.',
      ],
    },
    governance: {
      heading: 'Styrning',
      paragraphs: [
        'Styrelsen sammanträder minst sex gånger om året. Ett utskott av oberoende ledamöter bevakar hållbarhetsfrågorna, tar emot internrevisionens rapporter och bereder styrelsens beslut.',
        'Uppförandekoden gäller alla medarbetare och affärspartner. Den som vill slå larm kan göra det anonymt genom en extern kanal, och varje ärende utreds.',
      ],
    },
    method: {
      heading: 'Metoder och avgränsningar',
      paragraphs: [
        'Utsläppen beräknas enligt GHG Protocol med operativ kontroll som grund. Faktorerna hämtas från nationella register och uppdateras årligen. På grund av avrundning kan summor skilja sig något från delarna.',
      ],
    },
    assurance: {
      heading: 'Oberoende granskningsrapport',
      paragraphs: [
        'Till ledningen: vi har översiktligt granskat utvalda uppgifter i rapporten enligt {standard}. Granskningen bestod av förfrågningar, analytisk genomgång och stickprov. Det har inte kommit fram några omständigheter som ger oss anledning att anse att uppgifterna inte, i allt väsentligt, är upprättade enligt kriterierna.',
        '{provider}',
      ],
    },
    business: {
      heading: 'Verksamheten under året',
      paragraphs: [
        '{company} lämnar ett krävande räkenskapsår {label} bakom sig. Efterfrågan skilde sig mellan regionerna och kostnaderna för insatsvaror var fortsatt ojämna. Program för högre produktivitet vägde upp det mesta.',
        'Investeringarna gick främst till förnyelse av anläggningar och till informationsteknik. Den finansiella ställningen är god: nettoskulden minskade och alla kreditvillkor uppfylldes.',
      ],
    },
    outlook: {
      heading: 'Risker och utsikter',
      paragraphs: [
        'De viktigaste riskerna är energipriser, avbrott i leveranser, dataintrång och ny lagstiftning. Varje risk har en ansvarig i ledningen. För det kommande året väntar vi måttlig tillväxt med stabila marginaler.',
      ],
    },
    topic: {
      heading: 'Syfte och omfattning',
      paragraphs: [
        'Dokumentet behandlar ett enda ämne och kompletterar den årliga rapporteringen. {company} ger ut det för att fackfolk ska finna uppgifterna på ett ställe, med samma avgränsningar och begrepp som i årsredovisningen.',
        'De ansvariga avdelningarna samlade in uppgifterna, juristerna granskade dem och ledningen godkände publiceringen. Synpunkter tas till vara i nästa utgåva.',
        'Framstegen mäts med nyckeltal som vi har kommit överens om med intressenterna. När ett mål inte nås anger vi orsaken och vad vi gör åt det.',
      ],
    },
  },
};
