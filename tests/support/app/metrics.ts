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

/** Sums the samples of a metric that have these labels. */
export function valueOf(
  samples: readonly Sample[],
  name: string,
  labels: Record<string, string> = {},
): number | undefined {
  const found = samples.filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  );
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
}

/** A METRICS_TOKEN for tests. */
export const METRICS_TOKEN = "2f9b7c41d8e6a053";

/** Scrapes a service that has been started with METRICS_TOKEN. */
export async function scrape({ url }: { url: string }): Promise<Sample[]> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  if (response.status !== 200) throw new Error(`the scrape got ${response.status}`);
  return samplesOf(await response.text());
}
