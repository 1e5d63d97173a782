import { Effect } from "effect"
import { Setting } from "../../domain/Configuration.ts"
import type { HealthProblem, HealthReport } from "../../domain/Health.ts"
import { healthOf } from "../../enrich/HealthProbe.ts"
import type { ProbeFailed } from "../../enrich/ProbeFailed.ts"
import { VERSION } from "../../version.ts"
import { type Check, fail, type Line, off, ok, PATIENCE, warn } from "./Finding.ts"

/** Where this machine reaches a service that listens at `host`: one that takes every address takes loopback. */
export const reachedAt = (host: string, port: number): string => {
  const bare = host.replace(/^\[(.*)\]$/, "$1")
  const name = bare === "0.0.0.0" ? "127.0.0.1" : bare === "::" ? "::1" : bare
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`
}

const failed = (base: string, { reason, status }: ProbeFailed): Line => {
  switch (reason) {
    case "unreachable":
      return warn(
        "service",
        `none answers at ${base}`,
        "Start it with `linkbower serve`, if it is not to be down."
      )
    case "timeout":
      return fail(
        "service",
        `what listens at ${base} does not answer`,
        "Restart the service, and look into its log."
      )
    default:
      return fail(
        "service",
        `${base} answers, but not as Linkbower does${status === undefined ? "" : ` (${status})`}`,
        "Another program has this port: set PORT to a free one."
      )
  }
}

const versionLine = (base: string, version: string): Line =>
  version === VERSION
    ? ok("service", `version ${version} answers at ${base}`)
    : warn(
        "service",
        `version ${version} answers at ${base}, this program is ${VERSION}`,
        "Restart the service, so that it runs the program that is installed."
      )

/** Each problem that `/healthz` reports: what fails, and what to do about it. */
export const problemLines: Record<HealthProblem, { readonly detail: string; readonly advice: string }> = {
  search: {
    detail: "the search thread is not running",
    advice: "It restarts by itself; if it keeps failing, the log says why."
  },
  "public-search": {
    detail: "the search thread of the public list is not running",
    advice: "It restarts by itself; if it keeps failing, the log says why."
  },
  "storage-full": {
    detail: "the disk is full and nothing can be saved",
    advice: "Free space on the disk of DATA_DIR. Saving resumes by itself."
  },
  "storage-unwritable": {
    detail: "the disk refuses to write the library, and nothing can be saved",
    advice: "Check the disk of DATA_DIR and who owns the folder. Saving resumes by itself."
  },
  "storage-damaged": {
    detail: "part of the library cannot be read",
    advice:
      "Stop the service and run `linkbower doctor` again: it says whether `linkbower reindex` or `linkbower restore FILE` helps."
  },
  "storage-gone": {
    detail: "the library file was moved, deleted or replaced, and nothing can be saved",
    advice: "Put DATA_DIR back, or restart the service."
  },
  "changes-lost": {
    detail: "changes saved before the last start are missing from the library",
    advice: "The log says how many and from when. Check the disk, and save those links again."
  },
  "storage-unlocked": {
    detail: "the file system of DATA_DIR does not lock files",
    advice: "Move DATA_DIR to a local disk, and run no second Linkbower on this one."
  }
}

const reportLines = (base: string, { problems = [], version }: HealthReport): ReadonlyArray<Line> => [
  versionLine(base, version),
  ...problems.map((problem) => fail("health", problemLines[problem].detail, problemLines[problem].advice))
]

/** Whether a service answers where the settings say it listens, and which version. */
export const service: Check<never> = Effect.gen(function* () {
  const host = yield* Setting.host.config
  const port = yield* Setting.port.config
  if (port === 0)
    return [off("service", "PORT=0 is any free port", "Set PORT to a fixed one to have it looked at.")]
  const base = reachedAt(host, port)
  return yield* Effect.match(healthOf(base, PATIENCE), {
    onFailure: (error): ReadonlyArray<Line> => [failed(base, error)],
    onSuccess: (report) => reportLines(base, report)
  })
}).pipe(
  Effect.catchTag("ConfigError", () =>
    Effect.succeed([off("service", "not looked at: HOST or PORT is not usable", "Correct it first.")])
  )
)
