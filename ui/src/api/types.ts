import type { components } from "./schema";

type Schemas = components["schemas"];

export type User = Schemas["UserTold"];
export type Workspace = Schemas["WorkspaceTold"];
export type Role = Schemas["Role"];
export type Run = Schemas["RunTold"];
export type RunInFull = Schemas["RunInFull"];
export type Attempt = Schemas["AttemptTold"];
export type Task = Schemas["TaskTold"];
export type State = Schemas["State"];
export type LogLine = Schemas["LogLine"];
export type TimelinePoint = Schemas["TimelinePoint"];
export type ResultPage = Schemas["ResultPage"];
export type Job = Schemas["JobTold"];
export type Definition = Schemas["Definition"];
export type Parameter = Schemas["Parameter"];
export type Version = Schemas["VersionTold"];
export type JobKind = Schemas["JobKindTold"];
export type Pipeline = Schemas["PipelineTold"];
export type Figures = Schemas["Figures"];
export type Standing = Schemas["Standing"];
export type Reject = Schemas["RejectTold"];
export type RejectInFull = Schemas["RejectInFull"];
export type RejectsCounted = Schemas["RejectsCounted"];
