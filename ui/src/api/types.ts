import type { components } from "./schema";

type Schemas = components["schemas"];

export type User = Schemas["UserTold"];
export type Workspace = Schemas["WorkspaceTold"];
export type Role = Schemas["Role"];
export type Run = Schemas["RunTold"];
export type RunInShort = Schemas["RunInShort"];
export type JobsRuns = Schemas["JobsRuns"];
export type RunInFull = Schemas["RunInFull"];
export type Attempt = Schemas["AttemptTold"];
export type Stage = Schemas["StageTold"];
export type Task = Schemas["TaskTold"];
// Not by a name of its own: another enumeration of the API may have the same, and then neither keeps it.
export type State = Schemas["RunTold"]["state"];
export type LogLine = Schemas["LogLine"];
export type TimelinePoint = Schemas["TimelinePoint"];
export type ResultPage = Schemas["ResultPage"];
export type Job = Schemas["JobTold"];
export type Definition = Schemas["Definition"];
export type Parameter = Schemas["Parameter"];
export type Version = Schemas["VersionTold"];
export type JobKind = Schemas["JobKindTold"];
export type Query = Schemas["QueryTold"];
export type SavedQuery = Schemas["SavedTold"];
export type Dataset = Schemas["DatasetTold"];
export type Snapshot = Schemas["SnapshotTold"];
