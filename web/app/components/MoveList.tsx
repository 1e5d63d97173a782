import { useEffect, useRef, useState } from "preact/hooks"
import { count, percent } from "../../../src/shared/Format.ts"
import { readableHost, readableTitle } from "../../../src/shared/HostName.ts"
import type { Move } from "../api.ts"
import { externalLink } from "../externalLink.ts"
import { type Band, bandsOf, collectionsOf, tickedAtFirst } from "../moves.ts"
import { fileAll, loadLinks } from "../state/bulkChanges.ts"
import { linkOf } from "../state/entities.ts"
import { reloads } from "../state/list.ts"
import { navigate } from "../state/route.ts"
import { start } from "../state/startJobs.ts"
import { tellFailure } from "../state/toasts.ts"
import { Button } from "./Button.tsx"
import { Toggles } from "./Fields.tsx"

const Reasons = ({ move }: { readonly move: Move }) => {
  const [loaded, setLoaded] = useState(false)
  return (
    <details
      class="move-because"
      onToggle={() => {
        if (!loaded)
          loadLinks(move.because.filter((id) => linkOf(id) === undefined))
            .catch((error: unknown) => tellFailure("The reasons could not be loaded.", error))
            .finally(() => setLoaded(true))
      }}
    >
      <summary>
        {percent(move.similarity)}% similar
        <span class="visually-hidden">: show the similar links</span>
      </summary>
      {loaded ? (
        <ul class="stack">
          {move.because.map((id) => {
            const link = linkOf(id)?.value
            return (
              <li key={id} dir="auto">
                {link === undefined ? (
                  <span class="hint">Deleted link</span>
                ) : (
                  <a {...externalLink(link.url)}>{readableTitle(link)}</a>
                )}
              </li>
            )
          })}
        </ul>
      ) : (
        <p class="hint">Loading…</p>
      )}
    </details>
  )
}

interface Choice {
  /** The moves to make; null if they are already made. */
  readonly ticked: ReadonlySet<number> | null
  readonly tick: (moves: ReadonlyArray<Move>, on: boolean) => void
}

/** Whether a planned move can still be made. */
const isOpen = ({ id }: Move) => linkOf(id)?.value.collection === null

interface RowProps extends Choice {
  readonly move: Move
  /** Whether to name the collection that the link is filed in. */
  readonly namesTarget: boolean
}

const Row = ({ move, namesTarget, tick, ticked }: RowProps) => {
  const link = linkOf(move.id)?.value
  const filed = link?.collection
  return (
    <li class="move">
      {ticked === null ? null : (
        <input
          type="checkbox"
          aria-label={namesTarget ? `${move.title} → ${move.to}` : move.title}
          disabled={!isOpen(move)}
          checked={isOpen(move) && ticked.has(move.id)}
          onChange={(event) => tick([move], event.currentTarget.checked)}
        />
      )}
      <div class="move-link">
        <p class="move-title">
          <span dir="auto">
            {link === undefined ? move.title : <a {...externalLink(link.url)}>{readableTitle(link)}</a>}
          </span>
          <span class="hint">
            {link && readableHost(link.host)}
            {ticked !== null && filed ? ` · filed in ${filed.name}` : null}
          </span>
        </p>
        {namesTarget ? (
          <p class="move-target" dir="auto">
            → {move.to}
          </p>
        ) : null}
      </div>
      <Reasons move={move} />
    </li>
  )
}

interface GroupProps extends Choice, Band {
  readonly namesTarget: boolean
}

const Group = ({ moves, name, namesTarget, tick, ticked }: GroupProps) => {
  const box = useRef<HTMLInputElement>(null)
  const open = moves.filter(isOpen)
  const on = open.filter(({ id }) => ticked?.has(id)).length
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = on > 0 && on < open.length
  })
  return (
    <section class="moves-group">
      <h2 class="row">
        {ticked === null ? null : (
          <input
            ref={box}
            type="checkbox"
            aria-label={`All: ${name}`}
            disabled={open.length === 0}
            checked={on > 0 && on === open.length}
            onChange={(event) => tick(open, event.currentTarget.checked)}
          />
        )}
        <span dir="auto">{name}</span>
        <span class="hint">{moves.length.toLocaleString("en")}</span>
      </h2>
      <ul class="divided">
        {moves.map((move) => (
          <Row key={move.id} move={move} namesTarget={namesTarget} ticked={ticked} tick={tick} />
        ))}
      </ul>
    </section>
  )
}

interface ApplyProps {
  /** The ticked moves that can still be made. */
  readonly moves: ReadonlyArray<Move>
  /** How many moves can still be made. */
  readonly open: number
}

const Apply = ({ moves, open }: ApplyProps) => {
  const [busy, setBusy] = useState(false)
  const apply = async () => {
    setBusy(true)
    await fileAll(moves)
    setBusy(false)
  }
  const previewAgain = async () => {
    const job = await start({ action: "organize", dryRun: true })
    if (job !== undefined) navigate(`/dashboard/jobs/${job.id}`)
  }
  return (
    <div class="moves-actions row">
      <Button
        kind="primary"
        disabled={busy || moves.length === 0}
        aria-busy={busy}
        onClick={() => void apply()}
      >
        {busy ? "Filing…" : `Apply ${count(moves.length, "move")}`}
      </Button>
      <Button disabled={busy} onClick={() => void previewAgain()}>
        Preview again
      </Button>
      <p class="hint" role="status">
        {moves.length.toLocaleString("en")} of {open.toLocaleString("en")} ticked
      </p>
    </div>
  )
}

interface Props {
  readonly moves: ReadonlyArray<Move>
  /** How many moves the job made or planned; it lists the most similar ones. */
  readonly total: number
  readonly preview: boolean
}

/** The moves of an *Organize* job, the most similar first; in a preview, those to make can be ticked and applied. */
export const MoveList = ({ moves, preview, total }: Props) => {
  const [ticks, setTicks] = useState(() => tickedAtFirst(moves))
  const [order, setOrder] = useState<"likeness" | "collection">(preview ? "likeness" : "collection")
  const [, draw] = useState(0)
  useEffect(() => {
    const stop = new AbortController()
    loadLinks(
      moves.map(({ id }) => id),
      stop.signal
    )
      .catch((error: unknown) => tellFailure("The links could not be loaded.", error))
      .finally(() => draw((n) => n + 1))
    return () => stop.abort()
  }, [moves, reloads.value])
  const tick = (those: ReadonlyArray<Move>, on: boolean) => {
    const next = new Set(ticks)
    for (const { id } of those) on ? next.add(id) : next.delete(id)
    setTicks(next)
  }
  if (moves.length === 0) return null
  const open = preview ? moves.filter(isOpen) : []
  const byLikeness = order === "likeness"
  const groups = byLikeness ? bandsOf(moves) : collectionsOf(moves)
  return (
    <div class="stack">
      {preview ? (
        <>
          <p>
            Applying files the ticked links only. The others stay in no collection. Links that are clearly
            more similar to one collection than to any other are ticked at first.
          </p>
          <Apply moves={open.filter(({ id }) => ticks.has(id))} open={open.length} />
        </>
      ) : null}
      {total > moves.length ? (
        <p class="hint">
          Lists the {moves.length.toLocaleString("en")} most similar of {count(total, "link")}.
          {preview ? " For the others, apply these and preview again." : null}
        </p>
      ) : null}
      <Toggles
        label="Order"
        chosen={order}
        onChoose={setOrder}
        choices={[
          ["likeness", "Most similar first"],
          ["collection", "By collection"]
        ]}
      />
      {groups.map((group) => (
        <Group
          key={group.name}
          {...group}
          namesTarget={byLikeness}
          ticked={preview ? ticks : null}
          tick={tick}
        />
      ))}
    </div>
  )
}
