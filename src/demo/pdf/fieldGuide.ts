import type { Column, ColumnGroup } from '../../api/schemas/fields.ts';
import { fieldGroupLabel } from '../../api/schemas/fields.ts';
import { drawContents, drawCover, drawMargins, Flow } from './flow.ts';
import { type Colour, Paper } from './paper.ts';

const accent: Colour = [38, 70, 83];
const title = 'Field Guide: the 50 metadata fields';
const company = 'Report Library demo service';
const note = 'Made by the demo service.';

/** The field guide as a PDF (META-1): every column with its API field, type and meaning, in dictionary order. */
export function createFieldGuide(columns: readonly Column[]): Uint8Array<ArrayBuffer> {
  const paper = new Paper({ title, author: company, language: 'en', created: '2025-01-01', fileId: 0x46494c44 });
  drawCover(paper, accent, { company, title, lines: ['Schema version V3'], note });
  paper.addPage();
  paper.endFrontMatter();
  const flow = new Flow(paper, accent);
  const entries: { readonly title: string; readonly page: number }[] = [];
  flow.heading('How to read a value');
  flow.paragraph(
    'Metadata values are text, as in a bulk delivery file; the typed fields of the interface hold the same facts. An unknown value is an empty text in metadata and null in a typed field.',
  );
  flow.paragraph(
    'A boolean has three states. TRUE: the report applies the standard or has the feature. FALSE: evidence was found that it does not. Empty: undetermined. Standards and assurance fields are taken from what the report states; they are not an audit.',
  );
  flow.paragraph(
    'The year in a report key is the cover year. The fiscal year is the year in which the reporting period ends.',
  );
  for (const group of ['report', 'company', 'disclosure'] satisfies ColumnGroup[]) {
    flow.keep(130);
    entries.push({ title: fieldGroupLabel(group), page: paper.pages });
    flow.heading(fieldGroupLabel(group));
    for (const column of columns) {
      if (column.group !== group) continue;
      const field = column.apiField === column.name ? '' : `, API field ${column.apiField}`;
      flow.entry(`${column.number}. ${column.name}`, `${column.type}${field}`, `${column.label}. ${column.meaning}`);
    }
  }
  paper.turnTo(2);
  drawContents(paper, accent, 'Contents', entries);
  drawMargins(paper, { company, title, page: 'Page', note });
  return paper.bytes();
}
