/** @jsxImportSource preact */
import { useEffect, useState } from "preact/hooks"
import type { Scope } from "../../src/domain/Token.ts"
import { scopeWords } from "../app/scopeWords.ts"
import { ask } from "./ask.ts"
import { Form, Outcome } from "./Form.tsx"
import { Frame } from "./Frame.tsx"
import { useTask } from "./useTask.ts"

/** What a program asks for, or why it cannot. */
export type ConsentProps =
  | {
      readonly name: string
      /** Where the browser goes back to, for people. */
      readonly place: string
      /** The host where the program publishes its description, if it does. */
      readonly publisher?: string
      readonly scopes: ReadonlyArray<Scope>
    }
  | {
      readonly problem: string
      /** The way back to the program, if its address is known to be its own. */
      readonly from?: { readonly name: string; readonly place: string; readonly location: string }
    }

/** How long the page must be seen before it takes an answer, in milliseconds: a click that was meant for another page. */
const DELAY = 800

/** Whether a scope that was asked for is chosen at first: most programs do without the others. */
const isUsual = (scope: Scope) => scope !== "delete" && scope !== "share"

/** Whether the page has been in front for a moment. */
const useIsSeen = () => {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    let timer = setTimeout(() => setSeen(true), DELAY)
    const restart = () => {
      clearTimeout(timer)
      setSeen(false)
      timer = setTimeout(() => setSeen(true), DELAY)
    }
    window.addEventListener("focus", restart)
    return () => {
      clearTimeout(timer)
      window.removeEventListener("focus", restart)
    }
  }, [])
  return isSeen
}

const Question = ({ name, place, publisher, scopes }: Extract<ConsentProps, { name: string }>) => {
  const task = useTask()
  const isSeen = useIsSeen()
  const [chosen, setChosen] = useState<ReadonlySet<Scope>>(new Set(scopes.filter(isUsual)))
  const answer = (allowed: ReadonlyArray<Scope>) =>
    task.run(async (options) => {
      const { location: back } = await ask<{ location: string }>("POST", "/dashboard/api/authorize", {
        ...options,
        body: { request: location.search.slice(1), scopes: allowed }
      })
      location.assign(back)
    })
  const allow = () =>
    chosen.size === 0
      ? task.refuse("Choose what the program may do, or decline.")
      : answer(scopes.filter((scope) => chosen.has(scope)))
  const set = (scope: Scope, isOn: boolean) => {
    const next = new Set(chosen)
    if (isOn) next.add(scope)
    else next.delete(scope)
    setChosen(next)
  }
  const isHere = place === "this computer"
  return (
    <Frame title={`Allow ${name} to use your library?`}>
      <p class="frame-lead">
        A program that calls itself <b>{name}</b> asks for access. Linkbower cannot check the name: allow it
        only if you have just connected this program yourself.
      </p>
      <dl class="consent-facts">
        <dt>Returns to</dt>
        <dd>{isHere ? "a program on the computer at which you sit" : place}</dd>
        {publisher !== undefined && (
          <>
            <dt>Described by</dt>
            <dd>{publisher}</dd>
          </>
        )}
      </dl>
      <Form label="Access" task={task} onSubmit={allow}>
        <fieldset class="consent-scopes">
          <legend>It may</legend>
          <div class="consent-list">
            {scopes.map((scope) => (
              <label key={scope}>
                <input
                  type="checkbox"
                  name={scope}
                  checked={chosen.has(scope)}
                  onChange={(event) => set(scope, event.currentTarget.checked)}
                />
                <span>
                  <b>{scopeWords[scope].title}</b>
                  <span class="hint">{scopeWords[scope].about}</span>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
        <p class="hint">
          It can never change settings or delete anything for good. You can end the access at any time in the
          settings, under Programs.
        </p>
        <div class="consent-answers">
          <button type="submit" class="button" data-kind="primary" disabled={!isSeen} aria-busy={task.isBusy}>
            Allow
          </button>
          <button type="button" class="button" disabled={!isSeen} onClick={() => answer([])}>
            Decline
          </button>
        </div>
        <Outcome task={task} />
      </Form>
    </Frame>
  )
}

/** The page on which the owner allows a program to use the library. */
export const Consent = (props: ConsentProps) =>
  "name" in props ? (
    <Question {...props} />
  ) : (
    <Frame title="This program cannot be connected" needsScripts={false}>
      <p class="frame-note" role="alert">
        {props.problem}
      </p>
      {props.from === undefined ? (
        <p>Start again in the program. Nothing was allowed.</p>
      ) : (
        <p>
          Nothing was allowed.{" "}
          <a href={props.from.location} rel="noreferrer">
            Return to {props.from.name} ({props.from.place})
          </a>
        </p>
      )}
    </Frame>
  )
