import { format } from "oxfmt";
import config from "../oxfmt.config.ts";

/**
 * Formats a text that a script writes, as `npm run check:format` expects it.
 * @param fileName its ending names the language
 * @throws Error when the text is not of that language
 */
export async function formatText(fileName: string, text: string): Promise<string> {
  const { code, errors } = await format(fileName, text, { printWidth: config.printWidth });
  const [error] = errors;
  if (error) throw new Error(`${fileName} can't be formatted: ${error.message}`);
  return code;
}
