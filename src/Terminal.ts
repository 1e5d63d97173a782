import { Console, Effect } from "effect"

/** Who wants no colour says so (https://no-color.org). */
interface Wishes {
  readonly NO_COLOR?: string | undefined
}

const plain = (parts: ReadonlyArray<unknown>) =>
  parts.map((part) => (typeof part === "string" ? Bun.stripANSI(part) : part))

/** Without colours and other marks for terminals, wherever what is said goes to a file, a pipe or somebody who wants none. */
export const colourfulOnTerminals =
  ({ NO_COLOR }: Wishes) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    const isColourful = ({ isTTY }: { readonly isTTY?: boolean }) => isTTY === true && !NO_COLOR
    return Console.consoleWith((console) =>
      Effect.withConsole(effect, {
        ...console,
        log: (...parts) => console.log(...(isColourful(process.stdout) ? parts : plain(parts))),
        error: (...parts) => console.error(...(isColourful(process.stderr) ? parts : plain(parts)))
      })
    )
  }
