import { commands, usageOf } from "../../../src/telegram/Commands.ts"
import { h, type Node } from "../tree.ts"
import { table } from "./tables.ts"

/** Every command of the bot with the description from its own help. */
export const botCommandsBlock = (): ReadonlyArray<Node> => [
  table(
    ["Command", "What it does"],
    commands.map((command) => [h("code", {}, usageOf(command)), command.description])
  )
]
