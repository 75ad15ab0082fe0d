import { isCoreReportType } from '../../../api/schemas/reportTypes.ts';
import { hashOf } from '../../random.ts';
import { assuranceOf } from '../assurance.ts';
import { labelOf, periodOf } from '../calendar.ts';
import type { PlannedReport } from '../plan.ts';
import { firstFiscalYear } from '../profile.ts';
import { reportTitle } from '../reports.ts';
import { titleIn } from '../titles.ts';
import { drawContents, drawCover, drawMargins } from './cover.ts';
import { writtenDate } from './dates.ts';
import { Flow } from './flow.ts';
import { shownPart } from './latin.ts';
import { sectionsOf } from './outline.ts';
import type { Colour } from './paper.ts';
import { Paper } from './paper.ts';
import type { Subject } from './sections.ts';
import { drawSection } from './sections.ts';
import type { SectionId } from './words/words.ts';
import { wordsIn } from './words.ts';

const accents: readonly Colour[] = [
  [11, 83, 69],
  [21, 67, 96],
  [110, 44, 0],
  [81, 46, 95],
  [26, 82, 118],
  [120, 66, 18],
  [14, 98, 81],
  [100, 30, 22],
];

export interface DrawnPdf {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly pages: number;
}

/**
 * Draws a report's PDF: cover, contents, text, tables and a chart in the report's language. A bilingual report has a
 * summary in its second one. What the standard fonts can't show is told in English.
 * @param fileVersion counts revisions of the file; each gives other bytes.
 */
export function drawReport(planned: PlannedReport, reportId: number, fileVersion: number): DrawnPdf {
  const subject = subjectOf(planned);
  const { company } = planned.profile;
  const accent = accents[hashOf(company.company_key) % accents.length] ?? [33, 37, 41];
  const period = periodOf(planned.fiscalYear ?? (planned.coverYear || 2021), company.fiscal_year_end_month);
  const title = shownPart(reportTitle(planned, period)) || titleIn(planned.type, 'en', String(planned.coverYear || ''));
  const mark = hashOf(`${planned.key} ${reportId} ${fileVersion}`).toString(16).toUpperCase().padStart(8, '0');
  const [language = 'en', second] = shownLanguages(planned.lang);
  const paper = Paper.create({
    title,
    author: company.company_name,
    language,
    created: `${Math.max(2016, planned.fiscalYear ?? planned.coverYear)}-12-31`,
    fileId: mark.repeat(4),
  });
  const words = wordsIn(language);
  drawCover(paper, accent, {
    company: company.company_name,
    title,
    fiscalYear: subject.fiscal(language),
    revision: fileVersion > 0 ? words.revised.replace('{n}', String(fileVersion + 1)) : null,
    note: words.fictional,
  });
  // The contents come once the page numbers are known.
  paper.addPage();
  const entries: { readonly title: string; readonly page: number }[] = [];
  const flow = new Flow(paper, accent);
  const draw = (id: SectionId, inLanguage: string) => {
    flow.keep(130);
    entries.push({ title: wordsIn(inLanguage).sections[id].heading, page: flow.page });
    drawSection(flow, id, subject, inLanguage);
  };
  for (const id of sectionsOf(planned.type)) if (id !== 'assurance' || subject.assured) draw(id, language);
  if (second) for (const id of summaryOf(planned.type)) draw(id, second);
  paper.turnTo(2);
  drawContents(paper, accent, words.contents, entries);
  drawMargins(paper, { company: company.company_name, title, page: words.page, note: words.fictional });
  return { bytes: paper.bytes(), pages: paper.pages };
}

function subjectOf(planned: PlannedReport): Subject {
  const { profile, type, fiscalYear } = planned;
  const year = fiscalYear ?? (planned.coverYear || 2021);
  const period = periodOf(year, profile.company.fiscal_year_end_month);
  const label = labelOf(year, period, profile.yearLabel);
  const assurance = assuranceOf({ profile, type, fiscalYear });
  const provider = assurance.assurance_provider;
  return {
    profile,
    year,
    label,
    firstYear: Math.max(firstFiscalYear, year - 3),
    provider: typeof provider === 'string' ? provider : '',
    standard: String(assurance.assurance_standard ?? ''),
    assured: typeof provider === 'string' && assurance.independent_assurance_report_included === true,
    start: (language) => writtenDate(period.start, language),
    end: (language) => writtenDate(period.end, language),
    fiscal: (language) =>
      fiscalYear === null
        ? null
        : wordsIn(language)
            .fiscalYear.replace('{label}', label)
            .replace('{start}', writtenDate(period.start, language))
            .replace('{end}', writtenDate(period.end, language)),
  };
}

function summaryOf(type: string): readonly SectionId[] {
  return isCoreReportType(type) || sectionsOf(type).includes('climate') ? ['about', 'climate', 'method'] : ['topic'];
}

/** The report's languages as far as the standard fonts can show them; English stands in for the others. */
function shownLanguages(lang: string): readonly string[] {
  const shown = lang.split(';').map((language) => (wordsIn(language) === wordsIn('en') ? 'en' : language));
  return [...new Set(shown)];
}
