function nameOf(answer: Response): string {
  return /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "")?.[1] ?? "";
}

/**
 * Fetches a small file as App Bridge lets it be fetched, with the merchant's session (a link in the admin's frame has none), and hands it to
 * the browser under the name that it comes with.
 * @returns false when it could not be had
 */
export async function download(path: string): Promise<boolean> {
  try {
    const answer = await fetch(path);
    if (!answer.ok) return false;
    saveFile(await answer.blob(), nameOf(answer));
    return true;
  } catch {
    return false;
  }
}

/** Has the browser save a file under a name. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  follow(address, name);
  // The browser has read the file by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Has the browser save what is at an address, without leaving the page. */
export function follow(address: string, name = ""): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
}
