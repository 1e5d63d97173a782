import library from "./0001_library.ts"
import inbox from "./0002_inbox.ts"
import jobs from "./0003_jobs.ts"
import search from "./0004_search.ts"
import images from "./0005_images.ts"
import publicList from "./0006_public.ts"
import imported from "./0007_import.ts"
import chat from "./0008_chat.ts"
import deletion from "./0009_deletion.ts"
import projection from "./0010_projection.ts"
import starts from "./0011_starts.ts"
import arrivals from "./0012_arrivals.ts"
import halfVectors from "./0013_half_vectors.ts"
import changes from "./0014_changes.ts"
import lanes from "./0015_lanes.ts"
import waits from "./0016_waits.ts"
import owner from "./0017_owner.ts"
import noteVectors from "./0018_note_vectors.ts"
import pageKeys from "./0019_page_keys.ts"
import signin from "./0020_signin.ts"
import chatClaims from "./0021_chat_claims.ts"
import importUndo from "./0022_import_undo.ts"
import capture from "./0023_capture.ts"
import messageTags from "./0024_message_tags.ts"
import collectionOrder from "./0025_collection_order.ts"
import linkChecks from "./0026_link_checks.ts"
import pages from "./0027_pages.ts"
import highlights from "./0028_highlights.ts"
import pagePictures from "./0029_page_pictures.ts"
import readingPositions from "./0030_reading_positions.ts"
import snapshots from "./0031_snapshots.ts"
import weeklyHighlights from "./0032_weekly_highlights.ts"
import ereaders from "./0033_ereaders.ts"
import fragments from "./0034_fragments.ts"
import capturesKept from "./0035_captures_kept.ts"
import returned from "./0036_returned.ts"
import signinBrowsers from "./0037_signin_browsers.ts"
import spellings from "./0038_spellings.ts"
import clock from "./0039_clock.ts"
import snapshotVersions from "./0040_snapshot_versions.ts"

/** Every migration by name, imported rather than read from disk so that one binary carries them all. */
export const migrations = {
  "0001_library": library,
  "0002_inbox": inbox,
  "0003_jobs": jobs,
  "0004_search": search,
  "0005_images": images,
  "0006_public": publicList,
  "0007_import": imported,
  "0008_chat": chat,
  "0009_deletion": deletion,
  "0010_projection": projection,
  "0011_starts": starts,
  "0012_arrivals": arrivals,
  "0013_half_vectors": halfVectors,
  "0014_changes": changes,
  "0015_lanes": lanes,
  "0016_waits": waits,
  "0017_owner": owner,
  "0018_note_vectors": noteVectors,
  "0019_page_keys": pageKeys,
  "0020_signin": signin,
  "0021_chat_claims": chatClaims,
  "0022_import_undo": importUndo,
  "0023_capture": capture,
  "0024_message_tags": messageTags,
  "0025_collection_order": collectionOrder,
  "0026_link_checks": linkChecks,
  "0027_pages": pages,
  "0028_highlights": highlights,
  "0029_page_pictures": pagePictures,
  "0030_reading_positions": readingPositions,
  "0031_snapshots": snapshots,
  "0032_weekly_highlights": weeklyHighlights,
  "0033_ereaders": ereaders,
  "0034_fragments": fragments,
  "0035_captures_kept": capturesKept,
  "0036_returned": returned,
  "0037_signin_browsers": signinBrowsers,
  "0038_spellings": spellings,
  "0039_clock": clock,
  "0040_snapshot_versions": snapshotVersions
}
