// `npm run api:write`: writes docs/openapi.json, the collection for API clients, and what is written from the records of events. Refuses changes that break clients, unless they were accepted.
import { mkdir, writeFile } from "node:fs/promises";
import { publishedFiles, refusal, refusedBreaks } from "./published.ts";

const { openapi, others } = await publishedFiles();
const breaks = await refusedBreaks(openapi);
if (breaks.length > 0) {
  process.stderr.write(refusal(breaks));
  process.exitCode = 1;
} else {
  for (const { file, text } of [openapi, ...others]) {
    await mkdir(new URL(".", file), { recursive: true });
    await writeFile(file, text);
  }
}
