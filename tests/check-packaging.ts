// Checks that the container image, compose.yaml, the Kubernetes manifests and the systemd unit agree with each other and with the service.
// Where docker, kubectl or systemd-analyze are installed, they check their files as well. `npm run test:packaging` runs the commands.
import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parse, parseAllDocuments } from "yaml";
import { z } from "zod";
import packageJson from "../package.json" with { type: "json" };
import { parseDockerfile } from "./support/packaging/dockerfile.ts";

const TOP = fileURLToPath(new URL("../", import.meta.url));
/** Seconds that closing connections and the log takes at most, after the last request (server/serve.ts). */
const CLOSE_SECONDS = 10;
/** Connections of one process with DATABASE_POOL_SIZE=10: requests, background work, exports, notifications, monitoring (docs/settings.md). */
const CONNECTIONS = 10 + 4 + 4 + 1 + 1;
/** Connections that PostgreSQL keeps for superusers. */
const RESERVED_CONNECTIONS = 3;
const SECRET = /(?:SECRET|PASSWORD|TOKEN|ENCRYPTION_KEYS|DATABASE_URL|REDIS_URL)/;

const problems: string[] = [];

function expect(condition: boolean, problem: string): void {
  if (!condition) problems.push(problem);
}

function read(file: string): string {
  return readFileSync(TOP + file, "utf8");
}

/** Every setting that docs/settings.md explains. */
const settings = new Set(Array.from(read("docs/settings.md").matchAll(/^\| `([A-Z_]+)`/gm), ([, name = ""]) => name));
const startCommand = packageJson.scripts.start.replace(/^exec /, "");

function expectSettings(names: readonly string[], place: string): void {
  for (const name of names) expect(settings.has(name), `${place}: ${name} is no setting of docs/settings.md`);
}

function checkImage(): void {
  const { defaults, stages } = parseDockerfile(read("Dockerfile"));
  const ignored = read(".dockerignore").split("\n");
  const sent = ignored.filter((line) => line.startsWith("!")).map((line) => line.slice(1));
  const node = packageJson.dependencies.node;
  expect(defaults["NODE"] === node, `Dockerfile: NODE is ${defaults["NODE"] ?? "missing"}, package.json has ${node}`);
  for (const { from, instructions } of stages) {
    expect(
      stages.some(({ name }) => name === from) ||
        /:.*\d/.test(from.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => defaults[name] ?? "")) ||
        from.includes("${DEBIAN}"),
      `Dockerfile: ${from} has no version`,
    );
    for (const { keyword, text } of instructions) {
      if (keyword === "ENV" || keyword === "ARG")
        expect(!SECRET.test(text), `Dockerfile: a secret in ${keyword} ${text}`);
      expect(keyword !== "ADD", "Dockerfile: use COPY, which neither downloads nor unpacks");
      if (keyword !== "COPY" || text.includes("--from=")) continue;
      for (const source of text.split(/\s+/).slice(0, -1)) {
        expect(existsSync(TOP + source), `Dockerfile: COPY ${source}, which does not exist`);
        expect(
          source === "." || sent.some((name) => source === name || source.startsWith(`${name}/`)),
          `Dockerfile: COPY ${source}, which .dockerignore leaves out`,
        );
      }
    }
  }
  const last = stages.find(({ name }) => name === "external")?.instructions ?? [];
  const text = (keyword: string): string => last.find((one) => one.keyword === keyword)?.text ?? "";
  expect(
    /^[1-9]\d*:[1-9]\d*$/.test(text("USER")),
    "Dockerfile: USER must be a number other than 0, as Kubernetes' runAsNonRoot requires",
  );
  expect(text("HEALTHCHECK").includes("/healthz"), "Dockerfile: HEALTHCHECK must request /healthz");
  const command = z.array(z.string()).parse(JSON.parse(text("CMD")));
  expect(command.join(" ") === startCommand, `Dockerfile: CMD is not the command of npm start, ${startCommand}`);
  expect(
    ignored.includes("*") && ignored.includes("**/.env*"),
    ".dockerignore must leave out everything that is not named, and .env",
  );
}

const limits = z.object({ resources: z.object({ limits: z.object({ memory: z.string() }) }) });
const composeService = z.object({
  image: z.string(),
  command: z.union([z.string(), z.array(z.string())]).optional(),
  read_only: z.literal(true),
  cap_drop: z.tuple([z.literal("ALL")]),
  cap_add: z.array(z.enum(["CHOWN", "DAC_OVERRIDE", "FOWNER", "NET_BIND_SERVICE", "SETGID", "SETUID"])).optional(),
  security_opt: z.tuple([z.literal("no-new-privileges:true")]),
  restart: z.string(),
  environment: z.record(z.string(), z.string()).optional(),
  stop_grace_period: z.string().optional(),
  deploy: limits,
});

const mapping = z.record(z.string(), z.unknown());

function readCompose(file: string): unknown {
  return parse(read(file), { merge: true, schema: "core" });
}

/** Merges two Compose files as far as the checks read them: a list of the second one replaces that of the first. */
function mergeCompose(base: unknown, override: unknown): unknown {
  const [left, right] = [mapping.safeParse(base), mapping.safeParse(override)];
  if (!left.success || !right.success) return override ?? base;
  const names = new Set([...Object.keys(left.data), ...Object.keys(right.data)]);
  return Object.fromEntries([...names].map((name) => [name, mergeCompose(left.data[name], right.data[name])]));
}

type ComposeService = z.infer<typeof composeService>;

/**
 * @param file named in the problems
 * @returns the services with a PostgreSQL of the cluster, or the only one
 */
function checkCompose(file: string, content: unknown): [name: string, service: ComposeService][] {
  const { services } = z.object({ services: z.record(z.string(), composeService) }).parse(content);
  let connections = 0;
  for (const [name, { image, environment = {}, stop_grace_period: grace = "10s" }] of Object.entries(services)) {
    if (!image.includes("wishlist-headless")) {
      expect(/:\d/.test(image), `${file}: the image ${image} of ${name} has no version`);
      continue;
    }
    expectSettings(Object.keys(environment), `${file}: ${name}`);
    const needed = Number(environment["SHUTDOWN_DELAY_SECONDS"] ?? 0) + 25 + CLOSE_SECONDS;
    expect(Number.parseInt(grace) >= needed, `${file}: ${name} gets ${grace} to stop and needs ${needed}s`);
    if (environment["WISHLIST_ROLE"] !== undefined) connections += CONNECTIONS;
    expect(
      environment["METRICS_PORT"] !== undefined && (environment["HOST"] ?? "0.0.0.0") === "0.0.0.0",
      `${file}: Prometheus cannot reach the metrics of ${name}`,
    );
  }
  const roles = Object.values(services).map(({ environment }) => environment?.["WISHLIST_ROLE"]);
  for (const role of ["web", "worker"]) expect(roles.includes(role), `${file}: no service has the role ${role}`);
  expect(
    services["migrate"]?.command?.includes("server/migrate.ts") === true,
    `${file}: the service migrate must run server/migrate.ts`,
  );
  const servers = Object.entries(services).filter(([name]) => /^(?:postgres|citus-\d+)$/.test(name));
  for (const [name, { command }] of servers) {
    const allowed = /max_connections=(\d+)/.exec(String(command))?.[1];
    // An update and commands take as many again for a while.
    expect(
      Number(allowed) - RESERVED_CONNECTIONS >= connections * 2,
      `${file}: ${name} has ${allowed ?? "no"} max_connections for ${connections} connections`,
    );
  }
  for (const [, mount = ""] of read(file).matchAll(/- \.\/(\S+?):\//g))
    expect(existsSync(TOP + mount), `${file}: ${mount} does not exist`);
  return servers;
}

function checkComposeFiles(): void {
  const base = readCompose("compose.yaml");
  const [server] = checkCompose("compose.yaml", base);
  expect(server !== undefined, "compose.yaml: the service postgres is missing");
  const nodes = checkCompose("compose.citus.yaml", mergeCompose(base, readCompose("compose.citus.yaml")));
  expect(nodes.length > 2, "compose.citus.yaml: a coordinator and two nodes are needed");
  for (const [name, { image, command }] of nodes) {
    expect(image.startsWith("citusdata/citus:"), `compose.citus.yaml: ${name} runs ${image}`);
    expect(String(command).includes("wal_level=logical"), `compose.citus.yaml: ${name} cannot move shards`);
  }
}

const probe = (target: string) => z.object({ httpGet: z.object({ path: z.literal(target), port: z.literal("http") }) });

const podSpec = z.object({
  terminationGracePeriodSeconds: z.int().default(30),
  automountServiceAccountToken: z.literal(false),
  securityContext: z.object({
    runAsNonRoot: z.literal(true),
    runAsUser: z.int(),
    seccompProfile: z.object({ type: z.literal("RuntimeDefault") }),
  }),
  containers: z.array(
    z.object({
      args: z.array(z.string()).optional(),
      ports: z.array(z.object({ name: z.string(), containerPort: z.int() })).default([]),
      env: z.array(z.object({ name: z.string() })).default([]),
      securityContext: z.object({
        allowPrivilegeEscalation: z.literal(false),
        readOnlyRootFilesystem: z.literal(true),
        capabilities: z.object({ drop: z.tuple([z.literal("ALL")]) }),
      }),
      resources: z.object({
        requests: z.object({ cpu: z.string(), memory: z.string() }),
        limits: z.object({ memory: z.string() }),
      }),
    }),
  ),
});
const served = z.object({
  startupProbe: probe("/healthz"),
  readinessProbe: probe("/readyz"),
  // Not /readyz: a pod must not be replaced because its database is away.
  livenessProbe: probe("/healthz"),
});
const manifest = z.looseObject({ apiVersion: z.string(), kind: z.string() });
const named = manifest.extend({ metadata: z.object({ name: z.string() }) });
const workload = named.extend({ spec: z.object({ template: z.object({ spec: podSpec }) }) });
const job = named.extend({ spec: z.object({ ttlSecondsAfterFinished: z.int().positive().optional() }) });
const deployment = workload.extend({
  spec: z.object({
    replicas: z.int().optional(),
    template: z.object({
      metadata: z.object({ labels: z.record(z.string(), z.string()) }),
      spec: z.object({ containers: z.array(served) }),
    }),
  }),
});
const budget = named.extend({
  spec: z.object({
    maxUnavailable: z.literal(1),
    selector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
  }),
});
const autoscaler = named.extend({
  spec: z.object({ minReplicas: z.int().min(2), scaleTargetRef: z.object({ name: z.string() }) }),
});
/** Without `generatorOptions`, which could leave out the hash of the content in the name. */
const kustomization = z.strictObject({
  apiVersion: z.string(),
  kind: z.string(),
  namespace: z.string(),
  resources: z.array(z.string()),
  configMapGenerator: z.array(
    z.strictObject({ name: z.literal("wishlist-settings"), envs: z.array(z.string()).nonempty() }),
  ),
  labels: z.unknown(),
  images: z.unknown(),
});
const values = z.record(z.string(), z.string());

type Manifest = z.infer<typeof manifest>;

/** Checks that processes outlive an update, a drained node and a failed pod, and that the database is migrated. */
function checkAvailability(find: (kind: string) => Manifest[]): void {
  const budgets = find("PodDisruptionBudget").map((object) => budget.parse(object).spec.selector.matchLabels);
  const scaled = find("HorizontalPodAutoscaler").map((object) => autoscaler.parse(object).spec.scaleTargetRef.name);
  const deployments = find("Deployment").map((object) => deployment.parse(object));
  for (const name of ["wishlist-web", "wishlist-worker", ...scaled])
    expect(
      deployments.some(({ metadata }) => metadata.name === name),
      `there is no Deployment ${name}`,
    );
  for (const { metadata, spec } of deployments) {
    const labels = Object.entries(spec.template.metadata.labels);
    expect(
      budgets.some((selector) =>
        Object.entries(selector).every(([key, value]) => spec.template.metadata.labels[key] === value),
      ),
      `${metadata.name}: no PodDisruptionBudget selects ${labels.map((label) => label.join("=")).join(", ")}`,
    );
    const isScaled = scaled.includes(metadata.name);
    expect(!isScaled || spec.replicas === undefined, `${metadata.name}: replicas beside a HorizontalPodAutoscaler`);
    expect(isScaled || (spec.replicas ?? 1) > 1, `${metadata.name}: one replica is stopped with its node`);
  }
  for (const object of find("Job")) {
    const { metadata, spec } = job.parse(object);
    expect(
      spec.ttlSecondsAfterFinished !== undefined,
      `${metadata.name}: without ttlSecondsAfterFinished it stays for ever`,
    );
  }
  const commands = find("Job").flatMap((object) => workload.parse(object).spec.template.spec.containers);
  expect(
    commands.some(({ args = [] }) => args.includes("server/migrate.ts")),
    "no Job runs server/migrate.ts",
  );
}

/** Returns the settings of a file that kustomize makes a ConfigMap of. */
function readEnvFile(name: string): [string, string][] {
  const lines = read(`ops/kubernetes/${name}`).split("\n");
  return lines.flatMap((line): [string, string][] => {
    const [, key, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
    return key === undefined || value === undefined ? [] : [[key, value]];
  });
}

function checkKubernetes(): void {
  const files = globSync("ops/kubernetes/*.yaml", { cwd: TOP });
  const objects = files.flatMap((file) =>
    parseAllDocuments(read(file)).map((document) => manifest.parse(document.toJS())),
  );
  const find = (kind: string) => objects.filter((object) => object.kind === kind);
  const { resources, configMapGenerator } = kustomization.parse(find("Kustomization")[0]);
  expect(
    find("ConfigMap").length === 0,
    "a ConfigMap without a hash in its name: a change of it would not replace the pods",
  );
  const data = Object.fromEntries(configMapGenerator.flatMap(({ envs }) => envs.flatMap(readEnvFile)));
  expectSettings(Object.keys(data), "ConfigMap");
  expectSettings(Object.keys(values.parse(find("Secret")[0]?.["stringData"])), "Secret");
  const needed = Number(data["SHUTDOWN_DELAY_SECONDS"]) + Number(data["SHUTDOWN_GRACE_SECONDS"]) + CLOSE_SECONDS;
  for (const object of [...find("Deployment"), ...find("Job")]) {
    const { kind, metadata, spec } = workload.parse(object);
    const { terminationGracePeriodSeconds: grace, containers } = spec.template.spec;
    expect(kind === "Job" || grace >= needed, `${metadata.name}: ${grace} s to stop, ${needed} s needed`);
    for (const { env, args = [], ports } of containers) {
      for (const [port, setting] of [
        ["http", "PORT"],
        ["metrics", "METRICS_PORT"],
      ] as const) {
        const number = ports.find((one) => one.name === port)?.containerPort;
        expect(
          kind === "Job" || String(number) === data[setting],
          `${metadata.name}: the port ${port} is ${number ?? "missing"}, and ${setting} is ${data[setting] ?? "missing"}`,
        );
      }
      expectSettings(
        env.map(({ name }) => name),
        metadata.name,
      );
      for (const file of args.filter((argument) => argument.endsWith(".ts")))
        expect(existsSync(TOP + file), `${metadata.name}: ${file} does not exist`);
    }
  }
  checkAvailability(find);
  const applied = files
    .map((file) => path.basename(file))
    .filter((file) => !/^(?:kustomization|.*\.example)\.yaml$/.test(file));
  expect(
    resources.toSorted().join() === applied.toSorted().join(),
    `kustomization.yaml lists ${resources.join(", ")}; the files are ${applied.join(", ")}`,
  );
}

function checkUnit(): void {
  const unit = read("ops/systemd/wishlist.service");
  expect(
    unit.includes(`bin/${startCommand}\n`),
    `wishlist.service: ExecStart is not the command of npm start, ${startCommand}`,
  );
  for (const line of [
    "NoNewPrivileges=true",
    "ProtectSystem=strict",
    "ReadWritePaths=/var/lib/wishlist",
    "Restart=always",
    "LogRateLimitIntervalSec=0",
  ]) {
    expect(unit.includes(`\n${line}\n`), `wishlist.service: ${line} is missing`);
  }
  const backup = read("ops/systemd/wishlist-backup.service");
  expect(
    backup.includes("\nAfter=wishlist.service\n") && /^ExecStartPre=.*\/readyz/m.test(backup),
    "wishlist-backup.service: the backup must wait for the service, which could not open its database meanwhile",
  );
  // systemd looks for the programs that the units name: those of this checkout stand for the installed ones.
  const folder = mkdtempSync(path.join(tmpdir(), "wishlist-units-"));
  const units = ["wishlist.service", "wishlist-backup.service", "wishlist-backup.timer"].map((name) => {
    const copy = path.join(folder, name);
    writeFileSync(copy, read(`ops/systemd/${name}`).replaceAll("/opt/wishlist/", TOP));
    return copy;
  });
  checkWith("systemd-analyze", ["--version"], ["verify", ...units]);
  rmSync(folder, { recursive: true });
}

/**
 * Runs a program that checks its own files, if it is installed.
 * @param version arguments with which the program, or its plugin, prints its version
 */
function checkWith(
  program: string,
  version: readonly string[],
  args: readonly string[],
  env: Record<string, string> = {},
): void {
  if (spawnSync(program, version, { stdio: "ignore" }).status !== 0) return;
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: TOP,
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  process.stdout.write(`${program} ${args.join(" ")}: ${status === 0 ? "passed" : "failed"}\n`);
  if (status !== 0) problems.push(`${program} ${args.join(" ")}:\n${stdout}${stderr}`);
}

checkImage();
checkComposeFiles();
checkKubernetes();
checkUnit();
const variables = { POSTGRES_PASSWORD: "x", REDIS_PASSWORD: "x" };
const compose = ["compose", "--env-file", "/dev/null", "--file", "compose.yaml"];
checkWith("docker", ["compose", "version"], [...compose, "config", "--quiet"], variables);
checkWith(
  "docker",
  ["compose", "version"],
  [...compose, "--file", "compose.citus.yaml", "config", "--quiet"],
  variables,
);
checkWith("kubectl", ["version", "--client"], ["kustomize", "ops/kubernetes", "--output", "/dev/null"]);

if (problems.length > 0) {
  process.stderr.write(`${problems.join("\n")}\n`);
  process.exitCode = 1;
}
