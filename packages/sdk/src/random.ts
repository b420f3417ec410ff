/** Returns 128 random bits. (`randomUUID` is missing where a page is not served over HTTPS.) */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
