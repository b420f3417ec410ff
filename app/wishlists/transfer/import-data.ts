/** What a merchant sees of an import. */
export interface ImportData {
  id: string;
  status: "uploading" | "reading" | "ready" | "running" | "done" | "cancelled" | "failed" | "undoing" | "undone";
  fileName: string;
  /** bytes: of the file, that have come, and that have been read */
  size: number;
  received: number;
  readBytes: number;
  /** lines with something in them, and those of them that can't be imported */
  rowsRead: number;
  rowsInvalid: number;
  /** different items of the file, and how many lists they are in */
  items: number;
  lists: number;
  /** of them, as the dry run foresaw: in no list yet, and in lists that can't take them */
  itemsNew: number;
  itemsRefused: number;
  /** of all, those whose product or variant the catalog does not have */
  itemsUnknown: number;
  /** of the run so far: looked at, added, and lists that could not take theirs */
  itemsDone: number;
  itemsAdded: number;
  listsRefused: number;
  /** removed again, and until when that can be asked for; null when nothing is left to undo */
  itemsUndone: number;
  undoUntil: Date | null;
  createdAt: Date;
  finishedAt: Date | null;
  failedReason: string | null;
}

export interface ProblemData {
  line: number;
  /** "" when it is the whole line */
  field: string;
  problem: string;
}

/** Bytes of a part of the upload: each is a request of its own, so that a slow line needs no long one, and a cut one loses little. */
export const PART_BYTES = 1024 * 1024;

/** Bytes of a file. */
export const FILE_BYTES = 512 * 1024 * 1024;
