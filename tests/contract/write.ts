// `npm run api:write`: writes docs/openapi.json and the collection for API clients. Refuses changes that break clients, unless they were accepted.
import { writeFile } from "node:fs/promises";
import { publishedFiles, refusal, refusedBreaks } from "./published.ts";

const { openapi, collection } = publishedFiles();
const breaks = await refusedBreaks(openapi);
if (breaks.length > 0) {
  process.stderr.write(refusal(breaks));
  process.exitCode = 1;
} else {
  await writeFile(openapi.file, openapi.text);
  await writeFile(collection.file, collection.text);
}
