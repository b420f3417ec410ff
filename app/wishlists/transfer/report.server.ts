import { csvRecord } from "../../platform/csv.ts";
import { importProblems } from "./import.server.ts";

/** More than are kept. */
const ALL = 100_000;

/** What is wrong with a file, as a CSV file; of an import that is not the shop's, or had nothing wrong, only the names of its columns. */
export async function problemReport(shopId: number, importId: string): Promise<string> {
  const problems = await importProblems(shopId, importId, ALL);
  const records = problems.map(({ line, field, problem }) => csvRecord([String(line), field, problem]));
  return csvRecord(["line", "field", "problem"]) + records.join("");
}
