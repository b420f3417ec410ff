/**
 * A time zone in which it is noon now: nothing there runs over midnight, and as its clocks never change, so many times
 * 24 hours ago is so many days ago.
 */
export function noonZone(): string {
  const hours = 12 - new Date().getUTCHours();
  return `Etc/GMT${hours > 0 ? "-" : "+"}${Math.abs(hours)}`;
}
