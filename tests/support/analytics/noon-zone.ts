/**
 * A time zone in which it is noon now. Tests do not cross midnight there, and it has no daylight saving time, so that n
 * times 24 hours ago is n days ago.
 */
export function noonZone(): string {
  const hours = 12 - new Date().getUTCHours();
  return `Etc/GMT${hours > 0 ? "-" : "+"}${Math.abs(hours)}`;
}
