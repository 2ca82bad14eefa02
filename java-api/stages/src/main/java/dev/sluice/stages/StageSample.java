package dev.sluice.stages;

/**
 * What a stage has done in a span of time, and how it is at the end of it. All times are in nanoseconds.
 *
 * @param elapsed         how long the span was
 * @param queueLength     events that wait, and places that are reserved
 * @param oldestWait      for how long the next event has waited; 0 if none waits
 * @param minWait         minimum wait of the events taken in the span; {@link Long#MAX_VALUE} if none was taken
 * @param threads         how many the stage has of its own
 * @param longestIdle     for how long the thread that has slept longest has done so; 0 if none sleeps
 * @param handled         how many events were handled in the span
 * @param responses       for how many events the response time was taken in the span
 * @param responseSum     these response times, from the queue to the end of the handling, added up
 * @param latestResponses the last of them, 1024 at most, in any order
 */
public record StageSample(long elapsed, int queueLength, long oldestWait, long minWait, int threads, long longestIdle,
                          long handled, long responses, long responseSum, long[] latestResponses) {
}
