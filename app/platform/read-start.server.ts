/**
 * Reads the first bytes of a response's body as text. The rest is not received.
 * @param limit bytes
 */
export async function readStart({ body }: Pick<Response, "body">, limit: number): Promise<string> {
  if (!body) return "";
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let left = limit;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += decoder.decode(part.value.subarray(0, left), { stream: true });
    left -= part.value.byteLength;
    if (left <= 0) {
      await reader.cancel();
      break;
    }
  }
  return text;
}
