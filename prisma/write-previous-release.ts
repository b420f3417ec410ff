// `npm run db:released`: after a release, makes its schema the one that the next release must keep running. Empties the list of contractions.
import { copyFile, writeFile } from "node:fs/promises";

await copyFile(new URL("schema.sql", import.meta.url), new URL("previous-release.sql", import.meta.url));
await writeFile(new URL("contractions.json", import.meta.url), "{}\n");
