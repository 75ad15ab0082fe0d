import type { Connection } from './connection.ts';

/** Named values, stored as JSON. */
export class MetaTable {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  read(name: string): unknown {
    const row = this.#connection.get('SELECT value FROM meta WHERE name = ?', name);
    return row ? JSON.parse(String(row[0])) : null;
  }

  write(name: string, value: unknown): void {
    this.#connection.run(
      'INSERT INTO meta(name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
      name,
      JSON.stringify(value),
    );
  }
}
