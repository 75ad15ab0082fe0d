import assert from 'node:assert/strict';
import Papa from 'papaparse';
import * as vscode from 'vscode';
import { writeBack } from '../../../../src/editor/resolve/resultActions.ts';
import type { ResolveEntry } from '../../../../src/panels/lookups.ts';
import { formulaPayloads, harmlessCells } from '../../../support/formulas.ts';
import { resolvedSample } from '../../../support/panels/resolved.ts';

interface Change {
  readonly range: { readonly start: number; readonly end: number };
  readonly newText: string;
}

describe('what is written back', () => {
  const [windowBefore, workspaceBefore] = [{ ...vscode.window }, { ...vscode.workspace }];
  afterEach(() => {
    for (const [now, before] of [
      [vscode.window, windowBefore],
      [vscode.workspace, workspaceBefore],
    ] as const)
      for (const name of Object.keys(now)) if (!(name in before)) Reflect.deleteProperty(now, name);
  });

  /** Opens the editor's document, whose text is newer than the file. */
  function open(read: () => string, write: (text: string) => void): void {
    const document = {
      uri: { path: '/a.csv' },
      isDirty: true,
      ...{ languageId: 'csv', version: 1, lineCount: 3 },
      lineAt: () => ({ range: { end: read().length } }),
      offsetAt: (position: number) => position,
      positionAt: (offset: number) => offset,
      getText: read,
    };
    Object.assign(vscode.workspace, {
      openTextDocument: async () => document,
      async applyEdit({ changes }: { changes: readonly (readonly [unknown, readonly Change[]])[] }) {
        for (const { range, newText } of changes.flatMap(([, edits]) => edits).toReversed())
          write(read().slice(0, range.start) + newText + read().slice(range.end));
        document.version++;
        return true;
      },
    });
  }

  /** The cells added to `A1` for a company of this name and key, by a person who chooses every column. */
  async function written(name: string, chosen: 'Add Apostrophe' | 'Keep as Is' | 'leaves', delimiter = ',') {
    const [sample] = resolvedSample;
    assert.ok(sample?.result?.company);
    const company = { ...sample.result.company, company_key: name, company_name: name };
    const entry: ResolveEntry = { ...sample, query: 'A1', result: { ...sample.result, company } };
    let text = `id${delimiter}note\nA1${delimiter}x\n`;
    open(
      () => text,
      (next) => {
        text = next;
      },
    );
    let wasAsked = false;
    Object.assign(vscode.window, {
      async showQuickPick(items: readonly { label: string }[], { canPickMany }: { canPickMany?: boolean }) {
        if (canPickMany) return items;
        wasAsked = true;
        return items.find(({ label }) => label === chosen);
      },
    });
    await writeBack({ uri: 'file:///a.csv', index: 0, header: 'id' }, [entry]);
    const [, row = []] = Papa.parse<string[]>(text, { delimiter, newline: '\n' }).data;
    return { wasAsked, added: row.slice(2) };
  }

  /** Line breaks and other control characters become a space; the texts that were a formula by those alone are none. */
  const inOneLine = (text: string) => text.replace(/[\r\n\t\0]+/g, ' ');
  const formulas = formulaPayloads.map(inOneLine).filter((text) => text !== ' text');

  it('starts no formula, whichever the service sends and whatever parts the cells', async () => {
    assert.ok(formulas.length >= 20);
    for (const delimiter of [',', ';', '\t', '|'])
      for (const payload of formulaPayloads) {
        const text = inOneLine(payload);
        const isFormula = formulas.includes(text);
        const cell = isFormula ? `'${text}` : text;
        const expected = { wasAsked: isFormula, added: [cell, cell, 'matched', ''] };
        assert.deepEqual(await written(payload, 'Add Apostrophe', delimiter), expected, JSON.stringify(payload));
      }
  });

  it('stands in quotes as the service sent it where a person wants that, and nowhere when they leave', async () => {
    for (const payload of formulaPayloads) {
      const text = inOneLine(payload);
      assert.deepEqual(
        (await written(payload, 'Keep as Is')).added,
        [text, text, 'matched', ''],
        JSON.stringify(payload),
      );
    }
    for (const text of formulas) assert.deepEqual(await written(text, 'leaves'), { wasAsked: true, added: [] });
  });

  it('is told apart where a person chose what an identifier means, and updates columns that are there already', async () => {
    const [sample] = resolvedSample;
    assert.ok(sample?.result?.company);
    const entry = { ...sample, query: 'A1', refined: { text: 'XLON:ORLS', before: sample } };
    let text = 'id,match_status\nA1,ambiguous\n';
    const asked: (readonly string[])[] = [];
    open(
      () => text,
      (next) => {
        text = next;
      },
    );
    const written = await writeBack({ uri: 'file:///a.csv', index: 0, header: 'id' }, [entry], {
      columns: async (suggested) => {
        asked.push(suggested);
        return ['match_status', 'resolved_as'];
      },
      formulas: async () => assert.fail('No formula.'),
      update: async (names) => {
        asked.push(names);
        return true;
      },
      copy: async () => assert.fail('The line breaks are alike.'),
    });
    assert.deepEqual(asked, [['company_key', 'company_name', 'resolved_as'], ['match_status']]);
    assert.equal(text, 'id,match_status,resolved_as\nA1,chosen,XLON:ORLS\n');
    assert.deepEqual([written?.isUpdate, written?.columns], [true, ['match_status', 'resolved_as']]);
  });

  it('is left as it is, without a question, where it only looks a little like a formula', async () => {
    for (const cell of harmlessCells)
      assert.deepEqual(await written(cell, 'leaves'), { wasAsked: false, added: [cell, cell, 'matched', ''] });
  });
});
