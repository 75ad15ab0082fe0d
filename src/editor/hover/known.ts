import { cikKey } from '../../identifiers/codes.ts';
import type { Found } from '../../identifiers/find.ts';
import type { LibraryCompany } from '../../library/companyQuery.ts';
import type { LibraryCalls } from '../../library/library.ts';
import type { Services } from '../../services.ts';

const mostAlike = 20;

/**
 * The library on this machine of whoever is signed in; undefined when nobody is. Asks the service nothing: what a hover
 * or a link shows is what is here.
 */
export async function signedInLibrary(services: Services, signal: AbortSignal): Promise<LibraryCalls | undefined> {
  const session = await services.ready();
  if (!('connection' in session) || signal.aborted) return undefined;
  return (await services.library()).library.withSignal(signal);
}

/** The companies that an identifier names, exactly; several when it names several. */
export async function companiesOf(library: LibraryCalls, { kind, value }: Found): Promise<readonly LibraryCompany[]> {
  switch (kind) {
    case 'ticker':
      return present(await library.company(value.replace(':', '_')));
    case 'company-key':
      return present(await library.company(value));
    case 'isin':
    case 'lei':
    case 'figi':
      return alike(library, value, (company) => company[kind]?.toUpperCase() === value);
    case 'cik': {
      const spellings = [...new Set([value, cikKey(value), value.replace(/^0+/, '')])];
      for (const spelling of spellings) {
        const found = await alike(library, spelling, ({ cik }) => cik !== null && cikKey(cik) === cikKey(value));
        if (found.length > 0) return found;
      }
      return [];
    }
    case 'report-key':
      return [];
    default:
      return kind satisfies never;
  }
}

/** The index of words finds what begins alike; only what is the same counts. */
async function alike(
  library: LibraryCalls,
  value: string,
  isSame: (company: LibraryCompany) => boolean,
): Promise<readonly LibraryCompany[]> {
  return (await library.findCompanies(value, mostAlike)).filter(isSame);
}

function present(company: LibraryCompany | null): readonly LibraryCompany[] {
  return company ? [company] : [];
}
