// The first half of `npm run check:api`: fails when a file that `npm run api:write` writes is not what endpoints and events declare.
import path from "node:path";
import { fileURLToPath } from "node:url";
import { committed, publishedFiles, refusal, refusedBreaks } from "./published.ts";

const { openapi, others } = await publishedFiles();
const breaks = await refusedBreaks(openapi);
if (breaks.length > 0) {
  process.stdout.write(refusal(breaks));
  process.exitCode = 1;
}
for (const file of [openapi, ...others]) {
  if ((await committed(file)) === file.text) continue;
  const name = path.relative(process.cwd(), fileURLToPath(file.file));
  process.stdout.write(`${name} is out of date. Run \`npm run api:write\` and commit the result.\n`);
  process.exitCode = 1;
}
