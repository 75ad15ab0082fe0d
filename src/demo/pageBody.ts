/**
 * The body of a page (PAG-1) from items that are JSON already: kept bytes are put together, where parsing and writing
 * the same reports again would be most of the work of a page.
 */
export function pageBody(items: readonly Uint8Array[], pageInfo: object): Uint8Array {
  const parts: Uint8Array[] = [Buffer.from('{"data":[')];
  for (const [index, item] of items.entries()) parts.push(...(index > 0 ? [comma] : []), item);
  parts.push(Buffer.from(`],"page_info":${JSON.stringify(pageInfo)}}`));
  return Buffer.concat(parts);
}

const comma = Buffer.from(',');
