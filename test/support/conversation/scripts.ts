import { changing, finding, tidying } from "./answering.ts"
import { filesInChat, filesInGroup, takingBack } from "./files.ts"
import { group } from "./group.ts"
import { misreading, offering } from "./misreading.ts"
import { inline, realPages } from "./pages.ts"
import { saving } from "./saving.ts"
import type { Script } from "./script.ts"

/** All conversations; each has a library of its own, and all run at once. */
export const scripts: ReadonlyArray<Script> = [
  saving,
  misreading,
  offering,
  group,
  finding,
  changing,
  tidying,
  realPages,
  inline,
  filesInChat,
  takingBack,
  filesInGroup
]
