package dev.sluice.stages;

import org.jspecify.annotations.Nullable;

/**
 * The events from one stage, or from outside, to the queue of another. While events are enqueued, the numbers are
 * approximate, as they are read one at a time.
 *
 * @param source   the name of the stage that enqueues; null for the outside
 * @param target   the name of the stage behind the queue
 * @param accepted events that were accepted
 * @param rejected events that were not accepted, for any reason
 */
public record EdgeAccount(@Nullable String source, String target, long accepted, long rejected) {

    static EdgeAccount of(Edge<?> edge) {
        return new EdgeAccount(edge.sourceName(), edge.target().name(), edge.accepted(), edge.rejected());
    }

    /** {@return the account of two edges between the same stages} */
    EdgeAccount plus(EdgeAccount other) {
        return new EdgeAccount(source, target, accepted + other.accepted, rejected + other.rejected);
    }
}
