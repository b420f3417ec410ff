/** One line of Prometheus' text format. */
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** Parses Prometheus' text format. */
export function samplesOf(text: string): Sample[] {
  return text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [, name = "", labels = "", value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      if (name === "") throw new Error(`not a sample: ${line}`);
      return {
        name,
        labels: Object.fromEntries(
          Array.from(labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g), ([, label = "", text = ""]) => [label, text]),
        ),
        value: Number(value),
      };
    });
}
