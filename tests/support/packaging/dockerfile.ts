/** An instruction of a Dockerfile, its continued lines joined. */
export interface Instruction {
  keyword: string;
  text: string;
}

export interface Stage {
  name: string;
  /** image or stage that it begins with, variables not replaced */
  from: string;
  instructions: Instruction[];
}

export interface Dockerfile {
  /** values of the ARGs before the first stage */
  defaults: Record<string, string>;
  stages: Stage[];
}

/** Parses a Dockerfile, without here-documents. */
export function parseDockerfile(source: string): Dockerfile {
  const lines = source
    .replaceAll(/^\s*#.*\n/gm, "")
    .replaceAll(/\\\n/g, " ")
    .split("\n");
  const defaults: Record<string, string> = {};
  const stages: Stage[] = [];
  for (const line of lines) {
    const [, keyword = "", rest = ""] = /^([A-Z]+)\s+(.*)$/.exec(line.trim()) ?? [];
    if (keyword === "") continue;
    const text = rest.replaceAll(/\s+/g, " ").trim();
    const stage = stages.at(-1);
    if (keyword === "FROM") {
      const [, from = "", name = ""] = /^(?:--\S+ )?(\S+)(?: AS (\S+))?$/.exec(text) ?? [];
      stages.push({ name, from, instructions: [] });
    } else if (stage !== undefined) {
      stage.instructions.push({ keyword, text });
    } else {
      const [name = "", value = ""] = text.split("=");
      defaults[name] = value;
    }
  }
  return { defaults, stages };
}
