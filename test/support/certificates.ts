import { generate } from 'selfsigned';

/** A key and certificate, PEM. */
export interface Credentials {
  readonly key: string;
  readonly cert: string;
}

const hour = 3_600_000;

/** A certificate authority of the test's own. */
export async function makeAuthority(name = 'Test Authority'): Promise<Credentials> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, digitalSignature: true },
    ],
  });
  return { key, cert };
}

/** A server's certificate by that authority, for names and 127.0.0.1. A negative `validFor`, ms, is over already. */
export async function issue(
  authority: Credentials,
  names: readonly string[] = [],
  validFor = 24 * hour,
): Promise<Credentials> {
  const now = Date.now();
  const { private: key, cert } = await generate([{ name: 'commonName', value: names[0] ?? 'server' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    ca: authority,
    notBeforeDate: new Date(now - 48 * hour),
    notAfterDate: new Date(now + validFor),
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [{ type: 7, ip: '127.0.0.1' }, ...names.map((value) => ({ type: 2 as const, value }))],
      },
    ],
  });
  return { key, cert };
}
