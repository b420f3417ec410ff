import { csvRecord } from "../../platform/text/csv.ts";
import { MAX_PROBLEMS } from "./import-data.ts";
import { importProblems } from "./import-status.server.ts";

/** More than an import has: the file's own problems, those of unknown items and those of the dry run. */
const ALL = 10 * MAX_PROBLEMS;

/** Returns the problems of a file as CSV; without problems, or for another shop's import, only the names of the columns. */
export async function problemReport(shopId: number, importId: string): Promise<string> {
  const problems = await importProblems(shopId, importId, ALL);
  const records = problems.map(({ line, field, problem }) => csvRecord([String(line), field, problem]));
  return csvRecord(["line", "field", "problem"]) + records.join("");
}
