// `npm run test:packaging`: builds and runs the container image. It takes minutes, so it is no part of `npm test`; `npm run check -- packaging`
// checks its files. With a Docker daemon the images are built and run as an operator would; without one, or with `--folders`, the commands of
// the Dockerfile run in clean folders, one for each stage.
import { spawnSync } from "node:child_process";
import { runInEngine } from "./support/packaging/engine.ts";
import { runInFolders } from "./support/packaging/folders.ts";

const hasEngine = spawnSync("docker", ["info"], { stdio: "ignore" }).status === 0;
if (hasEngine && !process.argv.includes("--folders")) await runInEngine();
else await runInFolders();
