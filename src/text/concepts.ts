/**
 * Names of one thing, a line each: English | German | French | Spanish | Italian | Dutch | Swedish | Portuguese,
 * alternatives separated by commas, in any case; empty where a language has a word of one before. `*` leaves the end of
 * a word open. A question that uses one of them finds pages that use another.
 */
const table = `
greenhouse gas*, ghg, emission*, co2, co2e, carbon, footprint | treibhausgas*, emissionen, co2-fußabdruck, ausstoß | gaz à effet de serre, émissions, carbone | gases de efecto invernadero, emisiones, huella de carbono | gas serra, emissioni | broeikasgas*, uitstoot | växthusgas*, utsläpp* | gases de efeito estufa, emissões, pegada de carbono
scope 1, direct emissions, own emissions, emit directly, itself emit | direkte emissionen | émissions directes | alcance 1, emisiones directas | emissioni dirette | directe uitstoot, directe emissies | direkta utsläpp* | escopo 1, emissões diretas
scope 2, purchased electricity, market-based, location-based | marktbasiert, standortbasiert, bezogener strom | selon le marché, selon le lieu, électricité achetée | alcance 2, según mercado, según ubicación, electricidad comprada | elettricità acquistata | ingekochte elektriciteit, marktgebaseerd, locatiegebaseerd | inköpt el, marknadsbaserad*, platsbaserad* | escopo 2, eletricidade comprada
scope 3, value chain, supply chain, indirect emissions | wertschöpfungskette, lieferkette | chaîne de valeur, chaîne d'approvisionnement | alcance 3, cadena de valor, cadena de suministro | catena del valore, catena di fornitura | waardeketen, keten | värdekedja*, leveranskedja* | escopo 3, cadeia de valor
business travel, flights | geschäftsreisen, dienstreisen | déplacements professionnels, voyages d'affaires | viajes de trabajo, viajes de negocios | viaggi di lavoro, trasferte | zakenreizen, dienstreizen | tjänsteresor, affärsresor | viagens a trabalho, viagens a serviço
commut*, travelling to work, travel to work, traveling to work | pendel*, arbeitsweg | domicile-travail | desplazamientos al trabajo | pendolar*, casa-lavoro | woon-werkverkeer | arbetspendling, pendling | casa-trabalho, deslocamento de empregados
logistics, transport*, freight | logistik, transport* | transport*, logistique | transporte, logística | trasport*, logistica | vervoer | transporter | 
upstream | vorgelagert* | amont | aguas arriba
downstream | nachgelagert* | aval | aguas abajo
purchased goods, bought goods | eingekaufte güter | biens et services achetés, achats | bienes y servicios comprados, bienes adquiridos | beni e servizi acquistati, acquisti | ingekochte goederen, inkoop | inköpta varor | bens e serviços adquiridos
capital goods | investitionsgüter | biens d'équipement | bienes de capital | beni strumentali | kapitaalgoederen | kapitalvaror | bens de capital
internal carbon price, shadow price, carbon pric* | interner kohlenstoffpreis, co2-preis | prix interne du carbone | precio interno del carbono | prezzo interno del carbonio, prezzo interno della co2 | interne koolstofprijs, interne co2-prijs | internt koldioxidpris | preço interno de carbono
paris agreement, 1.5 degrees, 1.5 °c, net zero, net-zero, sbti, science-based | übereinkommen von paris, pariser klima*, klimaneutral*, netto-null | accord de paris, neutralité carbone | acuerdo de parís, neutralidad climática | accordo di parigi | akkoord van parijs, klimaatneutra* | parisavtalet, klimatneutra*, nettonoll | acordo de paris, neutralidade de carbono
base year, baseline | basisjahr | année de référence | año base | anno base | basisjaar | basår* | ano-base, ano base
target*, goal*, ambition* | ziel*, klimaziel* | objectif* | objetivo*, meta* | obiettiv* | doelen, doelstelling* | klimatmål, målen | 
strategy | strategie* | stratégie | estrategia | strategia | strategie | strategi* | estratégia
climate, tcfd | klima* | climat* | clima*, climátic* | climatic* | klimaat* | klimat* | clima
energy, gwh, mwh | energie* | énergie* | energía, energétic* | energia, energetic* |  | energi* | 
electricity, power | strom | électricité | electricidad | elettricità | elektriciteit, stroom | elektricitet, elanvändning | eletricidade
renewable*, green electricity, green power | erneuerbar* | renouvelable* | renovable* | rinnovabil* | hernieuwba*, groene stroom | förnyba* | renováve*
self-generated, own generation, own renewable generation | eigene erzeugung, eigenerzeugung | production propre | generación propia | autoproduzione | eigen opwek* | egen produktion, egen elproduktion | geração própria
energy saving*, save energy, efficien*, heat recovery | energieeinsparung*, einsparung*, wärmerückgewinnung | économies d'énergie, récupération de chaleur | ahorro*, recuperación de calor | risparmi*, recupero di calore, efficienza | besparing*, warmteterugwinning | värmeåtervinning, effektivisering* | economias, recuperação de calor, eficiência
natural gas | erdgas | gaz naturel | gas natural | gas naturale | aardgas | naturgas | gás natural
district heating | fernwärme | chaleur de réseau, chauffage urbain | calor de red | teleriscaldamento | stadsverwarming, warmtenet | fjärrvärme | calor distrital
water | wasser* | eau | agua | acqua, idric* | water* | vatten* | água, hídric*
withdraw*, abstract*, drawn, water use, water consumption | wasserentnahme, entnahme, bezogen | prélèvement* | captación, extracción | prelievo, prelievi | wateronttrekking, onttrekking | vattenuttag, vattenanvändning | captação, captou
water stress, water scarc*, scarce, drought | wasserknappheit, wasserstress, trockenheit | stress hydrique | estrés hídrico | stress idrico, scarsità | waterschaarste | vattenbrist | escassez hídrica, estresse hídrico
waste, trash, rubbish, garbage | abfall, abfälle, müll | déchets | residuos | rifiuti | afval | avfall* | resíduos
landfill* | deponi* | décharge | vertedero | discarica | stortplaats* |  | aterro*
hazardous, toxic, dangerous | gefährlich* | dangereux | peligros* | pericolos* | gevaarlijk* | farligt, farliga | perigos*
recycl* | recycl*, stofflich verwertet | recycl* | recicl* | ricicl* | hergebruik* | återvin* | 
biodiversity, nature, tnfd | biodiversität, artenvielfalt | biodiversité | biodiversidad, naturaleza | biodiversità | biodiversiteit, natuur | biologisk mångfald | biodiversidade
employee*, workforce, staff, headcount, fte, workers, people work, people employed | mitarbeit*, beschäftigte*, belegschaft, personal | salarié*, effectif*, collaborateurs, personnel | emplead*, plantilla, personas trabajan | dipendenti, organico, persone lavorano | medewerkers, werknemers, mensen werken | anställda, medarbetar* | empregados, funcionários, colaboradores, quadro de pessoal
women, female, gender | frauen*, weiblich*, geschlecht* | femmes, féminin* | mujeres, género | donne, genere | vrouw* | kvinn* | mulher*, gênero
manage*, leadership, leaders | führung*, management | cadres, encadrement, dirigeants | directiv*, dirección | dirigenti, direzione | leidinggevende*, directie | chefer, ledning* | gestão, lideranç*
equal pay, equal wages, gender pay gap, pay gap, paid the same | gleicher lohn, gleichen lohn, entgeltgleichheit | salaire égal, égalité salariale, écart de rémunération | igual salario, brecha salarial | parità di salario, parità salariale | gelijk beloond, gelijke beloning, loonkloof | lika lön, lönegap | salário igual, igualdade salarial
part-time, part time | teilzeit | temps partiel | tiempo parcial | tempo parziale | deeltijd | deltid* | tempo parcial
staff turnover, attrition, employee turnover, churn | fluktuation* | rotation du personnel | rotación | ricambio, turnover del personale | verloop, personeelsverloop | personalomsättning | rotatividade
training, trained, learning | schulung*, weiterbildung*, bilden sich | formation* | formación, capacitación | formazione | opleiding* | utbildning* | treinamento*, formação
injur*, ltifr, ltir, trir, accident*, lost time | unfall*, unfälle, verletzung* | accident* | accidente*, lesion* | infortun* | ongeval*, ongevallen | olycka, olyckor, arbetsskad* | acidente*, lesões
health and safety, safety, occupational health | arbeitsschutz, arbeitssicherheit, gesundheit | santé et sécurité, sécurité au travail | seguridad y salud, salud y la seguridad, seguridad | salute e sicurezza, sicurezza | veiligheid | hälsa och säkerhet, säkerhet | saúde e segurança, segurança
employee representatives, workers' representatives, works council, union* | arbeitnehmervertretung, betriebsrat, gewerkschaft* | représentants du personnel, syndicat* | representación de la plantilla, sindicato* | rappresentanze dei lavoratori, sindacat* | ondernemingsraad, vakbond* | anställdas företrädare, fackliga, fackförbund | representantes dos empregados
shift* | schicht* | organisation du travail | turnos | turni | roosters, ploegen | skift* | 
board, directors, supervisory body, supervisory board | aufsichtsrat, verwaltungsrat, gremium | conseil d'administration | consejo de administración, consejeros | consiglio di amministrazione | raad van commissarissen | styrelse* | conselho de administração
executive*, executive board, senior managers, management board | vorstand* | direction générale, dirigeants | comité de dirección, alta dirección | direzione, alta dirigenza | directie, raad van bestuur | koncernledning*, ledningen | diretoria
committee | ausschuss | comité | comisión | comitato | commissie | utskott* | comitê
governance | unternehmensführung | gouvernance | gobierno corporativo | governo societario | bestuur en toezicht | styrning, bolagsstyrning | governança
bonus*, incentive*, remuneration, executive pay, pay of | vergütung, boni | rémunération variable, rémunération | retribución, incentivos | remunerazione, retribuzione variabile | beloning, variabele beloning | rörliga ersättning*, ersättning* | remuneração
whistleblow*, speak up, grievance*, misconduct, raised in confidence, external channel | hinweisgeber*, hinweise, meldestelle, vertraulich | alertes, lanceur* d'alerte, canal externe | canal de denuncias, denuncia* | segnalazioni, riservat* | meldingen, klokkenluider*, vertrouwelijk | visselblås*, slå larm, extern kanal | canal de denúncias, denúncia*
code of conduct, ethics | verhaltenskodex, ethik | code de conduite, éthique | código de conducta, ética | codice etico, codice di condotta | gedragscode | uppförandekod* | código de conduta
supplier* | lieferant* | fournisseur* | proveedor* | fornitor* | leverancier* | leverantör* | fornecedor*
business partner* | geschäftspartner* | partenaires | socios comerciales | partner | zakenpartners | affärspartner* | parceiros
human rights, modern slavery, forced labour | menschenrecht*, zwangsarbeit | droits de l'homme, droits humains | derechos humanos | diritti umani | mensenrechten | mänskliga rättigheter | direitos humanos
corruption, bribery | korruption, bestechung | corruption | corrupción, soborno | corruzione | corruptie, omkoping | mutor | corrupção, suborno
risk*, threat* | risik* | risque* | riesgo* | rischi* | risico* |  | riscos
cyber*, hacker*, information security | cyber*, informationssicherheit | cyber* | ciber* | informatici |  | dataintrång | cibernétic*
outlook, forecast, expect*, next year, coming year | ausblick, erwart*, rechnet, kommende jahr, nächste jahr | perspectives, attendons, année à venir | perspectivas, esperamos, próximo año | prospettive, attendiamo, prossimo anno | vooruitzichten, verwacht*, komende jaar | utsikter, väntar, kommande året | próximo ano
growth, grow | wachstum | croissance | crecimiento | crescita | groei | tillväxt | crescimento
assurance, assured, audit*, verif*, externally checked, checked by | prüf*, geprüft, wirtschaftsprüfer | vérificateur, vérifi*, commissaire* aux comptes | verificación, verificado, auditor* | revisione, revisor*, verificat* | accountant*, gecontroleerd, assurance-rapport | granskning*, granskat, granskade | asseguração, verificad*
independent | unabhängig* | indépendant* | independiente* | indipendent* | onafhankelijk* | oberoende | independente*
isae 3000, isae 3410, aa1000, limited assurance, reasonable assurance | begrenzte sicherheit, hinreichende sicherheit | assurance modérée, assurance raisonnable | aseguramiento limitado, aseguramiento razonable
ghg protocol, consolidation approach, operational control, boundar*, methodolog* | operative kontrolle, abgrenzung, berechnet, methoden | contrôle opérationnel, périmètre, méthode* | control operativo, perímetro, métodos | controllo operativo, perimetro, metod* | operationele zeggenschap, reikwijdte | operativ kontroll, avgränsning*, metoder | controle operacional, limites
emission factor*, factors | emissionsfaktor*, faktoren | facteurs | factores | fattori | factoren | faktorer* | fatores
restat*, prior year, earlier years | angepasst, vorjahr* | retraité*, années précédentes | reexpresad*, años anteriores | ricalcolat*, anni precedenti | herrekend, eerdere jaren | omräknad*, tidigare års | recalculad*, anos anteriores
subsidiar*, parent company, scope of the report, reporting scope | tochtergesellschaft*, muttergesellschaft | filiales, société mère | filiales, sociedad matriz | controllate, capogruppo | dochters, dochterondernemingen, moedermaatschappij | dotterbolag*, moderbolag* | controladas, controladora
rounding, rounded, add up, sum | rundung, summen | arrondis, totaux | redondeo, totales | arrotondament*, totali | afronding, totalen | avrundning, summor | arredondamento*, totais
no data, primary data, spend-based, estimate* | primärdaten, geschätzt, ausgabenbasiert* | données primaires, estim* | datos primarios, estimad* | dati primari | primaire gegevens | primärdata | dados primários
revenue*, turnover, net sales, sales | umsatz* | chiffre d'affaires, ventes | ingresos, cifra de negocios, ventas | ricavi, fatturato | omzet | omsättning*, intäkter | receita*
operating result, operating profit, ebit | betriebsergebnis | résultat opérationnel | resultado de explotación, resultado operativo | risultato operativo | bedrijfsresultaat | rörelseresultat* | resultado operacional
profit*, income statement, earnings | gewinn* | bénéfice*, compte de résultat | beneficio*, cuenta de resultados | utile | winst | vinst*, årets resultat | lucro*
research and development, r&d | forschung und entwicklung, f&e | recherche et développement, r&d | investigación y desarrollo, i+d | ricerca e sviluppo | onderzoek en ontwikkeling | forskning och utveckling | pesquisa e desenvolvimento
balance sheet | bilanz | bilan | balance | stato patrimoniale | balans | balansräkning* | balanço
cash | zahlungsmittel, liquide mittel | trésorerie | efectivo | disponibilità liquide, cassa | liquide middelen | likvida medel | caixa
equity, net worth, shareholders' equity | eigenkapital | capitaux propres | patrimonio neto | patrimonio netto | eigen vermogen | eget kapital | patrimônio líquido
debt, borrow*, owe*, liabilities | schulden, verschuldung, finanzschulden, verbindlichkeiten | dette*, endettement | deuda | debiti, indebitamento | nettoschuld | skulder, nettoskuld* | dívida*
covenant*, credit agreement*, loan* | kreditvereinbarung*, kredit* | engagements bancaires | compromisos de crédito, préstamo* | clausole | kredietvoorwaarden | kreditvillkor* | cláusulas de crédito
inventor*, stock | vorräte | stocks | existencias | rimanenze | voorraden | varulager | estoques
receivable* | forderungen | créances | cuentas por cobrar | crediti commerciali | handelsvorderingen | kundfordringar | contas a receber
payable* | verbindlichkeiten | dettes fournisseurs | cuentas por pagar | debiti commerciali | handelsschulden | leverantörsskulder | fornecedores
invest*, capital expenditure, capex | invest*, investitionen | investissement* | inversi* | investiment* | investeringen | investering* | 
total assets | bilanzsumme | total du bilan | total activo | totale attivo | balanstotaal | balansomslutning, summa tillgångar | total do ativo
approv*, release, publication | freigegeben, freigabe | publication, autorisé | aprobó, publicación | approvat* | goedgekeurd | godkän* | aprov*
site*, plant*, factory, location*, office, warehouse, laborator*, depot | standort*, werk*, lager, labor, büro | site*, usine, entrepôt, bureau, laboratoire | centro*, instalacion*, planta | stabiliment*, siti, sedi | locatie*, fabriek* | anläggning*, fabrik* | unidade*, fábrica*
taxonomy, taxonomy-aligned | taxonomie* | taxinomie, taxonomie | taxonomía | tassonomia |  | taxonomi* | taxonomia
material topic*, materiality, double materiality | wesentlichkeit*, wesentliche themen | matérialité, enjeux matériels | materialidad | temi materiali, materialità | materiële onderwerpen, materialiteit* | väsentlighet*, väsentliga frågor | temas materiais, materialidade
tax | steuer* | impôt* | impuesto* | imposte | belasting* | skatt* | imposto*
dividend* | dividende* | dividende* | dividendo* |  |  | utdelning* | 
communit*, stakeholder* | anspruchsgruppen, gemeinden, nachbarn | parties prenantes, riverains | grupos de interés, comunidad* | comunità, portatori di interesse | omwonenden, belanghebbenden | grannar, intressenter | comunidade*, partes interessadas
customer* | kund* | client* | cliente* | clienti | klanten |  | 
`;

/** What disclosures of GRI, ESRS and other standards are about, by words of the table above. */
const codes = `
gri 2-1, gri 2-2 = reporting scope
gri 2-4 = restat*
gri 2-5 = assurance
gri 2-7, gri 401, gri 401-1, esrs s1-6 = employee*; staff turnover
gri 2-9, gri 2-12, esrs gov-1, esrs 2 gov-1 = board; governance
gri 2-16, gri 2-26, esrs g1-1, esrs g1-3 = whistleblow*; code of conduct
gri 2-19, gri 2-20, esrs gov-3 = bonus*
gri 2-22 = strategy
gri 3-1, gri 3-2, esrs sbm-3, esrs iro-1 = material topic*
gri 201-1 = revenue*
gri 201-2 = climate; risk*
gri 205, esrs g1-4 = corruption
gri 302, gri 302-1, gri 302-4, esrs e1-5 = energy
gri 303, gri 303-3, gri 303-5, esrs e3, esrs e3-4 = water; withdraw*
gri 304, esrs e4 = biodiversity
gri 305, esrs e1, esrs e1-6 = greenhouse gas*
gri 305-1 = scope 1
gri 305-2 = scope 2
gri 305-3 = scope 3
gri 305-5, esrs e1-4 = target*; greenhouse gas*
gri 306, gri 306-3, gri 306-4, gri 306-5, esrs e5, esrs e5-5 = waste
gri 403, gri 403-9, gri 403-10, esrs s1-14 = injur*; health and safety
gri 404, gri 404-1, esrs s1-13 = training
gri 405, gri 405-1, esrs s1-9 = women; manage*
gri 405-2, esrs s1-16 = equal pay
gri 414, esrs s2 = supplier*; human rights
esrs e1-8 = internal carbon price
`;

const lines = (text: string) => text.trim().split('\n');
const list = (text: string, separator: string | RegExp) => text.split(separator).map((part) => part.trim());

/** The table's lines, each as what the one thing is called. A trailing `*` leaves the end of the word open. */
export const concepts: readonly (readonly string[])[] = lines(table).map((line) =>
  list(line, /[|,]/).filter((name) => name !== ''),
);

/** Codes of reporting standards, and names of {@link concepts} for what each asks for. */
export const disclosureCodes: ReadonlyMap<string, readonly string[]> = new Map(
  lines(codes).flatMap((line) => {
    const [names = '', subjects = ''] = list(line, '=');
    return list(names, ',').map((name) => [name, list(subjects, ';')] as const);
  }),
);

/** Words of questions that no page is found by. */
export const questionWords: ReadonlySet<string> = new Set(
  `a about according after all also am an and any are as at be been before between both but by can could did do does doing during each
  for from further get gets give given had has have how if in into is it its itself just many me more most much my no nor not of off on or other our out
  over own per please report reports reported reporting s say said says should show so some such t tell than that the their them then there these they this those through
  to too under until up us use used uses using very want wants was we were what when where which while who whom whose why will with would you your big biggest large
  page pages document named name there here year years end start come comes take takes took compared with value level amount
  number happen happened state states stated mention mentioned mentions make makes sure put company group find cover covers answer
  aber alle als am an auch auf aus bei bin bis das dass dem den der des die dies diese dieser durch ein eine einem einen einer eines er es
  fur gegen gibt hat haben ich ihr ihre im in ist kann laut mit nach nicht noch nur oder ob sein seine sich sie sind so uber um und unter vom von vor war waren
  warum was welche welchem welchen welcher welches wenn wer werden wie wieviel viel viele hoch wird wo woher wurde wurden zu zum zur bericht berichte
  au aux avec ce ces cette chez combien comment dans de des du elle en est et etre il ils la le les leur leurs lors mais ne nous on ou par
  pas plus pour pourquoi qu que quel quelle quelles quels qui sa sans se ses son sont sur un une y a d l rapport fois finissent
  al como con cual cuales cuando cuanta cuantas cuanto cuantos de del donde el ella ellos en entre era es esta estan este esto fue fueron ha hay
  la las lo los mas no o para pero por porque que quien quienes se ser si sin sobre son su sus tiene tienen un una y informe
  agli ai al alla alle anche c che chi ci come cosa da dal dalla dei degli della delle di e gli ha hanno i il nei nel nell nella per perche quale
  quali quando quante quanti quanto sono stata state stati stato su sul sulla tra fra uno relazione
  aan als bij dan dat deze die dit door een er heeft hebben het hoe hoeveel hun ja kan met naar niet of om onder ook op te tot uit van vanuit
  veel voor waar waarom waren wat welk welke werd werden wie worden wordt zich zijn zoals groot jaarverslag verslag
  att av dar den det ett fran for fore gor ha hade har hur i inte kan man manga med mellan mot mycket nar och om pa rapport rapporten sig som till
  under ut vad var varfor vem vid vilka vilken vilket ar
  ao aos com como da das do dos em entre essa esse foi foram ha isso ja mas na nas nos num numa os ou pela pelas pelo pelos qual
  quais quanta quantas quanto quantos quem sao sem ser seu seus sua suas tem tinha um uma relatorio`
    .split(/\s+/)
    .filter((word) => word !== ''),
);
