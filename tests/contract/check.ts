// The first half of `npm run check:api`: fails when docs/openapi.json or the collection is not what the endpoints declare.
import path from "node:path";
import { fileURLToPath } from "node:url";
import { committed, publishedFiles, refusal, refusedBreaks } from "./published.ts";

const { openapi, collection } = publishedFiles();
const breaks = await refusedBreaks(openapi);
if (breaks.length > 0) {
  process.stdout.write(refusal(breaks));
  process.exitCode = 1;
}
for (const file of [openapi, collection]) {
  if ((await committed(file)) === file.text) continue;
  const name = path.relative(process.cwd(), fileURLToPath(file.file));
  process.stdout.write(`${name} is out of date. Run \`npm run api:write\` and commit the result.\n`);
  process.exitCode = 1;
}
