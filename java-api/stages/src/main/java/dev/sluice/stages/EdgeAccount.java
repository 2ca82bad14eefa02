package dev.sluice.stages;

/**
 * What has passed from one stage, or from outside, to the queue of another. While events pass, the numbers are read one
 * after the other.
 *
 * @param source  the name of the one; null for the outside
 * @param target  the name of the other
 * @param passed  events that were accepted
 * @param refused events that were not, for whatever reason
 */
public record EdgeAccount(String source, String target, long passed, long refused) {

    static EdgeAccount of(Edge<?> edge) {
        return new EdgeAccount(edge.sourceName(), edge.target.name(), edge.passed(), edge.refused());
    }
}
