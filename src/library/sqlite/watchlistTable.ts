import type { Company } from '../../api/schemas/company.ts';
import type { CompanyTable } from './companyTable.ts';
import type { Connection } from './connection.ts';

const unconfirmed = 2;

/** Which companies the watchlist names. While it is read anew, those not yet named again stay watched. */
export class WatchlistTable {
  readonly #connection: Connection;
  readonly #companies: CompanyTable;

  constructor(connection: Connection, companies: CompanyTable) {
    this.#connection = connection;
    this.#companies = companies;
  }

  begin(): void {
    this.#connection.run('UPDATE companies SET watched = ? WHERE watched = 1', unconfirmed);
  }

  keep(company: Company): boolean {
    return this.#companies.watch(company);
  }

  end(): string[] {
    const dropped = this.#connection.all('SELECT company_key FROM companies WHERE watched = ?', unconfirmed);
    this.#connection.run('UPDATE companies SET watched = 0 WHERE watched = ?', unconfirmed);
    return dropped.map(([key]) => String(key));
  }
}
