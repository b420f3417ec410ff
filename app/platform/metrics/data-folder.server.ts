import { gauge, sharedReading } from "./metrics.server.ts";

/** What is measured of the embedded database's folder. The process that runs the database reads it. */
interface DataFolder {
  backupSeconds: number;
  usedRatio: number;
}

type Read = () => Promise<DataFolder | undefined>;

let current: Read = () => Promise.resolve(undefined);
const reading = sharedReading(10_000, () => current());

/** Turns on the metrics of the data folder, which have no values with an external database. */
export function measureDataFolder(read: Read): void {
  current = read;
}

gauge(
  "backup_age_seconds",
  "Time since the last backup of the embedded database, or since its creation when there is none",
  undefined,
  async () => {
    const folder = await reading();
    return folder && [{ labels: {}, value: folder.backupSeconds }];
  },
);

gauge(
  "data_disk_used_ratio",
  "Share of the disk of the embedded database that is used, from 0 to 1",
  undefined,
  async () => {
    const folder = await reading();
    return folder && [{ labels: {}, value: folder.usedRatio }];
  },
);
