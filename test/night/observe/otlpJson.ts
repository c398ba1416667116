/** The parts of OTLP's JSON that the tests read. */
interface KeyValue {
  readonly key: string
  readonly value: {
    readonly stringValue?: string
    readonly intValue?: string | number
    readonly doubleValue?: number
    readonly boolValue?: boolean
  }
}
interface Attributed {
  readonly attributes: ReadonlyArray<KeyValue>
}
interface Span extends Attributed {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
}
interface LogRecord extends Attributed {
  readonly traceId?: string
  readonly body: { readonly stringValue?: string }
}
interface Point extends Attributed {
  readonly asDouble?: number
  readonly asInt?: string | number
}
interface Payload {
  readonly resourceSpans?: ReadonlyArray<{
    readonly resource: Attributed
    readonly scopeSpans: ReadonlyArray<{ readonly spans: ReadonlyArray<Span> }>
  }>
  readonly resourceLogs?: ReadonlyArray<{
    readonly resource: Attributed
    readonly scopeLogs: ReadonlyArray<{ readonly logRecords: ReadonlyArray<LogRecord> }>
  }>
  readonly resourceMetrics?: ReadonlyArray<{
    readonly resource: Attributed
    readonly scopeMetrics: ReadonlyArray<{
      readonly metrics: ReadonlyArray<{
        readonly name: string
        readonly sum?: { readonly dataPoints: ReadonlyArray<Point> }
      }>
    }>
  }>
}

export const attributesOf = ({ attributes }: Attributed): Readonly<Record<string, unknown>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

export const spansOf = (payload: unknown): ReadonlyArray<Span> =>
  ((payload as Payload).resourceSpans ?? []).flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))

export const logsOf = (payload: unknown): ReadonlyArray<LogRecord> =>
  ((payload as Payload).resourceLogs ?? []).flatMap(({ scopeLogs }) =>
    scopeLogs.flatMap(({ logRecords }) => logRecords)
  )

/** Every counter by its name, as points with their attributes. */
export const metricsOf = (payload: unknown) =>
  new Map(
    ((payload as Payload).resourceMetrics ?? [])
      .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics))
      .map(
        ({ name, sum }) =>
          [
            name,
            (sum?.dataPoints ?? []).map((point) => ({
              attributes: attributesOf(point),
              value: Number(point.asDouble ?? point.asInt)
            }))
          ] as const
      )
  )

export const resourceOf = (payload: unknown): Readonly<Record<string, unknown>> => {
  const { resourceLogs = [], resourceMetrics = [], resourceSpans = [] } = payload as Payload
  const [first] = [...resourceSpans, ...resourceLogs, ...resourceMetrics]
  return first === undefined ? {} : attributesOf(first.resource)
}
