import { Effect, Layer, ManagedRuntime } from "effect"
import { offline } from "./support/libraryOf.ts"
import { EditLinks } from "../src/library/EditLinks.ts"
import { MergeLinks } from "../src/library/MergeLinks.ts"
import { InboxStore } from "../src/store/InboxStore.ts"
import { LinkStore } from "../src/store/LinkStore.ts"
const file = process.argv[2]!; const n = Number(process.argv[3]); 
const rt = ManagedRuntime.make(Layer.merge(offline(file), Layer.setTracerEnabled(false)))
let worst = 0, last = performance.now(), on = true
let gaps: number[] = []
const tick = () => { const now = performance.now(); gaps.push(now - last); last = now; if (on) setImmediate(tick) }
await rt.runPromise(Effect.flatMap(LinkStore, l => l.count))
tick()
let key = Date.now()
let acks: number[] = [], acking = false
const acker = async () => { for (;;) { if (!on) return; if (!acking) { await Bun.sleep(5); continue }
  const t = performance.now(); await rt.runPromise(Effect.flatMap(InboxStore, i => i.keep({source: "chat", key: String(key++), payload: "{}"}))); acks.push(performance.now() - t); await Bun.sleep(3) } }
for (let i = 0; i < 4; i++) acker()
const pct = (a: number[], p: number) => a.toSorted((x, y) => x - y)[Math.floor(a.length * p)]?.toFixed(0)
const timed = async (name: string, work: any) => {
  await Bun.sleep(300); gaps = []; acks = []; acking = true; last = performance.now(); const t = performance.now()
  let res: any; const c0 = process.cpuUsage()
  try { res = await rt.runPromise(work) } catch (e) { console.log(name, String(e).slice(0,300)); acking = false; return }
  const cpu = process.cpuUsage(c0); const total = performance.now() - t
  await Bun.sleep(50); acking = false
  console.log(name.padEnd(18), "total", total.toFixed(0), "cpu", ((cpu.user + cpu.system) / 1000).toFixed(0), "loop max", Math.max(...gaps).toFixed(0), "p99", pct(gaps, .99), "| acks", acks.length, "p50", pct(acks, .5), "p99", pct(acks, .99), "max", Math.max(...acks).toFixed(0)); return res
}
const ids = Array.from({length: n}, (_, i) => i + 1) as any
const edit = (fields: any, values: any) => Effect.flatMap(EditLinks, e => e.change(ids, fields, values))
const undo = (t: string) => Effect.flatMap(EditLinks, (e:any) => e.undo(t))
await timed("idle", Effect.sleep(1000))
const fav: any = await timed("favorite", edit(["favorite"], {favorite: true}))
await timed("undo favorite", undo(fav.undo))
const cat: any = await timed("category", edit(["category"], {category: "blub", categoryByHand: true}))
await timed("undo category", undo(cat.undo))
const col: any = await timed("collection", edit(["collection"], {collection: "Blub", collectionByHand: true}))
await timed("undo collection", undo(col.undo))
const sh: any = await timed("shareable", edit(["shareable"], {shareable: true}))
await timed("undo shareable", undo(sh.undo))
if (process.argv[4] === "del") await timed("delete", Effect.flatMap(EditLinks, e => e.remove(ids)))
if (process.argv[4] === "merge") await timed("merge", Effect.flatMap(MergeLinks, e => e.merge(1 as any, ids)))
on = false
await rt.dispose()
