import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where Linux tells of mains and batteries. Other systems tell it to no file, and count as running on mains. */
const powerSupplies = '/sys/class/power_supply';

/** Whether the machine runs on its battery: one that drains, while no mains is connected. False where nothing tells. */
export async function runsOnBattery(folder = powerSupplies): Promise<boolean> {
  const names = await readdir(folder).catch(() => []);
  const supplies = await Promise.all(
    names.map(async (name) => {
      const [type, online, status] = await Promise.all(
        ['type', 'online', 'status'].map((file) => readFile(join(folder, name, file), 'utf8').catch(() => '')),
      );
      return { type: type?.trim(), online: online?.trim(), status: status?.trim() };
    }),
  );
  const isConnected = supplies.some(({ type, online }) => type !== 'Battery' && online === '1');
  return !isConnected && supplies.some(({ type, status }) => type === 'Battery' && status === 'Discharging');
}
