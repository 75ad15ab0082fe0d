import type { Words } from './words.ts';

export const fr: Words = {
  group: '\u00A0',
  decimal: ',',
  theCompany: 'La société',
  contents: 'Sommaire',
  page: 'Page',
  fictional: 'Société fictive. Document de démonstration.',
  fiscalYear: 'Exercice {label} : du {start} au {end}',
  revised: 'Édition révisée {n}',
  emissions: {
    caption: 'Émissions de gaz à effet de serre, en tonnes d’équivalent CO2',
    scope1: 'Scope 1 : émissions directes',
    scope2Location: 'Scope 2 : selon le lieu',
    scope2Market: 'Scope 2 : selon le marché',
    scope3: 'Scope 3 : chaîne de valeur',
    total: 'Total (selon le marché)',
    change: 'Évolution',
    chart: 'Scopes 1 et 2 (selon le marché), en milliers de tonnes d’équivalent CO2',
  },
  resources: {
    caption: 'Énergie et eau',
    energy: 'Consommation d’énergie (GWh)',
    renewable: 'Électricité renouvelable (%)',
    water: 'Prélèvements d’eau (milliers de m³)',
  },
  figures: {
    caption: 'Chiffres clés',
    revenue: 'Chiffre d’affaires (M {currency})',
    result: 'Résultat opérationnel (M {currency})',
    employees: 'Effectif en fin d’exercice',
  },
  sections: {
    about: {
      heading: 'À propos de ce rapport',
      paragraphs: [
        '{company} rend compte de l’exercice {label}, ouvert le {start} et clos le {end}. Le périmètre comprend la société mère et toutes les filiales placées sous son contrôle opérationnel, sauf mention contraire sous un tableau.',
        'Ce rapport s’adresse aux investisseurs, aux salariés, aux clients et aux riverains de nos sites. Lorsque la méthode a changé, les chiffres des années précédentes ont été retraités et signalés comme tels.',
      ],
    },
    strategy: {
      heading: 'Stratégie et objectifs',
      paragraphs: [
        'Notre stratégie repose sur trois engagements : réduire les émissions conformément à l’Accord de Paris, consommer moins d’eau et de matières par unité produite, et offrir un travail sûr et équitable tout au long de la chaîne de valeur. La direction générale examine les progrès chaque trimestre.',
        'Par rapport à l’année de référence {base}, les émissions des scopes 1 et 2 ont évolué de {change} pour cent. Les grands projets sont évalués avec un prix interne du carbone, et une part de la rémunération variable des dirigeants dépend des objectifs présentés ici.',
      ],
    },
    climate: {
      heading: 'Climat et émissions',
      paragraphs: [
        'Les émissions directes se sont élevées à {scope1} tonnes pour l’exercice {label}. Elles proviennent des installations de combustion, des véhicules et des procédés. L’électricité achetée est présentée selon le lieu et selon le marché ; {renewable} pour cent sont d’origine renouvelable.',
        'Le scope 3 est dominé par les achats et par l’usage des produits vendus. En l’absence de données primaires, des facteurs fondés sur les dépenses ont été utilisés. La part des données primaires augmente chaque année.',
      ],
    },
    resources: {
      heading: 'Énergie et eau',
      paragraphs: [
        'Tous les grands sites disposent d’un système de management de l’énergie. La récupération de chaleur, l’isolation et le remplacement d’équipements anciens ont permis les économies les plus importantes. Les sites situés en zone de stress hydrique suivent un plan d’action particulier.',
      ],
    },
    people: {
      heading: 'Femmes et hommes',
      paragraphs: [
        'La santé et la sécurité passent avant tout. Chaque site tient une revue mensuelle, et les presque-accidents sont suivis avec le même soin que les accidents. Le nombre d’heures de formation a encore progressé.',
        'À travail égal, salaire égal : les résultats de notre revue annuelle sont publiés. Les représentants du personnel participent aux décisions sur l’organisation du travail et les nouvelles technologies.',
      ],
    },
    governance: {
      heading: 'Gouvernance',
      paragraphs: [
        'Le conseil d’administration se réunit au moins six fois par an. Un comité composé de membres indépendants suit les questions de durabilité, reçoit les rapports de l’audit interne et prépare les décisions du conseil.',
        'Le code de conduite s’applique à tous les salariés et à tous les partenaires. Les alertes peuvent être transmises en toute confidentialité par un canal externe ; chaque cas est traité.',
      ],
    },
    method: {
      heading: 'Méthodes et périmètre',
      paragraphs: [
        'Les émissions sont calculées selon le GHG Protocol, avec l’approche du contrôle opérationnel. Les facteurs proviennent des inventaires nationaux et sont mis à jour chaque année. En raison des arrondis, les totaux peuvent différer légèrement de la somme des éléments.',
      ],
    },
    assurance: {
      heading: 'Rapport du vérificateur indépendant',
      paragraphs: [
        'À la direction : nous avons vérifié une sélection d’indicateurs de ce rapport selon {standard}. Nos travaux ont compris des entretiens, des procédures analytiques et des tests par sondage. Nous n’avons pas relevé d’anomalie significative de nature à remettre en cause la conformité des indicateurs aux critères retenus.',
        '{provider}',
      ],
    },
    business: {
      heading: 'Activité de l’exercice',
      paragraphs: [
        '{company} a connu un exercice {label} exigeant. Les commandes ont évolué de façon inégale selon les régions, et les coûts d’achat sont restés instables. Les programmes de productivité ont compensé l’essentiel de ces effets.',
        'Les investissements ont porté sur la modernisation des sites et sur les systèmes d’information. La situation financière demeure solide : l’endettement net a reculé et tous les engagements bancaires ont été respectés.',
      ],
    },
    outlook: {
      heading: 'Risques et perspectives',
      paragraphs: [
        'Les principaux risques tiennent au prix de l’énergie, aux ruptures d’approvisionnement, aux cyberattaques et à l’évolution de la réglementation. Chaque risque est suivi par un membre de la direction. Pour l’année à venir, nous attendons une croissance modérée et des marges stables.',
      ],
    },
    topic: {
      heading: 'Objet et champ',
      paragraphs: [
        'Ce document traite d’un seul sujet et complète notre rapport annuel. {company} le publie afin que les spécialistes trouvent les informations en un même lieu, avec le périmètre et les définitions du rapport principal.',
        'Les directions concernées ont réuni les informations, la direction juridique les a contrôlées et la direction générale en a autorisé la publication. Les remarques seront prises en compte dans la prochaine édition.',
        'Les progrès sont mesurés par des indicateurs convenus avec nos parties prenantes. Lorsqu’un objectif n’est pas atteint, nous en exposons les raisons et les mesures correctives.',
      ],
    },
  },
};
