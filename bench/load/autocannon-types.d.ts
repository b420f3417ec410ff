// autocannon has no types. These are the parts that autocannon.ts uses.
declare module "autocannon" {
  interface RequestOptions {
    method?: string;
    path?: string;
    headers?: Record<string, string>;
    body?: string | undefined;
  }

  interface Result {
    requests: { total: number };
    throughput: { total: number };
    latency: { p99: number };
    /** seconds */
    duration: number;
    errors: number;
    timeouts: number;
    non2xx: number;
  }

  export default function autocannon(options: {
    url: string;
    connections: number;
    /** seconds */
    duration: number;
    requests: { setupRequest: (request: RequestOptions) => RequestOptions }[];
  }): Promise<Result>;
}
