/** The labels of a metric with their values; an empty list for values that are bounded but not known in advance. */
export type Labels<Label extends string> = Readonly<Record<Label, readonly string[]>>;
export type LabelValues<Label extends string> = Readonly<Record<Label, string | number>>;

export function labelNamesOf<Label extends string>(labels: Labels<Label> | undefined): Label[] {
  const names: Label[] = [];
  for (const name in labels) names.push(name);
  return names;
}

/** Returns every combination of label values that is known in advance. */
export function combinations<Label extends string>(
  labels: Labels<Label> | undefined,
): Partial<Record<Label, string>>[] {
  let found: Partial<Record<Label, string>>[] = [{}];
  for (const name of labelNamesOf(labels)) {
    found = found.flatMap((before) => (labels?.[name] ?? []).map((value) => ({ ...before, [name]: value })));
  }
  return found;
}
