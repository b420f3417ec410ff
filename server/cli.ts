#!/usr/bin/env node
import { runProgram } from "./commands/program.ts";

/** `npm run -s wishlist -- …`: the command line for operators. */
process.exitCode = await runProgram(process.argv.slice(2), process);
