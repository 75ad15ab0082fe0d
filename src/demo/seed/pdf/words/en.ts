import type { Words } from './words.ts';

export const en: Words = {
  group: ',',
  decimal: '.',
  theCompany: 'The company',
  contents: 'Contents',
  page: 'Page',
  fictional: 'Fictional company. Made for demonstration.',
  fiscalYear: 'Fiscal year {label}: {start} to {end}',
  revised: 'Revised edition {n}',
  emissions: {
    caption: 'Greenhouse gas emissions, tonnes of CO2 equivalent',
    scope1: 'Scope 1: direct emissions',
    scope2Location: 'Scope 2: location-based',
    scope2Market: 'Scope 2: market-based',
    scope3: 'Scope 3: value chain',
    total: 'Total (market-based)',
    change: 'Change',
    chart: 'Scope 1 and Scope 2 (market-based), thousand tonnes of CO2 equivalent',
  },
  resources: {
    caption: 'Energy and water',
    energy: 'Energy consumption (GWh)',
    renewable: 'Renewable electricity (%)',
    water: 'Water withdrawal (thousand m³)',
  },
  figures: {
    caption: 'Key figures',
    revenue: 'Revenue ({currency} million)',
    result: 'Operating result ({currency} million)',
    employees: 'Employees at year end',
  },
  sections: {
    about: {
      heading: 'About this report',
      paragraphs: [
        '{company} presents its performance for the fiscal year {label}, which ran from {start} to {end}. The report covers the parent company and every subsidiary under its operational control, unless a table states a narrower boundary.',
        'We wrote it for investors, employees, customers and the communities near our sites. Figures of earlier years have been restated where a method changed; each restatement is marked below the table concerned.',
      ],
    },
    strategy: {
      heading: 'Strategy and targets',
      paragraphs: [
        'Our strategy rests on three commitments: to lower emissions in line with the goals of the Paris Agreement, to use less water and material for each unit that we deliver, and to offer safe and fair work throughout the value chain. The executive board reviews progress every quarter.',
        'Against the base year {base}, Scope 1 and Scope 2 emissions have changed by {change} per cent. Capital projects above the approval threshold are assessed with an internal carbon price, and half of the long-term incentive of senior managers depends on the targets named here.',
      ],
    },
    climate: {
      heading: 'Climate and emissions',
      paragraphs: [
        'Direct emissions amounted to {scope1} tonnes in the fiscal year {label}. They come from stationary combustion, our own vehicles and process emissions. Purchased electricity is reported by location and by market; {renewable} per cent of it came from renewable sources.',
        'Scope 3 is dominated by purchased goods and by the use of what we sell. Where suppliers gave no primary data, we used spend-based factors. The share of primary data grows each year, and with it the accuracy of the total.',
      ],
    },
    resources: {
      heading: 'Energy and water',
      paragraphs: [
        'Energy management systems are in place at all large sites. Heat recovery, better insulation and the replacement of old drives brought the largest savings. Water is drawn mostly from municipal supply; sites in regions under water stress follow a plan of their own.',
      ],
    },
    people: {
      heading: 'People',
      paragraphs: [
        'Health and safety come first. Every site holds a monthly safety review, and near misses are reported as carefully as accidents. Training hours rose again, most of them spent on new equipment and digital skills.',
        'We pay equal wages for equal work and publish the results of our annual review. Employee representatives take part in decisions on shift patterns, new technology and the protection of personal data.',
      ],
    },
    governance: {
      heading: 'Governance',
      paragraphs: [
        'The supervisory body meets at least six times a year. A committee of independent members oversees sustainability, receives the internal audit reports and prepares the decisions of the full board. Its members attend training on climate and human rights each year.',
        'The code of conduct applies to all employees and business partners. Concerns can be raised in confidence through an external channel, and every case is followed up and reported in anonymous form.',
      ],
    },
    method: {
      heading: 'Methods and boundaries',
      paragraphs: [
        'Emissions are calculated according to the GHG Protocol with the operational control approach. Factors come from national inventories and are updated once a year. Figures are rounded, so that totals may differ slightly from the sum of their parts.',
      ],
    },
    assurance: {
      heading: 'Independent assurance statement',
      paragraphs: [
        'To the management: we have carried out an assurance engagement on selected indicators of this report in accordance with {standard}. Our work comprised inquiries, analytical procedures and tests on a sample basis. Nothing has come to our attention that causes us to believe that the indicators have not been prepared, in all material respects, in line with the reporting criteria.',
        '{provider}',
      ],
    },
    business: {
      heading: 'Business review',
      paragraphs: [
        '{company} looks back on a demanding fiscal year {label}. Order intake was uneven across regions, input costs stayed volatile, and delivery times returned to normal only in the second half. Productivity programmes offset most of the burden.',
        'Investment focused on the renewal of existing plants and on information technology. The financial position remains sound: net debt fell, and all credit agreements were met throughout the year.',
      ],
    },
    outlook: {
      heading: 'Risks and outlook',
      paragraphs: [
        'The main risks lie in energy prices, interruptions of supply, cyber attacks and changes in regulation. Each risk has an owner on the executive board, and its likelihood and effect are assessed twice a year. We expect moderate growth at stable margins for the coming year.',
      ],
    },
    topic: {
      heading: 'Purpose and scope',
      paragraphs: [
        'This document covers a single subject and completes our annual reporting. {company} publishes it so that specialists find the facts in one place, with the same boundaries and definitions as in the main report.',
        'The departments in charge collected the information, the legal department checked it, and the executive board approved it for publication. Comments are welcome and are considered in the next issue.',
        'Progress is measured by the indicators that we agreed with our stakeholders. Where a target was missed, we state the reasons and the corrective action. Targets that have been met are replaced by more demanding ones.',
      ],
    },
  },
};
