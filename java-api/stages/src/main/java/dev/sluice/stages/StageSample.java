package dev.sluice.stages;

/**
 * The activity of a stage in a span of time, and its state at the end of it. All times are in nanoseconds.
 *
 * @param elapsed the length of the span
 * @param queueLength     the number of pending events and reserved places
 * @param oldestWait      the wait of the next event so far; 0 if none waits
 * @param minWait         minimum wait of the events taken in the span; {@link Long#MAX_VALUE} if none was taken
 * @param threads         the number of threads of its own, which a controller may change; 0 if there are none
 * @param longestIdle     the time for which the longest idle thread has been idle; 0 if none is
 * @param handled         the number of events that the handler was done with in the span; those that it failed on
 *                        count, too, because they took its time and have left the queue
 * @param responses       the number of response times recorded in the span
 * @param responseSum     the sum of these response times, from the enqueue to the end of the handling
 * @param latestResponses the last of them, at most 1024, in any order
 */
public record StageSample(long elapsed, int queueLength, long oldestWait, long minWait, int threads, long longestIdle,
                          long handled, long responses, long responseSum, long[] latestResponses) {
}
