import { useRef, useState } from "preact/hooks"
import { count } from "../../../src/shared/Format.ts"
import { type Merge, type MergeOutcome, mergeGroups } from "../state/bulkChanges.ts"
import { Button } from "./Button.tsx"
import { Dialog, focusOnMount } from "./Dialog.tsx"

/** What happened, as sentences. */
const outcomeText = ({ deleted, groups, problem, skipped }: MergeOutcome, total: number): string =>
  [
    groups === 0
      ? "Nothing was merged."
      : `Merged ${count(groups + deleted, "link")} into ${groups.toLocaleString("en")}.`,
    skipped === 0
      ? ""
      : `Skipped ${count(skipped, "group")} whose links were deleted in the meantime. Search again to see what is left.`,
    problem === "" ? "" : `Stopped: ${problem}`,
    groups + skipped === total
      ? ""
      : `${count(total - groups - skipped, "group is", "groups are")} left as before.`
  ]
    .filter((sentence) => sentence !== "")
    .join(" ")

interface Props {
  readonly merges: ReadonlyArray<Merge>
  readonly onClose: () => void
}

/** Asks before all groups with the same page are merged, shows the progress, and says what happened. */
export const MergeAllDialog = ({ merges, onClose }: Props) => {
  // The page shows fewer groups with each that is merged.
  const [given] = useState(merges)
  const [done, setDone] = useState<number | null>(null)
  const [outcome, setOutcome] = useState<MergeOutcome | null>(null)
  const stop = useRef(new AbortController())
  const total = given.length
  const deleted = given.reduce((sum, { others }) => sum + others.length, 0)
  const busy = done !== null && outcome === null
  const run = async () => {
    setDone(0)
    setOutcome(await mergeGroups(given, stop.current.signal, setDone))
  }
  return (
    <Dialog
      label="Merge all exact matches"
      guard={() => {
        if (busy) stop.current.abort()
        return !busy
      }}
      onClose={onClose}
    >
      <h2>{outcome === null ? "Merge all exact matches?" : "Merge all exact matches"}</h2>
      {outcome !== null ? (
        <>
          <p role="status">{outcomeText(outcome, total)}</p>
          <div class="row end">
            <Button kind="primary" ref={focusOnMount} onClick={onClose}>
              Close
            </Button>
          </div>
        </>
      ) : done !== null ? (
        <>
          <p class="import-figures">
            {done.toLocaleString("en")} of {count(total, "group")}
          </p>
          <progress aria-label="Merging the groups" max={total} value={done} />
          <div class="row end">
            <Button ref={focusOnMount} onClick={() => stop.current.abort()}>
              Stop
            </Button>
          </div>
        </>
      ) : (
        <>
          <p>
            {count(total + deleted, "link")} in {count(total, "group")} lead to the same page. In each group,
            the link marked “Keep this one” gets the notes and tags of the others, and everything that you set
            yourself. The {deleted === 1 ? "other is" : `${deleted.toLocaleString("en")} others are`} deleted.
          </p>
          <p>The merged copies go to the trash. Groups that are only nearly the same stay as they are.</p>
          <div class="row end">
            <Button data-autofocus onClick={onClose}>
              Cancel
            </Button>
            <Button kind="primary" onClick={() => void run()}>
              Merge {count(total, "group")}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  )
}
