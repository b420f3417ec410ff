/**
 * Fetches a small file as App Bridge lets it be fetched, with the merchant's session, and hands it to the browser.
 * @returns false when it could not be had
 */
export async function download(path: string, name: string): Promise<boolean> {
  try {
    const answer = await fetch(path);
    if (!answer.ok) return false;
    const address = URL.createObjectURL(await answer.blob());
    follow(address, name);
    // The browser has taken it over by then.
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
    return true;
  } catch {
    return false;
  }
}

/** Has the browser save what is at an address, without leaving the page. */
export function follow(address: string, name = ""): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
}
