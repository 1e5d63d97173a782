import { useEffect, useRef, useState } from "preact/hooks"
import { count } from "../../../src/shared/Format.ts"
import type { Move } from "../api.ts"
import { externalLink } from "../externalLink.ts"
import { fileAll, loadLinks } from "../state/bulkChanges.ts"
import { linkOf } from "../state/entities.ts"
import { start } from "../state/jobs.ts"
import { navigate } from "../state/route.ts"
import { tellFailure } from "../state/toasts.ts"

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
        {Math.round(move.similarity * 100)}% similar
        <span class="visually-hidden">: show the similar links</span>
      </summary>
      {loaded ? (
        <ul>
          {move.because.map((id) => {
            const link = linkOf(id)?.value
            return (
              <li key={id} dir="auto">
                {link === undefined ? (
                  <span class="hint">Deleted link</span>
                ) : (
                  <a {...externalLink(link.url)}>{link.title}</a>
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
  readonly chosen: ReadonlySet<number> | null
  readonly choose: (ids: ReadonlyArray<number>, on: boolean) => void
}

/** Whether a planned move can still be made. */
const isOpen = ({ id }: Move) => linkOf(id)?.value.collection === null

const Row = ({ choose, chosen, move }: Choice & { readonly move: Move }) => {
  const link = linkOf(move.id)?.value
  const filed = link?.collection
  return (
    <li class="move">
      {chosen === null ? null : (
        <input
          type="checkbox"
          aria-label={move.title}
          disabled={!isOpen(move)}
          checked={isOpen(move) && chosen.has(move.id)}
          onChange={(event) => choose([move.id], event.currentTarget.checked)}
        />
      )}
      <p class="move-title">
        <span dir="auto">
          {link === undefined ? move.title : <a {...externalLink(link.url)}>{link.title}</a>}
        </span>
        <span class="hint">
          {link?.host}
          {chosen !== null && filed ? ` · filed in ${filed.name}` : null}
        </span>
      </p>
      <Reasons move={move} />
    </li>
  )
}

const Collection = ({
  choose,
  chosen,
  moves,
  name
}: Choice & { readonly name: string; readonly moves: ReadonlyArray<Move> }) => {
  const box = useRef<HTMLInputElement>(null)
  const open = moves.filter(isOpen)
  const on = open.filter(({ id }) => chosen?.has(id)).length
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = on > 0 && on < open.length
  })
  return (
    <section class="moves-collection">
      <h3>
        {chosen === null ? null : (
          <input
            ref={box}
            type="checkbox"
            aria-label={`All for ${name}`}
            disabled={open.length === 0}
            checked={on > 0 && on === open.length}
            onChange={(event) =>
              choose(
                open.map(({ id }) => id),
                event.currentTarget.checked
              )
            }
          />
        )}
        <span dir="auto">→ {name}</span>
        <span class="hint">{moves.length.toLocaleString("en")}</span>
      </h3>
      <ul>
        {moves.map((move) => (
          <Row key={move.id} move={move} chosen={chosen} choose={choose} />
        ))}
      </ul>
    </section>
  )
}

const Apply = ({ moves }: { readonly moves: ReadonlyArray<Move> }) => {
  const [busy, setBusy] = useState(false)
  const apply = async () => {
    setBusy(true)
    await fileAll(moves)
    setBusy(false)
  }
  const organize = async () => {
    const job = await start({ action: "organize" })
    if (job !== undefined) navigate(`/dashboard/jobs/${job.id}`)
  }
  return (
    <div class="moves-actions">
      <button
        type="button"
        class="button"
        data-kind="primary"
        disabled={busy || moves.length === 0}
        aria-busy={busy}
        onClick={() => void apply()}
      >
        {busy ? "Filing…" : `Apply ${count(moves.length, "move")}`}
      </button>
      <button type="button" class="button" disabled={busy} onClick={() => void organize()}>
        Organize all
      </button>
    </div>
  )
}

/** The moves of an *Organize* job by collection; in a preview they can be selected and applied. */
export const MoveList = ({
  moves,
  preview
}: {
  readonly moves: ReadonlyArray<Move>
  readonly preview: boolean
}) => {
  const [off, setOff] = useState<ReadonlySet<number>>(new Set())
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
  }, [moves])
  const chosen = preview ? new Set(moves.map(({ id }) => id).filter((id) => !off.has(id))) : null
  const choose = (ids: ReadonlyArray<number>, on: boolean) => {
    const next = new Set(off)
    for (const id of ids) on ? next.delete(id) : next.add(id)
    setOff(next)
  }
  if (moves.length === 0) return null
  return (
    <div class="moves">
      {preview ? <Apply moves={moves.filter((move) => isOpen(move) && !off.has(move.id))} /> : null}
      {[...Map.groupBy(moves, ({ to }) => to)].map(([name, those]) => (
        <Collection key={name} name={name} moves={those} chosen={chosen} choose={choose} />
      ))}
    </div>
  )
}
