import type { Words } from './words.ts';

export const it: Words = {
  group: '.',
  decimal: ',',
  theCompany: 'La società',
  contents: 'Indice',
  page: 'Pagina',
  fictional: 'Società inventata. Documento dimostrativo.',
  fiscalYear: 'Esercizio {label}: dal {start} al {end}',
  revised: 'Edizione riveduta {n}',
  emissions: {
    caption: 'Emissioni di gas serra, tonnellate di CO2 equivalente',
    scope1: 'Scope 1: emissioni dirette',
    scope2Location: 'Scope 2: location-based',
    scope2Market: 'Scope 2: market-based',
    scope3: 'Scope 3: catena del valore',
    total: 'Totale (market-based)',
    change: 'Var.',
    chart: 'Scope 1 e Scope 2 (market-based), migliaia di tonnellate di CO2 equivalente',
  },
  resources: {
    caption: 'Energia e acqua',
    energy: 'Consumo di energia (GWh)',
    renewable: 'Elettricità rinnovabile (%)',
    water: 'Prelievo idrico (migliaia di m³)',
  },
  figures: {
    caption: 'Dati principali',
    revenue: 'Ricavi (milioni di {currency})',
    result: 'Risultato operativo (milioni di {currency})',
    employees: 'Dipendenti a fine esercizio',
  },
  sections: {
    about: {
      heading: 'Nota metodologica',
      paragraphs: [
        '{company} rende conto dell’esercizio {label}, dal {start} al {end}. Il perimetro comprende la capogruppo e tutte le controllate sotto il suo controllo operativo, salvo diversa indicazione in calce a una tabella.',
        'Il documento si rivolge a investitori, dipendenti, clienti e comunità locali. Quando un metodo è cambiato, i dati degli anni precedenti sono stati ricalcolati e segnalati.',
      ],
    },
    strategy: {
      heading: 'Strategia e obiettivi',
      paragraphs: [
        'La nostra strategia poggia su tre impegni: ridurre le emissioni in linea con l’Accordo di Parigi, usare meno acqua e materiali per unità prodotta, offrire un lavoro sicuro ed equo lungo tutta la catena del valore. La direzione verifica i progressi ogni trimestre.',
        'Rispetto all’anno base {base}, le emissioni Scope 1 e Scope 2 sono variate del {change} per cento. I progetti più rilevanti sono valutati con un prezzo interno del carbonio e una parte della remunerazione variabile dipende da questi obiettivi.',
      ],
    },
    climate: {
      heading: 'Clima ed emissioni',
      paragraphs: [
        'Le emissioni dirette sono state pari a {scope1} tonnellate nell’esercizio {label}. Derivano dalla combustione stazionaria, dai veicoli aziendali e dai processi. L’elettricità acquistata è riportata con entrambi i metodi; il {renewable} per cento proviene da fonti rinnovabili.',
        'Lo Scope 3 è dominato dagli acquisti e dall’uso dei prodotti venduti. In mancanza di dati primari sono stati impiegati fattori basati sulla spesa. La quota di dati primari cresce ogni anno.',
      ],
    },
    resources: {
      heading: 'Energia e acqua',
      paragraphs: [
        'Tutti i grandi stabilimenti dispongono di un sistema di gestione dell’energia. Il recupero di calore, l’isolamento e la sostituzione dei vecchi motori hanno portato i risparmi maggiori. I siti in aree a stress idrico seguono un piano specifico.',
      ],
    },
    people: {
      heading: 'Persone',
      paragraphs: [
        'Salute e sicurezza vengono prima di tutto. Ogni sito tiene una riunione mensile e i quasi infortuni sono registrati con la stessa cura degli infortuni. Le ore di formazione sono di nuovo aumentate.',
        'A parità di lavoro, parità di salario: i risultati della verifica annuale sono pubblici. Le rappresentanze dei lavoratori partecipano alle scelte su turni e nuove tecnologie.',
      ],
    },
    governance: {
      heading: 'Governo societario',
      paragraphs: [
        'Il consiglio di amministrazione si riunisce almeno sei volte l’anno. Un comitato di consiglieri indipendenti segue la sostenibilità, riceve le relazioni della revisione interna e prepara le decisioni del consiglio.',
        'Il codice etico vale per tutti i dipendenti e i partner. Le segnalazioni possono essere inviate in modo riservato a un soggetto esterno; ogni caso viene esaminato.',
      ],
    },
    method: {
      heading: 'Metodi e perimetro',
      paragraphs: [
        'Le emissioni sono calcolate secondo il GHG Protocol con l’approccio del controllo operativo. I fattori provengono dagli inventari nazionali e sono aggiornati ogni anno. Per effetto degli arrotondamenti i totali possono differire dalla somma delle voci.',
      ],
    },
    assurance: {
      heading: 'Relazione della società di revisione',
      paragraphs: [
        'Alla direzione: abbiamo esaminato alcuni indicatori di questo documento secondo {standard}. Il lavoro ha compreso colloqui, procedure analitiche e verifiche a campione. Non sono emersi elementi che facciano ritenere che gli indicatori non siano stati redatti, in tutti gli aspetti significativi, secondo i criteri adottati.',
        '{provider}',
      ],
    },
    business: {
      heading: 'Andamento della gestione',
      paragraphs: [
        '{company} chiude un esercizio {label} impegnativo. Gli ordini hanno avuto un andamento diverso tra le regioni e i costi di acquisto sono rimasti instabili. I programmi di produttività hanno compensato la maggior parte degli effetti.',
        'Gli investimenti hanno riguardato il rinnovo degli impianti e i sistemi informativi. La situazione finanziaria è solida: l’indebitamento netto è diminuito e tutti gli impegni verso le banche sono stati rispettati.',
      ],
    },
    outlook: {
      heading: 'Rischi e prospettive',
      paragraphs: [
        'I rischi principali riguardano i prezzi dell’energia, le interruzioni delle forniture, gli attacchi informatici e l’evoluzione delle norme. Ogni rischio ha un responsabile nella direzione. Per il prossimo anno attendiamo una crescita moderata con margini stabili.',
      ],
    },
    topic: {
      heading: 'Scopo e contenuto',
      paragraphs: [
        'Questo documento tratta un solo tema e completa l’informativa annuale. {company} lo pubblica perché gli esperti trovino i dati in un unico luogo, con lo stesso perimetro e le stesse definizioni del documento principale.',
        'Le funzioni competenti hanno raccolto le informazioni, l’ufficio legale le ha verificate e la direzione ne ha approvato la pubblicazione. Le osservazioni saranno considerate nella prossima edizione.',
        'I progressi sono misurati con indicatori concordati con gli interlocutori. Quando un obiettivo non è raggiunto, ne spieghiamo le ragioni e le azioni correttive.',
      ],
    },
  },
};
