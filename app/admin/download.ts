function fileNameOf(response: Response): string {
  return /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1] ?? "";
}

/**
 * Fetches a small file and saves it under the name in the response. `fetch` carries the merchant's session token through App Bridge; a link
 * in the admin's iframe would not.
 * @returns false when the request failed
 */
export async function downloadFile(path: string): Promise<boolean> {
  try {
    const response = await fetch(path);
    if (!response.ok) return false;
    saveFile(await response.blob(), fileNameOf(response));
    return true;
  } catch {
    return false;
  }
}

/** Saves a file through the browser. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  openDownload(url, name);
  // The browser needs the URL until it has read the file.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Downloads a URL without leaving the page. */
export function openDownload(url: string, name = ""): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
}
