import type { Dataset } from "../data/dataset.ts";
import type { LoadGenerator } from "../load/workload.ts";
import type { Options } from "../options.ts";

/** What sections are measured with. Databases are made when they are asked for; whoever asks again gets a new key. */
export interface Bench {
  options: Options;
  generator: LoadGenerator;
  /** of the PostgreSQL server */
  serverUrl: string;
  /** the big database */
  main: () => Promise<Dataset>;
  /** the one to compare it with */
  small: () => Promise<Dataset>;
}
