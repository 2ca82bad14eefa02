package dev.sluice.demultiplexer.operation;

import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An immutable map of replaced handlers to their successors, for the operations of one handle. */
final class ReplacedHandlers {

    private final Map<Object, Object> successors;

    private ReplacedHandlers(Map<Object, Object> successors) {
        this.successors = successors;
    }

    /**
     * Adds a replacement.
     *
     * @param before the previous replacements, or null
     * @param from   the handler to replace, together with all handlers that it has replaced
     * @param to     the new handler, which is no longer replaced if it was
     * @return the new replacements
     */
    static ReplacedHandlers after(@Nullable ReplacedHandlers before, Object from, Object to) {
        Map<Object, Object> after = before == null ? new IdentityHashMap<>() : new IdentityHashMap<>(before.successors);
        after.remove(to);
        after.replaceAll((earlier, successor) -> successor == from ? to : successor);
        if (from != to) {
            after.put(from, to);
        }
        return new ReplacedHandlers(after);
    }

    /** {@return the successor of a handler; the handler itself if it has none} */
    @Nullable Object of(@Nullable Object handler) {
        Object successor = successors.get(handler);
        return successor == null ? handler : successor;
    }
}
