interface Runs {
  current: Promise<void>;
  next: Promise<void> | undefined;
}

/**
 * Shares runs of an operation among its callers, per key. At most one run is in progress and one waits. Each caller gets a run that
 * starts after the call, because a run in progress may have read the data before the caller's change.
 * @param failTogether tells for which failures of a run the callers that wait for the next one fail as well
 */
export function coalesced<Key>(
  work: (key: Key) => Promise<void>,
  failTogether: (error: unknown) => boolean = () => false,
): (key: Key) => Promise<void> {
  const keys = new Map<Key, Runs>();

  function begin(key: Key): Promise<void> {
    const runs: Runs = { current: work(key), next: undefined };
    keys.set(key, runs);
    const ended = (): void => {
      if (!runs.next) keys.delete(key);
    };
    runs.current.then(ended, ended);
    return runs.current;
  }

  return (key) => {
    const runs = keys.get(key);
    if (!runs) return begin(key);
    return (runs.next ??= runs.current.then(
      () => begin(key),
      (error: unknown) => {
        if (!failTogether(error)) return begin(key);
        keys.delete(key);
        throw error;
      },
    ));
  };
}
