/** Returns 212 random bits in 64 characters, the most that the service takes. */
export function newGuest(): string {
  return (crypto.randomUUID() + crypto.randomUUID()).slice(8);
}
