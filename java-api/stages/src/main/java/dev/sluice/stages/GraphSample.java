package dev.sluice.stages;

import java.util.List;
import java.util.Map;

/**
 * What all stages of a graph have done in a span of time, and how they are at the end of it.
 *
 * @param elapsed    how long the span was, in nanoseconds
 * @param usedMemory bytes of the heap that are in use, with garbage
 * @param maxMemory  maximum size of the heap, in bytes
 * @param stages     by name, in the order of the graph
 * @param edges      with their counts since they were made
 */
public record GraphSample(long elapsed, long usedMemory, long maxMemory, Map<String, StageSample> stages,
                          List<EdgeAccount> edges) {
}
