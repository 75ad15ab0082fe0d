import { inflateRawSync } from 'node:zlib';

const endOfDirectory = 'PK\x05\x06';
const stored = 0;

/** The files of a zip archive (without encryption or zip64, as packages are made), by name. */
export function readZip(zip: Buffer): Map<string, Buffer> {
  const end = zip.lastIndexOf(endOfDirectory);
  if (end < 0) throw new Error('This is no zip archive.');
  const files = new Map<string, Buffer>();
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const nameLength = zip.readUInt16LE(at + 28);
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const packed = zip.subarray(start, start + zip.readUInt32LE(at + 20));
    files.set(name, zip.readUInt16LE(at + 10) === stored ? packed : inflateRawSync(packed));
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return files;
}
