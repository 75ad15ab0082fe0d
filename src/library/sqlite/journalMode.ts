/** The part of a SQLite version that tells whether the WAL-reset fault is fixed in it. */
function parts(version: string): readonly [number, number, number] {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number.parseInt(part, 10) || 0);
  return [major, minor, patch];
}

/**
 * Whether two connections may share a write-ahead log safely. SQLite up to 3.51.2 can corrupt a database when the log
 * is reset under a second connection; 3.51.3 and the back-ports 3.50.7 and 3.44.6 are sound.
 */
export function walIsSafe(version: string): boolean {
  const [major, minor, patch] = parts(version);
  if (major !== 3) return major > 3;
  if (minor > 51) return true;
  if (minor === 51) return patch >= 3;
  if (minor === 50) return patch >= 7;
  if (minor === 44) return patch >= 6;
  return false;
}

/** `f_type` of file systems that other machines may write to: NFS, SMB and CIFS, and what user-space drivers mount. */
const networkTypes: ReadonlySet<number> = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x65735546, 0x01021997]);

/** Whether a file system, by the type `statfs` tells, is too far away for the shared memory that a log needs. */
export function isNetworkFileSystem(type: number): boolean {
  return networkTypes.has(type >>> 0);
}
