import { Schema } from "effect"
import { get, group, patch, post } from "./Endpoint.ts"
import { BadRequest, Conflict, Unavailable } from "./Failures.ts"
import { described } from "./Input.ts"
import { AccessGate } from "./Middleware.ts"

const Count = Schema.NonNegativeInt

const Backup = Schema.Struct({
  name: described(Schema.String, "The file's name in `DATA_DIR/backups`."),
  createdAt: Schema.String,
  bytes: Count
})

/** Which backups there are, and what a full export has. */
export const BackupsAnswer = Schema.Struct({
  every: described(Schema.String, "`off`, or how often a backup is made, such as `1d`."),
  keep: described(Count, "How many are kept."),
  backups: described(Schema.Array(Backup), "The complete ones, the newest first."),
  state: described(
    Schema.Literal("idle", "running", "failed"),
    "Whether one is being made, or the last try failed."
  ),
  error: described(Schema.NullOr(Schema.String), "Why the last try failed."),
  nextAt: described(Schema.NullOr(Schema.String), "When the next one is due; null while backups are off."),
  writesTo: described(
    Schema.NullOr(Schema.String),
    "Where settings are written: the name of the file, or `SECRETS_DIR`; null if the service may not write there."
  ),
  export: described(
    Schema.Struct({
      links: Count,
      trashed: Count,
      pages: Count,
      versions: Count,
      pictures: Count,
      snapshots: Count,
      bytes: Count
    }),
    "What `GET /dashboard/api/export?format=full` has; `bytes` is the size of the pages, pictures and snapshots."
  )
})
export type BackupsAnswer = typeof BackupsAnswer.Type

const BackupSettings = Schema.Struct({
  every: Schema.optional(
    described(
      Schema.String.pipe(Schema.maxLength(40)),
      "`off`, or a duration of an hour or more, such as `1 day`."
    )
  ),
  keep: Schema.optional(Schema.Int.pipe(Schema.between(1, 999)))
})

export const backups = group(
  "backups",
  {
    place: "/dashboard/api",
    fails: [BadRequest, Unavailable],
    says: "Gate 4, as above: the copies of the library in `DATA_DIR/backups`. No response has one of them."
  },
  get("state", "/backups", "Lists the backups that the service has made", { answer: BackupsAnswer }),
  post("make", "/backups", "Makes a backup now", {
    answer: BackupsAnswer,
    status: 202,
    more: "One at a time: while one is being made, this starts no other."
  }),
  patch("set", "/backups", "Says how often to make backups, and how many to keep", {
    body: BackupSettings,
    answer: BackupsAnswer,
    fails: [Conflict.schema],
    more: "Writes `BACKUP_EVERY` and `BACKUP_KEEP`."
  })
).middlewareEndpoints(AccessGate)
