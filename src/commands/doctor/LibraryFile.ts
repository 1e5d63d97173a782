import { Effect, Option } from "effect"
import { type InspectionError, LibraryMissing } from "../../store/DatabaseErrors.ts"
import { dataFolder } from "../../store/DataFolder.ts"
import { type Inspection, inspect } from "../../store/Inspection.ts"
import { count, size } from "../InWords.ts"
import { libraryFolder } from "./DataFolder.ts"
import { type Check, fail, type Line, off, ok, warn } from "./Finding.ts"

const failed = (error: InspectionError): Line =>
  error instanceof LibraryMissing && !error.was
    ? off("library.db", error.what, "The service makes it when it first starts.")
    : fail("library.db", error.what, error.message.slice(error.what.length).trim())

const REINDEX = "Run `linkbower reindex`."

const indexLine = ({ waiting, withoutText, withoutVector }: Inspection): Line => {
  const drifted = [
    ...(withoutText > 0 ? [`${count(withoutText, "link")} not found by words`] : []),
    ...(withoutVector > 0 ? [`${count(withoutVector, "link")} not found by meaning`] : [])
  ]
  if (drifted.length > 0) return warn("search index", drifted.join(", "), REINDEX)
  return waiting > 0
    ? ok("search index", `in step; ${count(waiting, "link")} waiting for a vector, which the service makes`)
    : ok("search index", "in step with the links")
}

const queueLine = (name: string, waiting: number, one: string, whose: string): Line =>
  waiting === 0
    ? ok(name, "none waiting")
    : ok(
        name,
        `${count(waiting, one)} waiting`,
        `${whose} takes them up while it runs, and again when it starts.`
      )

const sparedLine = (spared: ReadonlyArray<string>): ReadonlyArray<Line> =>
  spared.length === 0
    ? []
    : [
        warn(
          "pages not read",
          `${count(spared.length, "link")} saved by address alone, because the service ended twice while it read the page: ${spared.join(", ")}`,
          "Refresh each in the dashboard to try its page again, and report the address if the service ends."
        )
      ]

const givenUpLine = (givenUp: ReadonlyArray<number>): ReadonlyArray<Line> =>
  givenUp.length === 0
    ? []
    : [
        warn(
          "arrivals given up",
          `${count(givenUp.length, "arrival")} not saved after repeated failures: ${givenUp.join(", ")}`,
          "Search for is:partial in the dashboard, or send /retry, to try them again; the log names each cause."
        )
      ]

const schemaLine = ({ additions, missingIndexes }: Inspection): ReadonlyArray<Line> => [
  ...(missingIndexes.length === 0
    ? []
    : [
        warn(
          "schema",
          `missing indexes: ${missingIndexes.join(", ")}`,
          "Reading is slower without them. The service makes them again when it starts."
        )
      ]),
  ...(additions.length === 0
    ? []
    : [
        warn(
          "schema",
          `another program added ${additions.join(", ")}`,
          "Linkbower does not use them and leaves them alone."
        )
      ])
]

const lostLine = ({ lost }: Inspection): ReadonlyArray<Line> =>
  Option.match(lost, {
    onNone: () => [],
    onSome: ({ commits, since, until }) => [
      fail(
        "log",
        `up to ${count(commits, "change")} saved between ${new Date(since).toISOString()} and ${new Date(until).toISOString()} are missing: the end of library.db-wal was lost`,
        "Put the log back if you have it, or start the service without it and save those links again. Check the disk."
      )
    ]
  })

const found = (inspection: Inspection): ReadonlyArray<Line> => {
  const { bytes, collections, inboxWaiting, known, links, outboxWaiting, shareable, version } = inspection
  return [
    ok(
      "library.db",
      `sound: ${count(links, "link")}, ${count(collections, "collection")}, ${shareable.toLocaleString("en")} on the public list; ${size(bytes)}`
    ),
    version === known
      ? ok("version", `${version}, as this program writes it`)
      : warn(
          "version",
          `${version}, while this program writes ${known}`,
          "It is brought up to date when the service starts, which keeps a copy of it."
        ),
    ...lostLine(inspection),
    ...schemaLine(inspection),
    indexLine(inspection),
    queueLine("arrivals", inboxWaiting, "update", "The service"),
    queueLine("replies", outboxWaiting, "message", "The service"),
    ...sparedLine(inspection.spared),
    ...givenUpLine(inspection.givenUp)
  ]
}

/** Whether the library is sound, what is in it, and what waits. */
export const libraryFile: Check<never> = Effect.flatMap(libraryFolder, (folder) =>
  Effect.match(inspect(dataFolder(folder).library), {
    onFailure: (error) => [failed(error)],
    onSuccess: found
  })
)
