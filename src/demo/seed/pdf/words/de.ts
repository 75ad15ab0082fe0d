import type { Words } from './words.ts';

export const de: Words = {
  group: '.',
  decimal: ',',
  theCompany: 'Das Unternehmen',
  contents: 'Inhalt',
  page: 'Seite',
  fictional: 'Erfundenes Unternehmen. Zur Vorführung erstellt.',
  fiscalYear: 'Geschäftsjahr {label}: {start} bis {end}',
  revised: 'Überarbeitete Fassung {n}',
  emissions: {
    caption: 'Treibhausgasemissionen in Tonnen CO2-Äquivalent',
    scope1: 'Scope 1: direkte Emissionen',
    scope2Location: 'Scope 2: standortbasiert',
    scope2Market: 'Scope 2: marktbasiert',
    scope3: 'Scope 3: Wertschöpfungskette',
    total: 'Gesamt (marktbasiert)',
    change: 'Änderung',
    chart: 'Scope 1 und Scope 2 (marktbasiert) in tausend Tonnen CO2-Äquivalent',
  },
  resources: {
    caption: 'Energie und Wasser',
    energy: 'Energieverbrauch (GWh)',
    renewable: 'Strom aus erneuerbaren Quellen (%)',
    water: 'Wasserentnahme (Tsd. m³)',
  },
  figures: {
    caption: 'Kennzahlen',
    revenue: 'Umsatz (Mio. {currency})',
    result: 'Betriebsergebnis (Mio. {currency})',
    employees: 'Beschäftigte zum Jahresende',
  },
  sections: {
    about: {
      heading: 'Über diesen Bericht',
      paragraphs: [
        '{company} legt Rechenschaft über das Geschäftsjahr {label} ab, das vom {start} bis zum {end} dauerte. Der Bericht umfasst die Muttergesellschaft und alle Tochtergesellschaften unter ihrer operativen Kontrolle, sofern bei einer Tabelle nichts anderes angegeben ist.',
        'Er richtet sich an Kapitalgeber, Beschäftigte, Kundschaft und die Nachbarn unserer Standorte. Haben sich Berechnungsmethoden geändert, wurden die Vorjahreswerte angepasst und entsprechend gekennzeichnet.',
      ],
    },
    strategy: {
      heading: 'Strategie und Ziele',
      paragraphs: [
        'Unsere Strategie ruht auf drei Verpflichtungen: Wir senken die Emissionen im Einklang mit dem Übereinkommen von Paris, wir verbrauchen weniger Wasser und Material je Einheit, und wir sorgen für sichere und faire Arbeit in der gesamten Wertschöpfungskette. Der Vorstand prüft den Fortschritt in jedem Quartal.',
        'Gegenüber dem Basisjahr {base} haben sich die Emissionen aus Scope 1 und Scope 2 um {change} Prozent verändert. Größere Investitionen werden mit einem internen Kohlenstoffpreis bewertet; ein Teil der langfristigen Vergütung der Führungskräfte hängt von den hier genannten Zielen ab.',
      ],
    },
    climate: {
      heading: 'Klima und Emissionen',
      paragraphs: [
        'Die direkten Emissionen beliefen sich im Geschäftsjahr {label} auf {scope1} Tonnen. Sie stammen aus Feuerungsanlagen, dem eigenen Fuhrpark und aus Prozessen. Der bezogene Strom wird standort- und marktbasiert ausgewiesen; {renewable} Prozent kamen aus erneuerbaren Quellen.',
        'Scope 3 wird vor allem von eingekauften Gütern und der Nutzung verkaufter Produkte geprägt. Lagen keine Primärdaten der Lieferanten vor, wurden ausgabenbasierte Faktoren verwendet. Der Anteil der Primärdaten wächst von Jahr zu Jahr.',
      ],
    },
    resources: {
      heading: 'Energie und Wasser',
      paragraphs: [
        'An allen großen Standorten bestehen Energiemanagementsysteme. Wärmerückgewinnung, bessere Dämmung und der Austausch älterer Antriebe brachten die größten Einsparungen. Wasser wird überwiegend aus dem öffentlichen Netz bezogen; für Standorte in Regionen mit Wasserknappheit gelten eigene Maßnahmenpläne.',
      ],
    },
    people: {
      heading: 'Beschäftigte',
      paragraphs: [
        'Arbeitsschutz hat Vorrang. Jeder Standort führt monatliche Begehungen durch, und Beinaheunfälle werden ebenso sorgfältig erfasst wie Unfälle. Die Zahl der Schulungsstunden ist erneut gestiegen.',
        'Für gleiche Arbeit zahlen wir gleichen Lohn und veröffentlichen die Ergebnisse der jährlichen Überprüfung. Die Arbeitnehmervertretung wirkt an Entscheidungen über Schichtmodelle, neue Technik und Datenschutz mit.',
      ],
    },
    governance: {
      heading: 'Unternehmensführung',
      paragraphs: [
        'Der Aufsichtsrat tagt mindestens sechsmal im Jahr. Ein Ausschuss aus unabhängigen Mitgliedern überwacht die Nachhaltigkeit, nimmt die Berichte der internen Revision entgegen und bereitet die Beschlüsse des Gremiums vor. Seine Mitglieder bilden sich jährlich zu Klima und Menschenrechten fort.',
        'Der Verhaltenskodex gilt für alle Beschäftigten und Geschäftspartner. Hinweise können vertraulich über eine externe Stelle gegeben werden; jedem Fall wird nachgegangen.',
      ],
    },
    method: {
      heading: 'Methoden und Abgrenzung',
      paragraphs: [
        'Die Emissionen werden nach dem GHG Protocol mit dem Ansatz der operativen Kontrolle berechnet. Die Faktoren stammen aus nationalen Verzeichnissen und werden jährlich aktualisiert. Durch Rundung können Summen geringfügig von den Einzelwerten abweichen.',
      ],
    },
    assurance: {
      heading: 'Vermerk des unabhängigen Prüfers',
      paragraphs: [
        'An die Gesellschaft: Wir haben ausgewählte Angaben dieses Berichts nach {standard} einer Prüfung unterzogen. Unsere Arbeit umfasste Befragungen, analytische Handlungen und Stichproben. Uns sind keine Sachverhalte bekannt geworden, die uns zu der Auffassung gelangen lassen, dass die Angaben nicht in allen wesentlichen Belangen den Berichtskriterien entsprechen.',
        '{provider}',
      ],
    },
    business: {
      heading: 'Geschäftsverlauf',
      paragraphs: [
        '{company} blickt auf ein anspruchsvolles Geschäftsjahr {label} zurück. Der Auftragseingang entwickelte sich regional unterschiedlich, die Einkaufspreise blieben schwankend, und die Lieferzeiten normalisierten sich erst im zweiten Halbjahr. Produktivitätsprogramme glichen den größten Teil der Belastung aus.',
        'Investiert wurde vor allem in die Erneuerung bestehender Werke und in die Informationstechnik. Die Finanzlage ist solide: Die Nettoverschuldung ging zurück, und alle Kreditvereinbarungen wurden eingehalten.',
      ],
    },
    outlook: {
      heading: 'Risiken und Ausblick',
      paragraphs: [
        'Die wesentlichen Risiken liegen in den Energiepreisen, in Lieferunterbrechungen, in Cyberangriffen und in neuen gesetzlichen Vorgaben. Für jedes Risiko ist ein Mitglied des Vorstands zuständig; Eintrittswahrscheinlichkeit und Wirkung werden zweimal im Jahr bewertet. Für das kommende Jahr erwarten wir ein moderates Wachstum bei stabilen Margen.',
      ],
    },
    topic: {
      heading: 'Zweck und Umfang',
      paragraphs: [
        'Dieses Dokument behandelt ein einzelnes Thema und ergänzt unsere jährliche Berichterstattung. {company} veröffentlicht es, damit Fachleute die Angaben an einem Ort finden, mit denselben Abgrenzungen und Begriffen wie im Hauptbericht.',
        'Die zuständigen Bereiche haben die Angaben zusammengetragen, die Rechtsabteilung hat sie geprüft, und der Vorstand hat sie zur Veröffentlichung freigegeben. Anregungen fließen in die nächste Ausgabe ein.',
        'Den Fortschritt messen wir an Kennzahlen, die wir mit unseren Anspruchsgruppen vereinbart haben. Wurde ein Ziel verfehlt, nennen wir die Gründe und die Gegenmaßnahmen.',
      ],
    },
  },
};
