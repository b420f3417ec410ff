import type { Dataset } from "../data/dataset.ts";
import type { LoadGenerator } from "../load/workload.ts";
import type { Options } from "../options.ts";

/** Context of a section. Databases are created on demand; each call creates a new API key. */
export interface Bench {
  options: Options;
  generator: LoadGenerator;
  /** URL of the PostgreSQL server */
  serverUrl: string;
  /** Returns the large database. */
  main: () => Promise<Dataset>;
  /** Returns the small database, for comparison. */
  small: () => Promise<Dataset>;
}
