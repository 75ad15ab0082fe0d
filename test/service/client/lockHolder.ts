import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

// Takes the lock of the shared state and freezes with it, as a suspended window may.
const database = new DatabaseSync(join(process.argv[2] ?? '', 'budget.sqlite'));
database.exec('BEGIN IMMEDIATE');
process.send?.('locked');
process.on('message', () => {
  database.exec('COMMIT');
  database.close();
  process.disconnect();
});
