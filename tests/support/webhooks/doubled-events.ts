/**
 * Returns the changes for which more than one event arrived. A delivery that is repeated keeps its event's `webhook-id`, so two ids are two events.
 * @param change names a change that was made once
 */
export function doubledEvents(arrivals: Iterable<{ change: string; id: string }>): string[] {
  const ids = new Map<string, Set<string>>();
  for (const { change, id } of arrivals) ids.set(change, (ids.get(change) ?? new Set()).add(id));
  return [...ids].filter(([, found]) => found.size > 1).map(([change]) => change);
}
