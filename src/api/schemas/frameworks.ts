import { isObject } from '../../base/json.ts';
import { firstText, type OpenEntry, openEntries } from './openShape.ts';

/** A code for the framework filter and its name, if the service gave one (META-1). */
export interface Framework {
  readonly code: string;
  readonly name: string | null;
}

export interface Frameworks {
  readonly frameworks: readonly Framework[];
  readonly raw: unknown;
}

const wrappers = ['frameworks', 'framework', 'codes', 'filters', 'data', 'items', 'results'];
const codeNames = ['code', 'framework', 'key', 'id', 'value', 'slug'];
const labelNames = ['name', 'label', 'title', 'description'];

/**
 * Reads `GET /meta/frameworks`, whose shape is open (META-1): codes, or objects with a code and a name, in an array
 * or in a map by code, wrapped or not. An entry without a code is left to `raw`.
 */
export function readFrameworks(raw: unknown): Frameworks {
  const byCode = new Map<string, Framework>();
  for (const entry of openEntries(raw, wrappers)) {
    const framework = readEntry(entry);
    if (framework && !byCode.has(framework.code)) byCode.set(framework.code, framework);
  }
  return { frameworks: [...byCode.values()], raw };
}

function readEntry({ name, value }: OpenEntry): Framework | null {
  if (name === null) {
    if (typeof value === 'string') return value === '' ? null : { code: value, name: null };
    const code = firstText(value, codeNames);
    return code === null ? null : { code, name: firstText(value, labelNames) };
  }
  if (typeof value === 'string') return { code: name, name: value };
  if (isObject(value)) return { code: firstText(value, codeNames) ?? name, name: firstText(value, labelNames) };
  return value === true || value === null ? { code: name, name: null } : null;
}
